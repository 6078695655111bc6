import Foundation
import Synchronization

/// Scheme, host and port of an http(s) URL (RFC 6454): what credentials are valid for.
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

/// Origins about which something has been learned; when there are too many, all are forgotten. May be used from any
/// thread.
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
