import Foundation

/// What a transport needs to know about connections. A value: changing it does not change a transport made from it.
///
/// ``DefaultTransport/make(_:)`` makes a transport that honours all of it, or says what it cannot honour.
/// <doc:TransportSecurity> tells of the settings of TLS.
public struct TransportConfiguration: Sendable, Hashable {
    /// Which HTTP version to ask a server for.
    public enum HTTPVersionPreference: Sendable, Hashable {
        /// HTTP/2 where the server offers it over TLS, HTTP/1.1 elsewhere; and with libcurl before 8.7 for uploads of
        /// more than 64 KiB, of which it would lose an early answer, and through an `https` proxy, where it would
        /// stall.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/3 where the server answers in it, else as with `.automatic`. Not through a proxy.
        ///
        /// With ``CurlTransport`` only where libcurl is 7.88 or later and built with HTTP/3, which few systems' is. On
        /// Apple platforms `URLSession` decides, and is told that the server can.
        case http3
    }

    /// A version of TLS. Earlier ones are not safe (RFC 8996) and never used.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// The longest time to resolve a name and connect, TLS included. Default 15 s.
    public var connectTimeout: Duration = .seconds(15)
    /// The longest silence from a server. Default 60 s. A request's own ``NetworkRequest/idleTimeout`` wins.
    public var idleTimeout: Duration = .seconds(60)
    /// The longest time for one exchange from connecting to the last byte; `nil`, the default, means none.
    public var totalTimeout: Duration?
    /// A PEM file of certificate authorities to trust instead of the system's, for servers and for an `https` proxy.
    public var trustedCertificatesFile: URL?
    /// The certificate that servers get which ask for one; `nil`, the default, means none. Every server that asks gets
    /// it, a proxy does not.
    public var clientCertificate: ClientCertificate?
    /// The earliest version of TLS to use, with servers and with an `https` proxy. Default `.tls12`.
    public var minTLSVersion: TLSVersion = .tls12
    /// The public keys that servers may have, as `sha256//` and the Base64 of the SHA-256 of the key
    /// (SubjectPublicKeyInfo in DER), which is what curl's `--pinnedpubkey` takes; empty, the default, means any.
    ///
    /// The certificate has to be trusted as well. A server with another key fails the request with `.tlsFailure`.
    /// `URLSessionTransport` cannot do it.
    public var pinnedPublicKeys: Set<String> = []
    /// Whether a connection over TLS (at least 1.2) may end without the closing alert. Default `false`.
    ///
    /// It matters where a response tells no length, so that its end is that of the connection: without the alert there
    /// is no telling whether the server or an attacker has ended it (RFC 9112, section 9.8), and the request fails with
    /// `.connectionLost`. With `true` such content counts as whole. Where libcurl is built with another library than
    /// OpenSSL, or with one that is hidden in it, and with `URLSessionTransport`, that library decides:
    /// ``DefaultTransport/make(_:)`` refuses `true` there, but not with an OpenSSL that is hidden.
    public var allowsIncompleteTLSClose = false
    /// The proxy for all requests; `nil`, the default, means what the environment or the system says. Whether the
    /// environment names one at all is looked at when the transport's first exchange starts.
    ///
    /// Name and password of an `http` or `https` proxy's URL answer its 407, in Digest or Basic as it asks, and are not
    /// sent before it has asked. The delegate is asked when they are refused. Those of the environment's proxies are
    /// sent in Basic for `http` URLs.
    public var proxy: URL?
    /// Which HTTP version to ask for. Default `.automatic`.
    public var httpVersion: HTTPVersionPreference = .automatic
    /// How many connections are kept for reuse, at least 1; `nil`, the default, means with libcurl as many as have been
    /// in use at a time, and at least 128. Where more are in use than are kept, each is closed when its exchange is
    /// over.
    public var maxConnections: Int?
    /// How long a connection may have been idle and still be used again, in whole seconds, rounded up, at least 1.
    /// Default 118 s, libcurl's.
    ///
    /// A server may give up its side earlier: what is lost that way is sent again on a new connection, where the server
    /// cannot have begun to answer it (RFC 9110, section 9.2.2; RFC 9112, section 9.3.1).
    public var maxConnectionIdleTime: Duration = .seconds(118)
    /// The `User-Agent` of requests that bring none.
    public var userAgent: String = "NetworkQueueKit"

    /// Creates a configuration with the defaults.
    public init() {}

    /// Whether `proxy` is one that speaks HTTP itself, rather than SOCKS: only such a one asks for credentials in
    /// HTTP's way.
    var hasHTTPProxy: Bool {
        guard let scheme = proxy?.scheme else { return proxy != nil }
        return ["http", "https"].contains(scheme.lowercased())
    }

    /// The name and the password of a proxy that asks for them in HTTP's way; `nil` where its URL has none, or SOCKS
    /// gets them.
    var proxyCredential: URLCredential? { hasHTTPProxy ? proxy?.credential : nil }

    /// The proxy without them; `nil` where there are none.
    var proxyWithoutCredential: URL? {
        guard proxyCredential != nil, let proxy,
            var parts = URLComponents(url: proxy, resolvingAgainstBaseURL: true)
        else { return nil }
        (parts.user, parts.password) = (nil, nil)
        return parts.url
    }
}

extension TransportConfiguration: CustomReflectable {
    /// What `print` and `dump` show: all settings, the proxy without name and password, a client certificate without
    /// the password.
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

/// A transport of the library's own.
protocol ConfiguredTransport: Transport {
    var configuration: TransportConfiguration { get }
    /// Whether the origin of a URL has been seen to send content after the head of a response to HEAD: then each HEAD
    /// costs a connection, and what comes late may spoil what is sent next.
    func sendsContentAfterHead(_ url: URL) -> Bool
}

extension ConfiguredTransport {
    func sendsContentAfterHead(_ url: URL) -> Bool { false }
}

/// What a transport cannot do of what its configuration asks for; beneath a ``NetworkError`` with
/// ``NetworkError/Code/unsupportedConfiguration``.
struct UnsupportedConfiguration: Error, LocalizedError {
    /// A sentence or two for people: which value, why not, and what to do.
    let reason: String

    var errorDescription: String? { reason }
}

extension NetworkError {
    /// The error for a configuration that cannot be honoured.
    static func unsupported(_ reason: String) -> NetworkError {
        NetworkError(.unsupportedConfiguration, underlying: UnsupportedConfiguration(reason: reason))
    }
}

/// A certificate with which a client proves to servers who it is (mutual TLS), and the key to it, as files.
///
/// The files are read for each connection: one that is replaced counts for the connections after that.
public struct ClientCertificate: Sendable, Hashable {
    /// A PEM file with the certificate and, behind it, those that lead to its authority.
    public var certificateFile: URL
    /// A PEM file with the certificate's private key. It may be the same file.
    public var keyFile: URL
    /// What the key is encrypted with; `nil` when it is not encrypted. It is in no description.
    public var password: String? {
        get { secretPassword?.value }
        set { secretPassword = newValue.map { Secret($0) } }
    }
    private var secretPassword: Secret<String>?

    /// Creates the value. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - certificateFile: a PEM file with the certificate.
    ///   - keyFile: a PEM file with its key; `nil`, the default, means that it is in `certificateFile`, too.
    ///   - password: what the key is encrypted with, if it is.
    public init(certificateFile: URL, keyFile: URL? = nil, password: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile ?? certificateFile
        self.password = password
    }
}
