extension TLSFault {
    /// Interprets libcurl's message, which is mostly that of OpenSSL or GnuTLS; fails if it says nothing.
    ///
    /// - Parameter hasClientCertificate: whether the client has a certificate. Without one, any complaint of a server
    ///   about it means that the server requires one; servers written in Go then say `bad certificate`.
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

    /// Interprets the alert with which a server has ended a session; `nil` if the message names no known alert.
    static func alert(in words: String, hasClientCertificate: Bool) -> TLSFault? {
        let words = words.lowercased()
        if requirements.contains(where: words.contains) { return .clientCertificateRequired }
        if let entry = refusals.first(where: { words.contains($0.fragment) }) {
            return hasClientCertificate ? .clientCertificateRefused(because: entry.reason) : .clientCertificateRequired
        }
        if unspecified.contains(where: words.contains) { return .refused(hasClientCertificate: hasClientCertificate) }
        return nil
    }

    /// Whether the message for a failed handshake reports the end of the connection: the server has neither sent an alert
    /// nor a certificate that was refused.
    static func isCut(_ words: String) -> Bool {
        let words = words.lowercased()
        return cuts.contains(where: words.contains)
    }

    /// The system's words, those of OpenSSL before and since version 3, and those of GnuTLS.
    private static let cuts = [
        "connection reset", "broken pipe", "connection abort", "connection timed out", "ssl_error_syscall",
        "unexpected eof while reading", "non-properly terminated", "error in the pull function",
        "error in the push function",
    ]

    // OpenSSL's messages for an alert begin with `alert`; the others are those of GnuTLS.

    private static let requirements = ["alert certificate required", "certificate is required"]

    private static let refusals: [(fragment: String, reason: String?)] = [
        ("alert unknown ca", "it does not know the authority that issued it"),
        ("ca is unknown", "it does not know the authority that issued it"),
        ("alert certificate expired", "it has expired"), ("certificate is expired", "it has expired"),
        ("alert certificate revoked", "it has been revoked"), ("certificate was revoked", "it has been revoked"),
        ("alert unsupported certificate", "its type is not supported"),
        ("certificate is not supported", "its type is not supported"),
        ("alert access denied", "access was denied"), ("access was denied", "access was denied"),
        ("alert bad certificate", nil), ("certificate is bad", nil),
        ("alert certificate unknown", nil), ("unknown certificate", nil),
    ]

    /// GnuTLS does not name the alert once the client has finished the handshake. With TLS 1.3 the server checks the
    /// client's certificate only after that.
    private static let unspecified = [
        "alert handshake failure", "gnutls_handshake() failed: handshake failed",
        "a tls fatal alert has been received",
    ]

    /// More specific fragments come first.
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
