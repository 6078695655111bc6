/// Measures the current speed of a transfer: its mean over the last seconds.
///
/// Meters that are asked at the same moments agree: the speeds of all transfers add up to the speed of the total. A mean
/// that fades out, like the library's, would show for ten seconds and more what has ended.
struct SpeedMeter {
    private static let window = Duration.seconds(5)
    /// A shorter measurement would fluctuate too much.
    private static let shortest = Duration.seconds(1)

    private var samples: [(bytes: Int64, time: ContinuousClock.Instant)] = []

    /// Records the number of bytes at `now`, and returns the speed in bytes per second; `nil` during the first second,
    /// and during a second after the number has decreased.
    mutating func rate(bytes: Int64, now: ContinuousClock.Instant) -> Double? {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        samples.append((bytes, now))
        while samples.count > 2, now - samples[0].time > Self.window { samples.removeFirst() }
        let (start, time) = (samples[0].bytes, now - samples[0].time)
        return time >= Self.shortest ? Double(bytes - start) / (time / .seconds(1)) : nil
    }
}
