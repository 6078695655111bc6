import Synchronization

/// The hosts that have answered 429 without a time, and how long they are held.
///
/// The first such answer holds a host for a second. Answers that come before the hold is over belong to the same round;
/// each further round doubles the hold, until the host accepts a request.
final class RefusalRecord: Sendable {
    private struct Refusal {
        /// How long the latest hold was; zero once the host has accepted a request.
        var hold: Duration
        var end: Duration
    }

    /// The maximum number of hosts. Beyond it, the one with the oldest hold is dropped.
    private static let capacity = 256
    /// The length of the first hold.
    private static let firstHold = Duration.seconds(1)
    /// No hold is longer, whatever policies allow, so that doubling cannot overflow.
    private static let maximumHold = Duration.seconds(86_400)

    private let refusals = Guarded<[String: Refusal]>([:])
    /// Every response checks it without locking.
    private let hasRefusals = Atomic(false)

    /// Whether no host is recorded.
    var isEmpty: Bool { !hasRefusals.load(ordering: .acquiring) }

    /// Notes a 429; returns for how long to hold the host.
    ///
    /// - Parameter limit: the longest hold that the policy allows.
    func noteRefusal(by host: String, at now: Duration, limit: Duration) -> Duration {
        withRefusals { refusals in
            let known = refusals[host]
            if let known, now < known.end { return known.end - now }
            if known == nil, refusals.count >= Self.capacity,
                let oldest = refusals.min(by: { $0.value.end < $1.value.end })
            {
                refusals[oldest.key] = nil
            }
            let former = known?.hold ?? .zero
            let hold = min(former > .zero ? former * 2 : Self.firstHold, limit, Self.maximumHold)
            refusals[host] = Refusal(hold: hold, end: now + hold)
            return hold
        }
    }

    /// Notes that a host has accepted a request.
    func noteAcceptance(by host: String, at now: Duration) {
        withRefusals { refusals in
            guard let refusal = refusals[host] else { return }
            // Until the end of the hold, refusals of requests that were sent before belong to its round.
            if refusal.end <= now { refusals[host] = nil } else { refusals[host]?.hold = .zero }
        }
    }

    private func withRefusals<Result>(_ body: (inout [String: Refusal]) -> sending Result) -> sending Result {
        refusals.withLock { refusals in
            defer { hasRefusals.store(!refusals.isEmpty, ordering: .releasing) }
            return body(&refusals)
        }
    }
}
