/// What a request's failed attempts mean for the next.
struct RetryCount: Sendable {
    /// From this size on, content counts: received, as progress; sent, as too much to send often.
    static let largeSize: Int64 = 1 << 20

    /// How many retries count against the maximum.
    private(set) var used = 0
    /// How many attempts in a row have not reached the origin.
    private(set) var unreachedCount = 0
    /// When the first of these failed.
    private var unreachedStart: Duration?
    /// The statuses that large content was answered with.
    private var uploadStatuses: Set<Int> = []
    /// How far any attempt has come.
    private var farthest: Int64 = 0

    /// Counts a retry.
    mutating func count() {
        used += 1
        unreachedCount = 0
        unreachedStart = nil
    }

    /// Counts an attempt that has not reached the origin.
    ///
    /// - Parameter start: since when others have not reached it, either.
    /// - Returns: for how long it has been out of reach. Not less than for this request, even if others get through: a
    ///   server that hangs up on one request alone must not be asked for ever.
    mutating func countUnreached(since start: Duration, at now: Duration) -> Duration {
        let ownStart = unreachedStart ?? now
        unreachedCount += 1
        unreachedStart = ownStart
        return now - min(start, ownStart)
    }

    /// Notes how far an attempt of a download has come that the next one can continue. All retries are there again if it
    /// has come on by 1 MiB; a server that starts over each time makes no progress.
    mutating func noteProgress(from resumed: Int64, to received: Int64) {
        let former = max(farthest, resumed)
        farthest = max(former, received)
        guard received - former >= Self.largeSize else { return }
        used = 0
        unreachedCount = 0
        unreachedStart = nil
    }

    /// Notes that large content was answered with a status; returns whether that is the first time.
    mutating func noteUpload(answeredWith status: Int) -> Bool {
        uploadStatuses.insert(status).inserted
    }
}
