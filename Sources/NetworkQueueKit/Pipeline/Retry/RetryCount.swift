import Synchronization

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

    /// Notes how far an attempt of a download has come that the next one can continue. All retries are there again if
    /// it has come on by 1 MiB; a server that starts over each time makes no progress.
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

/// The origins that the requests of a queue cannot reach, and since when.
final class OutageRecord: Sendable {
    private struct Outage {
        let start: Duration
        var latest: Duration
    }

    /// How many origins are kept; beyond it the one is dropped whose latest failure is the oldest.
    static let capacity = 256
    /// An outage is forgotten after this time without a failure: that of the morning says nothing about the evening.
    static let lifetime = Duration.seconds(300)

    private let outages = Guarded<[Origin: Outage]>([:])
    /// Every response asks for it, so it must cost nothing.
    private let hasOutages = Atomic(false)

    /// Whether all origins can be reached.
    var isEmpty: Bool { !hasOutages.load(ordering: .acquiring) }

    /// Notes that an origin could not be reached; returns when that began.
    func noteFailure(of origin: Origin, at now: Duration) -> Duration {
        withOutages { outages in
            let known = outages[origin].flatMap { now - $0.latest < Self.lifetime ? $0 : nil }
            if outages[origin] == nil, outages.count >= Self.capacity,
                let oldest = outages.min(by: { $0.value.latest < $1.value.latest })
            {
                outages[oldest.key] = nil
            }
            let start = known?.start ?? now
            outages[origin] = Outage(start: start, latest: now)
            return start
        }
    }

    /// Notes that an origin has answered.
    func noteResponse(of origin: Origin) {
        withOutages { $0[origin] = nil }
    }

    private func withOutages<Result>(_ body: (inout [Origin: Outage]) -> sending Result) -> sending Result {
        outages.withLock { outages in
            defer { hasOutages.store(!outages.isEmpty, ordering: .releasing) }
            return body(&outages)
        }
    }
}
