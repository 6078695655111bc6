/// Measures the current speed of a transfer.
struct SpeedMeter {
    /// The time between two measurements; shorter ones would fluctuate too much.
    private static let interval = Duration.seconds(1)

    private var start: (bytes: Int64, time: ContinuousClock.Instant)?
    private var latest: Double?

    /// The speed in bytes per second over about the last second; `nil` during the first second.
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
