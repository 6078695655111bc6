/// A token bucket that serves its users in order.
///
/// It counts the bytes allowed and the bytes moved since the start. A user that moves bytes receives the total moved so
/// far as its mark, and may continue once that many bytes are allowed. So users continue in order, even if others stop
/// or the limit changes. Times are measured from any fixed moment.
struct TokenBucket {
    /// How much idle time, in seconds, can be made up for: enough for a timer that fires late, too little for a burst.
    static let slack = 0.05

    /// The limit in bytes per second; `nil` means no limit.
    private(set) var rate: Double?
    private var charged: Int64 = 0
    private var allowed = 0.0
    private var latest = Duration.zero

    /// Changes the limit from `now` on. Rates below 1 byte per second are treated as 1.
    mutating func setRate(_ bytesPerSecond: Int?, now: Duration) {
        advance(to: now)
        rate = bytesPerSecond.map { Double(max($0, 1)) }
        // Without a limit, users need not wait for bytes already moved.
        if rate == nil { allowed = max(allowed, Double(charged)) }
    }

    /// Charges bytes that were moved, and returns the mark to wait for before moving more. O(1).
    mutating func charge(_ byteCount: Int, now: Duration) -> Int64 {
        advance(to: now)
        charged = charged.addingSaturated(Int64(byteCount))
        if rate == nil { allowed = Double(charged) }
        return charged
    }

    /// Returns how long it takes to reach `mark` at the current rate; zero if it is reached. O(1).
    mutating func delay(until mark: Int64, now: Duration) -> Duration {
        advance(to: now)
        guard let rate else { return .zero }
        let missing = Double(mark) - allowed
        return missing > 0 ? .seconds(missing / rate) : .zero
    }

    private mutating func advance(to now: Duration) {
        guard now > latest else { return }
        if let rate { allowed = min(allowed + rate * (now - latest).seconds, Double(charged) + rate * Self.slack) }
        latest = now
    }
}
