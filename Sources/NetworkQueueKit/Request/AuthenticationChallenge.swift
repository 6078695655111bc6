import Foundation

/// A demand for a user name and a password from a server or a proxy (RFC 9110, section 11).
public struct AuthenticationChallenge: Sendable {
    /// The authentication scheme: how the user name and the password are sent.
    public enum Scheme: Sendable, Hashable {
        /// The password is sent in the clear (RFC 7617).
        case basic
        /// The password is sent hashed, with MD5, SHA-256 or their session variants (RFC 7616).
        case digest
    }

    /// The scheme in which the credential will be sent.
    public let scheme: Scheme
    /// The protection space, as the server names it; empty if the server sends no realm.
    public let realm: String
    /// The URL of the request that was challenged.
    public var url: URL { secretURL.value }
    private let secretURL: Secret<URL>
    /// Whether the challenge comes from a proxy rather than from the server.
    public let isProxy: Bool
    /// The number of credentials already refused for this realm; 0 for the first challenge.
    public let previousFailureCount: Int
    /// The credential that was last refused; `nil` if none has been sent.
    public var rejectedCredential: URLCredential? { secretCredential?.value }
    private let secretCredential: Secret<URLCredential>?
    /// The head of the response with the challenge: status 401, or 407 from a proxy.
    public let response: ResponseHead

    /// Creates a challenge, for use in previews and tests.
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

/// Descriptions leave out the refused credential.
extension AuthenticationChallenge: CustomStringConvertible {
    /// The scheme, the host and the realm, such as `basic challenge of example.com for “realm”`.
    public var description: String {
        let place = isProxy ? "the proxy" : url.host() ?? "the server"
        return "\(scheme) challenge of \(place) for “\(realm)”"
    }
}
