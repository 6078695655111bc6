import Foundation

extension URLError {
    private static let proxyKey = "NetworkQueueKitProxy"

    /// Host and port of the proxy that an exchange has failed at before it reached a server, without credentials; empty where they
    /// cannot be told, `nil` where it has not failed at a proxy.
    var failedProxy: String? { errorUserInfo[Self.proxyKey] as? String }

    /// The entries for `userInfo` that tell of it.
    static func userInfo(failedProxy: String?) -> [String: Any] {
        failedProxy.map { [proxyKey: $0] } ?? [:]
    }
}
