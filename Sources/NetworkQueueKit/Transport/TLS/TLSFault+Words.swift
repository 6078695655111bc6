extension TLSFault {
    /// Tells a fault from libcurl's words for it, which are mostly those of OpenSSL or GnuTLS; `nil` where they tell
    /// nothing.
    ///
    /// - Parameter hasClientCertificate: whether the client could show a certificate. Without one, every complaint of a
    ///   server about it means that it wants one: Go's say `bad certificate` then.
    init?(words: String, hasClientCertificate: Bool) {
        let words = words.lowercased()
        if let fault = Self.alert(in: words, hasClientCertificate: hasClientCertificate) {
            self = fault
        } else if let entry = Self.meanings.first(where: { words.contains($0.fragment) }) {
            self = entry.fault
        } else {
            return nil
        }
    }

    /// Tells a fault from the alert with which a server has ended a session; `nil` where the message names no alert
    /// that is known.
    static func alert(in words: String, hasClientCertificate: Bool) -> TLSFault? {
        let words = words.lowercased()
        if requirements.contains(where: words.contains) { return .clientCertificateRequired }
        if let entry = refusals.first(where: { words.contains($0.fragment) }) {
            return hasClientCertificate ? .clientCertificateRefused(because: entry.reason) : .clientCertificateRequired
        }
        if unspecified.contains(where: words.contains) { return .refused(hasClientCertificate: hasClientCertificate) }
        return nil
    }

    // The words of OpenSSL for an alert begin with `alert`; the others are those of GnuTLS.

    private static let requirements = ["alert certificate required", "certificate is required"]

    private static let refusals: [(fragment: String, reason: String?)] = [
        ("alert unknown ca", "it does not know the authority that it comes from"),
        ("ca is unknown", "it does not know the authority that it comes from"),
        ("alert certificate expired", "it has expired"), ("certificate is expired", "it has expired"),
        ("alert certificate revoked", "it has been revoked"), ("certificate was revoked", "it has been revoked"),
        ("alert unsupported certificate", "it is of an unsupported kind"),
        ("certificate is not supported", "it is of an unsupported kind"),
        ("alert access denied", "it allows no access"), ("access was denied", "it allows no access"),
        ("alert bad certificate", nil), ("certificate is bad", nil),
        ("alert certificate unknown", nil), ("unknown certificate", nil),
    ]

    /// GnuTLS does not tell which alert it was once the handshake is over for the client; with TLS 1.3 that is when a
    /// server looks at the client's certificate.
    private static let unspecified = [
        "alert handshake failure", "gnutls_handshake() failed: handshake failed",
        "a tls fatal alert has been received",
    ]

    /// The more precise fragments first.
    private static let meanings: [(fragment: String, fault: TLSFault)] = [
        ("alert protocol version", .noCommonVersion), ("error in protocol version", .noCommonVersion),
        ("unsupported protocol", .noCommonVersion), ("no protocols available", .noCommonVersion),
        ("unsupported version was received", .noCommonVersion),
        ("wrong version number", .notTLS), ("unexpected tls packet", .notTLS), ("packet length too long", .notTLS),
        ("http request", .notTLS),
        ("alternative certificate subject name", .wrongHost), ("certificate subject name", .wrongHost),
        ("hostname mismatch", .wrongHost),
        ("certificate has expired", .expired),
        ("certificate is not yet valid", .notYetValid),
        ("self-signed certificate in certificate chain", .unknownAuthority),
        ("self signed certificate in certificate chain", .unknownAuthority),
        ("self-signed certificate", .selfSigned), ("self signed certificate", .selfSigned),
        ("unable to get local issuer certificate", .unknownAuthority),
        ("unable to get issuer certificate", .unknownAuthority),
        ("unable to verify the first certificate", .unknownAuthority),
        ("certificate revoked", .revoked),
        ("key too small", .weak), ("md too weak", .weak), ("key too weak", .weak),
        ("setting certificate verify locations", .trustedCertificatesUnusable(path: nil)),
        ("setting certificate file", .trustedCertificatesUnusable(path: nil)),
        ("adding trust anchors", .trustedCertificatesUnusable(path: nil)),
    ]
}
