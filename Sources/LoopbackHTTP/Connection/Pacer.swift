/// Computes when each part of a body is due at a given rate. Deadlines are absolute, so late wake-ups do not add up.
struct Pacer {
    private let bytesPerSecond: Int64
    private var start: ContinuousClock.Instant
    private var startOffset: Int64 = 0

    /// Starts the schedule now, at the body's first byte.
    init(bytesPerSecond: Int64, now: ContinuousClock.Instant = .now) {
        self.bytesPerSecond = bytesPerSecond
        start = now
    }

    /// The number of bytes due in 10 ms, from 1 to 64 KiB.
    var sliceSize: Int64 { min(max(1, bytesPerSecond / 100), 64 << 10) }

    /// The time from which everything up to an offset may have been sent.
    func deadline(for offset: Int64) -> ContinuousClock.Instant {
        start + .seconds(Double(offset - startOffset) / Double(bytesPerSecond))
    }

    /// Restarts the schedule at an offset, so that the wait before it is not made up for.
    mutating func restart(at offset: Int64, now: ContinuousClock.Instant = .now) {
        start = now
        startOffset = offset
    }

    /// Restarts the schedule if it is more than 250 ms late, so that a slow client does not get the backlog as a burst.
    mutating func forgiveDelay(at offset: Int64, now: ContinuousClock.Instant = .now) {
        if deadline(for: offset).duration(to: now) > .milliseconds(250) { restart(at: offset, now: now) }
    }
}
