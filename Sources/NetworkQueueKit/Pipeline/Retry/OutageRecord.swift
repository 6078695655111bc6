import Synchronization

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
