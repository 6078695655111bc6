import Foundation

/// Texts without the name and the password in the proxy's URL, and without that of a key.
extension TransportConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private var children: KeyValuePairs<String, Any> {
        [
            "connectTimeout": connectTimeout, "idleTimeout": idleTimeout, "totalTimeout": totalTimeout as Any,
            "trustedCertificatesFile": trustedCertificatesFile?.path(percentEncoded: false) as Any,
            "clientCertificate": clientCertificate as Any, "minTLSVersion": minTLSVersion,
            "allowsIncompleteTLSClose": allowsIncompleteTLSClose,
            "proxy": proxy?.absoluteString.withoutProxyUserInformation as Any, "httpVersion": httpVersion,
            "maxConnections": maxConnections as Any,
            "maxConnectionIdleTime": maxConnectionIdleTime, "userAgent": userAgent,
        ]
    }

    /// All settings, the proxy without name and password, a client certificate without the password.
    public var description: String {
        "TransportConfiguration(" + children.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + ")"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// What `dump` shows: the same.
    public var customMirror: Mirror { Mirror(self, children: children, displayStyle: .struct) }
}
