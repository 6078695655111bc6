import Foundation

extension NetworkError {
    /// Whether the connection was lost during the TLS handshake, so that nothing of the request was sent.
    var isHandshakeCut: Bool { (underlying as? URLError)?.isHandshakeCut == true }
}

extension URLError {
    private static let proxyKey = "NetworkQueueKitProxy"
    private static let handshakeKey = "NetworkQueueKitHandshakeCut"
    private static let refusalKey = "NetworkQueueKitProxyRefusal"

    /// The host and port, without credentials, of the proxy at which an exchange failed before it reached the server;
    /// empty if they are unknown, `nil` if it did not fail at a proxy.
    var failedProxy: String? { errorUserInfo[Self.proxyKey] as? String }

    /// Whether the proxy refused the user name or the password.
    var isProxyCredentialRefused: Bool { errorUserInfo[Self.refusalKey] != nil }

    /// Whether the connection was lost during the TLS handshake.
    var isHandshakeCut: Bool { errorUserInfo[Self.handshakeKey] != nil }

    static func userInfo(isHandshakeCut: Bool) -> [String: Any] { isHandshakeCut ? [handshakeKey: true] : [:] }

    /// Returns the `userInfo` entries for a failure at a proxy.
    static func userInfo(failedProxy: String?, refusesCredential: Bool = false) -> [String: Any] {
        guard let failedProxy else { return [:] }
        return refusesCredential ? [proxyKey: failedProxy, refusalKey: true] : [proxyKey: failedProxy]
    }
}
