import Foundation

/// Texts without the credential that was refused.
extension AuthenticationChallenge: CustomStringConvertible {
    /// The scheme, the host and the realm, such as `basic challenge of example.com for “realm”`.
    public var description: String {
        let place = isProxy ? "the proxy" : url.host() ?? "the server"
        return "\(scheme) challenge of \(place) for “\(realm)”"
    }
}
