import Foundation

extension TransportConfiguration: CustomReflectable {
    /// What `print` and `dump` show: all settings, the proxy without name and password, a client certificate without the password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "connectTimeout": connectTimeout, "idleTimeout": idleTimeout, "totalTimeout": totalTimeout as Any,
                "trustedCertificatesFile": trustedCertificatesFile?.path(percentEncoded: false) as Any,
                "clientCertificate": clientCertificate as Any, "minTLSVersion": minTLSVersion,
                "allowsIncompleteTLSClose": allowsIncompleteTLSClose,
                "proxy": proxy?.absoluteString.withoutProxyUserInformation as Any, "httpVersion": httpVersion,
                "maxConnections": maxConnections as Any,
                "maxConnectionIdleTime": maxConnectionIdleTime, "userAgent": userAgent,
            ], displayStyle: .struct)
    }
}
