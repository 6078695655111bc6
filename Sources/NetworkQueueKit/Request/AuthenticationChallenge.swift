import Foundation

/// A server's or a proxy's demand for a name and a password (RFC 9110, section 11).
public struct AuthenticationChallenge: Sendable {
    /// How the name and the password are sent.
    public enum Scheme: Sendable, Hashable {
        /// In the clear (RFC 7617).
        case basic
        /// Hashed, with MD5, SHA-256 or their session variants (RFC 7616).
        case digest
    }

    /// How the credential will be sent.
    public let scheme: Scheme
    /// What the demand is for, in the server's words; empty when it does not say.
    public let realm: String
    /// The URL that was asked for.
    public var url: URL { secretURL.value }
    private let secretURL: Secret<URL>
    /// Whether a proxy asks, rather than the server.
    public let isProxy: Bool
    /// How many credentials have been refused for this realm: 0 for the first question.
    public let previousFailureCount: Int
    /// The credential that was refused; `nil` when there has been none.
    public var rejectedCredential: URLCredential? { secretCredential?.value }
    private let secretCredential: Secret<URLCredential>?
    /// The head of the response that made the demand: 401, or 407 of a proxy.
    public let response: ResponseHead

    /// Creates a challenge by hand, for a preview or a test.
    public init(
        scheme: Scheme, realm: String, url: URL, isProxy: Bool = false, previousFailureCount: Int = 0,
        rejectedCredential: URLCredential? = nil, response: ResponseHead
    ) {
        self.scheme = scheme
        self.realm = realm
        secretURL = Secret(url)
        self.isProxy = isProxy
        self.previousFailureCount = previousFailureCount
        secretCredential = rejectedCredential.map { Secret($0) }
        self.response = response
    }
}

/// Texts without the credential that was refused.
extension AuthenticationChallenge: CustomStringConvertible {
    /// The scheme, the host and the realm, such as `basic challenge of example.com for “realm”`.
    public var description: String {
        let place = isProxy ? "the proxy" : url.host() ?? "the server"
        return "\(scheme) challenge of \(place) for “\(realm)”"
    }
}
