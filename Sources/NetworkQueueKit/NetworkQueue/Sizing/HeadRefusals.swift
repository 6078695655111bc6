import Foundation
import Synchronization

/// The origins that a queue sends no further HEADs, since an earlier one did harm or was left unanswered.
final class HeadRefusals: Sendable {
    private struct State {
        var origins: Set<Origin> = []
        /// How many fresh connections an origin has dropped on a HEAD.
        var losses: [Origin: Int] = [:]
    }

    /// More origins than that are not remembered.
    private static let capacity = 4096

    private let state = Guarded(State())
    /// Most queues meet none, and an origin takes microseconds to find on Linux.
    private let isEmpty = Atomic(true)

    /// Whether the origin of `url` is sent no HEADs.
    func contain(_ url: URL) -> Bool {
        guard !isEmpty.load(ordering: .acquiring), let origin = Origin(url) else { return false }
        return state.withLock { $0.origins.contains(origin) }
    }

    /// Sends the origin of `url` no further HEADs.
    func add(_ url: URL) {
        guard let origin = Origin(url) else { return }
        let hasAdded = state.withLock { state in
            guard state.origins.count < Self.capacity else { return false }
            return state.origins.insert(origin).inserted
        }
        if hasAdded { isEmpty.store(false, ordering: .releasing) }
    }

    /// Notes that the connection was lost on a HEAD; the second time refuses the origin.
    func noteLoss(_ url: URL) {
        guard let origin = Origin(url) else { return }
        let count = state.withLock { state in
            guard state.losses[origin] != nil || state.losses.count < Self.capacity else { return 0 }
            state.losses[origin, default: 0] += 1
            return state.losses[origin] ?? 0
        }
        if count >= 2 { add(url) }
    }
}
