import Foundation

extension URLError {
    private static let proxyKey = "NetworkQueueKitProxy"
    private static let refusalKey = "NetworkQueueKitProxyRefusal"

    /// Host and port of the proxy that an exchange has failed at before it reached a server, without credentials; empty
    /// where they cannot be told, `nil` where it has not failed at a proxy.
    var failedProxy: String? { errorUserInfo[Self.proxyKey] as? String }

    /// Whether that proxy has refused the name or the password that it was given.
    var isProxyCredentialRefused: Bool { errorUserInfo[Self.refusalKey] != nil }

    /// The entries for `userInfo` that tell of it.
    static func userInfo(failedProxy: String?, refusesCredential: Bool = false) -> [String: Any] {
        guard let failedProxy else { return [:] }
        return refusesCredential ? [proxyKey: failedProxy, refusalKey: true] : [proxyKey: failedProxy]
    }
}
