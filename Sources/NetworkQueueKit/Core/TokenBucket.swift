/// How many bytes a limit has allowed so far, and in which order: a token bucket whose users are queued.
///
/// It counts the bytes that have been allowed and the bytes that have been moved, from the beginning. A user that moves
/// some is given the number moved so far as a mark, and may go on when so many have been allowed: behind those that
/// came before, whatever becomes of them and of the limit meanwhile. Time is a parameter, since any fixed moment.
struct TokenBucket {
    /// How long a time of idleness can be made up for: long enough for a timer that fires late, too short for a burst.
    static let slack = 0.05

    /// Bytes per second; `nil` means no limit.
    private(set) var rate: Double?
    private var charged: Int64 = 0
    private var allowed = 0.0
    private var latest = Duration.zero

    /// Changes the limit from `now` on. Rates below one byte per second count as that.
    mutating func setRate(_ bytesPerSecond: Int?, now: Duration) {
        advance(to: now)
        rate = bytesPerSecond.map { Double(max($0, 1)) }
        // Without a limit nothing is owed.
        if rate == nil { allowed = max(allowed, Double(charged)) }
    }

    /// Notes bytes that were moved and returns the mark that has to be waited for before more is moved. O(1).
    mutating func charge(_ byteCount: Int, now: Duration) -> Int64 {
        advance(to: now)
        charged += Int64(byteCount)
        if rate == nil { allowed = Double(charged) }
        return charged
    }

    /// How long it is until `mark` at the present rate; zero when it has been reached. O(1).
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
