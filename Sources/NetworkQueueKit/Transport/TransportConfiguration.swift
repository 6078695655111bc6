import Foundation

/// The connection settings of a transport. Changing a configuration does not change transports made from it.
///
/// ``DefaultTransport/make(_:)`` creates a transport that honors all settings, or throws an error that names the one it
/// does not support. <doc:TransportSecurity> describes the TLS settings.
public struct TransportConfiguration: Sendable, Hashable {
    /// The HTTP version to ask a server for.
    public enum HTTPVersionPreference: Sendable, Hashable {
        /// HTTP/2 if the server offers it over TLS, otherwise HTTP/1.1.
        ///
        /// libcurl before 8.7 also uses HTTP/1.1 for uploads of more than 64 KiB, because it would lose an early
        /// response, and through an `https` proxy, because it would stall.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/3 if the server supports it, otherwise as with `.automatic`. Not used through a proxy.
        ///
        /// ``CurlTransport`` needs libcurl 7.88 or later, built with HTTP/3, which few systems have. On Apple platforms
        /// `URLSession` decides, and is told that the server supports HTTP/3.
        case http3
    }

    /// A version of TLS. Earlier versions are insecure (RFC 8996) and never used.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// The longest time to resolve a name and connect, including TLS. Default 15 s. Each timeout must be more than 0.
    public var connectTimeout: Duration = .seconds(15)
    /// The longest silence from a server. Default 60 s. A request's own ``NetworkRequest/idleTimeout`` takes
    /// precedence.
    public var idleTimeout: Duration = .seconds(60)
    /// The longest time for one exchange, from connecting to the last byte; `nil`, the default, means no limit.
    public var totalTimeout: Duration?
    /// A PEM file of certificate authorities to trust instead of the system's, for servers and for an `https` proxy.
    public var trustedCertificatesFile: URL?
    /// The certificate sent to servers that request one; `nil`, the default, sends none. Every server that requests a
    /// certificate gets it; a proxy does not.
    public var clientCertificate: ClientCertificate?
    /// The minimum version of TLS, for servers and for an `https` proxy. Default `.tls12`.
    public var minTLSVersion: TLSVersion = .tls12
    /// The public keys that servers may have; empty, the default, allows any.
    ///
    /// Each is `sha256//` and the Base64 of the SHA-256 of the key (SubjectPublicKeyInfo in DER), as for curl's
    /// `--pinnedpubkey`. The certificate must be trusted as well. A server with another key fails the request with
    /// `.tlsFailure`. `URLSessionTransport` does not support this.
    public var pinnedPublicKeys: Set<String> = []
    /// Whether a TLS connection may end without the closing alert. Default `false`.
    ///
    /// It matters if a response declares no length, so that the end of the connection is the end of the content.
    /// Without the alert there is no telling whether the server or an attacker has ended it (RFC 9112, section 9.8),
    /// and the request fails with `.connectionLost`. With `true` such content counts as complete.
    ///
    /// If libcurl uses another TLS library than OpenSSL, or an OpenSSL linked into it with hidden symbols, that library
    /// decides; so it does with `URLSessionTransport`. ``DefaultTransport/make(_:)`` then refuses `true`, except for a
    /// hidden OpenSSL.
    public var allowsIncompleteTLSClose = false
    /// The proxy for all requests; `nil`, the default, uses the proxies of the environment or the system. Whether the
    /// environment names any is checked when the transport's first exchange starts.
    ///
    /// The user name and password in the URL of an `http` or `https` proxy answer its 407, with Digest or Basic as it
    /// asks. They are not sent before it asks. If it refuses them, the delegate is asked. The credentials of the
    /// environment's proxies are sent with Basic for `http` URLs.
    public var proxy: URL?
    /// The HTTP version to ask for. Default `.automatic`.
    public var httpVersion: HTTPVersionPreference = .automatic
    /// How many connections are kept for reuse, at least 1. If more are in use, each surplus one is closed when its
    /// exchange ends.
    ///
    /// `nil`, the default, means with libcurl as many as were in use at once, and at least 128 if the limit for open
    /// files allows it.
    public var maxConnections: Int?
    /// How long an idle connection can be reused, in whole seconds, rounded up, at least 1. Default 118 s, as in
    /// libcurl.
    ///
    /// A server may close its side earlier. A request that is lost this way is sent again over a new connection if not
    /// one line of a response has come (RFC 9110, section 9.2.2; RFC 9112, section 9.3.1).
    public var maxConnectionIdleTime: Duration = .seconds(118)
    /// The `User-Agent` of requests that set none.
    public var userAgent: String = "NetworkQueueKit"

    /// Creates a configuration with the defaults.
    public init() {}

    /// Whether `proxy` speaks HTTP rather than SOCKS. Only an HTTP proxy asks for credentials with a challenge.
    var hasHTTPProxy: Bool {
        guard let scheme = proxy?.scheme else { return proxy != nil }
        return ["http", "https"].contains(scheme.lowercased())
    }

    /// The user name and password of an HTTP proxy; `nil` if its URL has none, or it is a SOCKS proxy.
    var proxyCredential: URLCredential? { hasHTTPProxy ? proxy?.credential : nil }

    /// The proxy without them; `nil` if it has none.
    var proxyWithoutCredential: URL? {
        guard proxyCredential != nil, let proxy,
            var parts = URLComponents(url: proxy, resolvingAgainstBaseURL: true)
        else { return nil }
        (parts.user, parts.password) = (nil, nil)
        return parts.url
    }
}

extension TransportConfiguration: CustomReflectable {
    /// Shows all settings, the proxy without user name and password, and the client certificate without its password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "connectTimeout": connectTimeout, "idleTimeout": idleTimeout, "totalTimeout": totalTimeout as Any,
                "trustedCertificatesFile": trustedCertificatesFile?.path(percentEncoded: false) as Any,
                "clientCertificate": clientCertificate as Any, "minTLSVersion": minTLSVersion,
                "pinnedPublicKeys": pinnedPublicKeys.sorted(),
                "allowsIncompleteTLSClose": allowsIncompleteTLSClose,
                "proxy": proxy?.absoluteString.withoutProxyUserInformation as Any, "httpVersion": httpVersion,
                "maxConnections": maxConnections as Any,
                "maxConnectionIdleTime": maxConnectionIdleTime, "userAgent": userAgent,
            ], displayStyle: .struct)
    }
}

/// A transport of the library.
protocol ConfiguredTransport: Transport {
    var configuration: TransportConfiguration { get }
    /// Whether the server was lately seen to send content after the head of a response to a HEAD: at this path, or at
    /// three others. Each HEAD then costs a connection, and late content may corrupt the next response.
    func sendsContentAfterHead(_ url: URL) -> Bool
}

extension ConfiguredTransport {
    func sendsContentAfterHead(_ url: URL) -> Bool { false }
}

/// Underlies a ``NetworkError`` with ``NetworkError/Code/unsupportedConfiguration``, for a setting that a transport
/// does not support.
package struct UnsupportedConfiguration: Error, LocalizedError {
    /// What `reason` is about, if that does not say it: the beginning of its sentence.
    package var subject: String?
    /// One or two sentences for people: which setting, why it is not supported, and what to do.
    package let reason: String

    package var errorDescription: String? { (subject.map { "\($0) " } ?? "") + reason }
}

extension NetworkError {
    /// The error for a configuration that is not supported.
    static func unsupported(_ reason: String) -> NetworkError { unsupported(UnsupportedConfiguration(reason: reason)) }

    static func unsupported(_ fault: UnsupportedConfiguration) -> NetworkError {
        NetworkError(.unsupportedConfiguration, underlying: fault)
    }
}

/// A certificate that identifies a client to servers (mutual TLS), and its private key, as files.
///
/// The files are read for each connection, so a replaced file applies to connections made afterwards.
public struct ClientCertificate: Sendable, Hashable {
    /// A PEM file with the certificate, followed by the intermediate certificates that lead to its authority.
    public var certificateFile: URL
    /// A PEM file with the certificate's private key. It may be the same file.
    public var keyFile: URL
    /// The password of an encrypted key; `nil` if the key is not encrypted. Descriptions hide it.
    public var password: String? {
        get { secretPassword?.value }
        set { secretPassword = newValue.map { Secret($0) } }
    }
    private var secretPassword: Secret<String>?

    /// Creates a client certificate. The files are not read yet.
    ///
    /// - Parameters:
    ///   - certificateFile: a PEM file with the certificate.
    ///   - keyFile: a PEM file with its key; `nil`, the default, means that `certificateFile` contains the key, too.
    ///   - password: the password of the key, if it is encrypted.
    public init(certificateFile: URL, keyFile: URL? = nil, password: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile ?? certificateFile
        self.password = password
    }
}
