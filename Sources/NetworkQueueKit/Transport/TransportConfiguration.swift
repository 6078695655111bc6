import Foundation

/// What a transport needs to know about connections. A value: changing it does not change a transport made from it.
public struct TransportConfiguration: Sendable, Hashable {
    /// Which HTTP version to ask a server for.
    public enum HTTPVersionPreference: Sendable, Hashable {
        /// HTTP/2 where the server offers it over TLS, HTTP/1.1 elsewhere.
        case automatic
        /// HTTP/1.1 only.
        case http1
    }

    /// The longest time to resolve a name and connect, TLS included. Default 15 s.
    public var connectTimeout: Duration = .seconds(15)
    /// The longest silence from a server. Default 60 s. A request's own ``NetworkRequest/timeout`` wins.
    public var idleTimeout: Duration = .seconds(60)
    /// The longest time for one exchange from connecting to the last byte; `nil`, the default, means none.
    public var totalTimeout: Duration?
    /// A PEM file of certificate authorities to trust instead of the system's, for servers and for an `https` proxy.
    public var trustedCertificatesFile: URL?
    /// Whether a connection over TLS (at least 1.2) may end without the closing alert. Default `false`.
    ///
    /// It matters where a response tells no length, so that its end is that of the connection: without the alert there is no
    /// telling whether the server or an attacker has ended it (RFC 9112, section 9.8), and the request fails with
    /// `.connectionLost`. With `true` such content counts as whole. Where libcurl is built with another library than OpenSSL, or
    /// with one that is hidden in it, and with `URLSessionTransport`, that library decides.
    public var allowsIncompleteTLSClose = false
    /// The proxy for all requests; `nil`, the default, means what the environment or the system says. Whether the environment
    /// names one at all is looked at when the transport's first exchange starts.
    public var proxy: URL?
    /// Which HTTP version to ask for. Default `.automatic`.
    public var httpVersion: HTTPVersionPreference = .automatic
    /// How many connections are kept for reuse; `nil`, the default, means 128 with libcurl.
    public var maximumConnections: Int?
    /// The `User-Agent` of requests that bring none.
    public var userAgent: String = "NetworkQueueKit"

    /// Creates a configuration with the defaults.
    public init() {}

    /// Whether `proxy` is one that speaks HTTP itself, rather than SOCKS: only such a one asks for credentials in HTTP's way.
    var hasHTTPProxy: Bool {
        guard let scheme = proxy?.scheme else { return proxy != nil }
        return ["http", "https"].contains(scheme.lowercased())
    }
}
