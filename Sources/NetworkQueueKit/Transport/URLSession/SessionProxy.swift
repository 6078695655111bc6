import Foundation

#if canImport(Network)
    import Network
#endif

/// A configuration's proxy in the form for a session.
struct SessionProxy: Equatable {
    enum Kind { case http, https, socks }

    let kind: Kind
    let host: String
    let port: UInt16
    let user: String?
    let password: String?

    /// Fails if a session cannot use the proxy.
    init?(_ url: URL) {
        switch url.scheme?.lowercased() {
        case "http": kind = .http
        case "https": kind = .https
        // Apple's sessions let the proxy resolve all names.
        case "socks5", "socks5h": kind = .socks
        default: return nil
        }
        guard let host = url.host(percentEncoded: false), !host.isEmpty,
            let port = UInt16(exactly: url.port ?? (kind == .https ? 443 : 1080))
        else { return nil }
        self.host = host
        self.port = port
        user = url.user(percentEncoded: false)
        password = url.password(percentEncoded: false)
    }

    #if canImport(Network)
        /// Makes a session use the proxy.
        func apply(to session: URLSessionConfiguration) {
            guard let port = NWEndpoint.Port(rawValue: port) else { return }
            let endpoint = NWEndpoint.hostPort(host: NWEndpoint.Host(host), port: port)
            var proxy =
                switch kind {
                case .http: ProxyConfiguration(httpCONNECTProxy: endpoint, tlsOptions: nil)
                case .https: ProxyConfiguration(httpCONNECTProxy: endpoint, tlsOptions: NWProtocolTLS.Options())
                case .socks: ProxyConfiguration(socksv5Proxy: endpoint)
                }
            if let user { proxy.applyCredential(username: user, password: password ?? "") }
            session.proxyConfigurations = [proxy]
        }
    #endif
}
