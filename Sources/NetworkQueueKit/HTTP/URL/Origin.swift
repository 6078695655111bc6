import Foundation

/// The scheme, host and port of an http(s) URL (RFC 6454), which bound the use of credentials.
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
