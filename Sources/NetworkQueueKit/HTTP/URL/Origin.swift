import Foundation
import Synchronization

/// The scheme, host and port of an http(s) URL (RFC 6454), which bound the use of credentials.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

/// A set of origins with a known property. When it is full, all are forgotten. Thread-safe.
final class RememberedOrigins: Sendable {
    private static let capacity = 1024
    private let origins = Guarded<Set<Origin>>([])
    /// Usually there are none, and computing the origin of a URL takes microseconds on Linux.
    private let isEmpty = Atomic(true)

    func insert(_ url: URL) {
        guard let origin = Origin(url) else { return }
        origins.withLock { origins in
            if origins.count >= Self.capacity { origins = [] }
            origins.insert(origin)
        }
        isEmpty.store(false, ordering: .releasing)
    }

    /// Returns whether the origin of `url` is in the set.
    func contains(_ url: URL?) -> Bool {
        guard !isEmpty.load(ordering: .acquiring), let origin = url.flatMap(Origin.init) else { return false }
        return origins.withLock { $0.contains(origin) }
    }
}
