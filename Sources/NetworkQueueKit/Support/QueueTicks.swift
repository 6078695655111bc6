/// A moment in tenths of a millisecond, in four bytes, for what every waiting request keeps: times up to five days apart can be told.
struct QueueTicks: Sendable {
    private static let length = Duration.microseconds(100)

    private let count: UInt32

    /// - Parameter time: by a queue's clock.
    init(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        count = UInt32(truncatingIfNeeded: seconds &* 10_000 &+ attoseconds / 100_000_000_000_000)
    }

    /// The time from this moment to a later one.
    func duration(to later: Duration) -> Duration {
        // The counts begin anew after five days.
        Self.length * Int(QueueTicks(later).count &- count)
    }
}
