import Foundation
import Synchronization

/// Origins about which something has been learned; when there are too many, all are forgotten. May be used from any thread.
final class RememberedOrigins: Sendable {
    private static let capacity = 1024
    private let origins = Guarded<Set<Origin>>([])
    /// Mostly there are none, and to find the origin of a URL takes microseconds on Linux.
    private let isEmpty = Atomic(true)

    func insert(_ url: URL) {
        guard let origin = Origin(url) else { return }
        origins.withLock { origins in
            if origins.count >= Self.capacity { origins = [] }
            origins.insert(origin)
        }
        isEmpty.store(false, ordering: .releasing)
    }

    /// Whether the origin of `url` is one of them.
    func contains(_ url: URL?) -> Bool {
        guard !isEmpty.load(ordering: .acquiring), let origin = url.flatMap(Origin.init) else { return false }
        return origins.withLock { $0.contains(origin) }
    }
}
