import Synchronization

/// Counts a request's failed attempts to decide about the next one.
struct RetryCount: Sendable {
    /// The size from which content matters: received content as progress, sent content as too much to send repeatedly.
    static let largeSize: Int64 = 1 << 20

    /// The number of retries that count against the maximum.
    private(set) var used = 0
    /// The number of attempts in a row that did not reach the origin.
    private(set) var unreachedCount = 0
    /// When the first of these attempts failed. Time in which the request could not be sent is left out.
    private var unreachedStart: Duration?
    /// When the latest of these attempts failed.
    private var unreachedEnd = Duration.zero
    /// The statuses with which the server has answered large content.
    private var uploadStatuses: Set<Int> = []
    /// The farthest position that any attempt has reached.
    private var farthest: Int64 = 0

    /// Counts a retry.
    mutating func count() {
        used += 1
        unreachedCount = 0
        unreachedStart = nil
    }

    /// Counts an attempt that did not reach the origin.
    ///
    /// - Parameters:
    ///   - start: when other requests first failed to reach the origin.
    ///   - isRefused: whether no connection could be made. That is not the fault of this request, so its own count
    ///     starts again if the outage has begun since its latest attempt.
    /// - Returns: how long the origin has been unreachable. This is never less than for this request, even if others
    ///   get through: a server that hangs up only on this request must not be retried forever.
    mutating func countUnreached(since start: Duration, isRefused: Bool, at now: Duration) -> Duration {
        if isRefused, unreachedStart != nil, start > unreachedEnd {
            unreachedStart = nil
            unreachedCount = 0
        }
        let ownStart = unreachedStart ?? now
        unreachedCount += 1
        unreachedStart = ownStart
        unreachedEnd = now
        return now - min(start, ownStart)
    }

    /// Leaves out time in which the request could not be sent: it waited for a slot, or was paused.
    mutating func leaveOut(_ wait: Duration) {
        unreachedStart = unreachedStart.map { $0 + wait }
    }

    /// Notes how far an attempt of a resumable download has come. Progress of 1 MiB restores all retries. A server that
    /// starts over each time makes no progress.
    mutating func noteProgress(from resumed: Int64, to received: Int64) {
        let former = max(farthest, resumed)
        farthest = max(former, received)
        guard received - former >= Self.largeSize else { return }
        used = 0
        unreachedCount = 0
        unreachedStart = nil
    }

    /// Notes the status with which the server answered large content; returns whether it is new.
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

    /// The maximum number of origins. Beyond it, the one with the oldest latest failure is dropped.
    static let capacity = 256
    /// How long after its latest failure an outage is forgotten.
    static let lifetime = Duration.seconds(300)

    private let outages = Guarded<[Origin: Outage]>([:])
    /// Every response checks it without locking.
    private let hasOutages = Atomic(false)

    /// Whether no outage is recorded.
    var isEmpty: Bool { !hasOutages.load(ordering: .acquiring) }

    /// Notes that an origin could not be reached; returns when the outage began.
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
