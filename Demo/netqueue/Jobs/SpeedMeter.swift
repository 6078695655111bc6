/// How fast one transfer is at the moment.
struct SpeedMeter {
    /// From one measurement to the next; in less time chance counts for too much.
    private static let interval = Duration.seconds(1)

    private var start: (bytes: Int64, time: ContinuousClock.Instant)?
    private var latest: Double?

    /// The speed in bytes a second, over the last second or so; `nil` until the first one is over.
    mutating func rate(bytes: Int64, now: ContinuousClock.Instant) -> Double? {
        guard let start, bytes >= start.bytes else {
            self.start = (bytes, now)
            latest = nil
            return nil
        }
        let time = now - start.time
        guard time >= Self.interval else { return latest }
        let current = Double(bytes - start.bytes) / (time / .seconds(1))
        latest = latest.map { ($0 + current) / 2 } ?? current
        self.start = (bytes, now)
        return latest
    }
}
