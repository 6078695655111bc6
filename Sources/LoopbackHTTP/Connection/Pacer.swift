/// When which part of a body is due, so that it flows at a rate. Deadlines are absolute: late wake-ups do not add up.
struct Pacer {
    private let bytesPerSecond: Int64
    private var start: ContinuousClock.Instant
    private var startOffset: Int64 = 0

    /// Starts now, at the body's first byte.
    init(bytesPerSecond: Int64, now: ContinuousClock.Instant = .now) {
        self.bytesPerSecond = bytesPerSecond
        start = now
    }

    /// The bytes of a hundredth of a second, 1 at least and 64 KiB at most.
    var sliceSize: Int64 { min(max(1, bytesPerSecond / 100), 64 << 10) }

    /// When everything up to an offset may have been sent.
    func deadline(for offset: Int64) -> ContinuousClock.Instant {
        start + .seconds(Double(offset - startOffset) / Double(bytesPerSecond))
    }

    /// Starts again at an offset, after a wait that is not to be made up for.
    mutating func restart(at offset: Int64, now: ContinuousClock.Instant = .now) {
        start = now
        startOffset = offset
    }

    /// Starts again if the client has not kept up by a quarter of a second, lest it gets the backlog as a burst.
    mutating func forgiveDelay(at offset: Int64, now: ContinuousClock.Instant = .now) {
        if deadline(for: offset).duration(to: now) > .milliseconds(250) { restart(at: offset, now: now) }
    }
}
