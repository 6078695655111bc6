import Foundation

/// Texts without the credential that was refused.
extension AuthenticationChallenge: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme, the host and the realm, such as `basic challenge of example.com for “realm”`.
    public var description: String {
        let place = isProxy ? "the proxy" : url.host() ?? "the server"
        return "\(scheme) challenge of \(place) for “\(realm)”"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// What `dump` shows: everything but the name and the password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "scheme": scheme, "realm": realm, "url": url.printable, "isProxy": isProxy,
                "previousFailureCount": previousFailureCount,
                "rejectedCredential": rejectedCredential.map { _ in "<hidden>" } as Any, "response": response,
            ], displayStyle: .struct)
    }
}
