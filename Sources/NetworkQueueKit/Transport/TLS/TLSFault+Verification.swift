extension TLSFault {
    /// Interprets the number with which a TLS library judges a certificate; fails if that says nothing.
    ///
    /// - Parameters:
    ///   - verification: `CURLINFO_SSL_VERIFYRESULT`.
    ///   - library: the name and version of the TLS library. GnuTLS uses other numbers than OpenSSL and its relatives.
    init?(verification: Int, library: String) {
        let fault = library.hasPrefix("GnuTLS") ? Self.gnutls(verification) : Self.openssl(verification)
        guard let fault else { return nil }
        self = fault
    }

    /// Interprets an `X509_V_ERR_…` code.
    private static func openssl(_ result: Int) -> TLSFault? {
        switch result {
        case 9: .notYetValid
        case 10: .expired
        case 18: .selfSigned
        case 2, 19, 20, 21: .unknownAuthority
        case 23: .revoked
        case 62, 64: .wrongHost
        case 66, 67, 68: .weak
        default: nil
        }
    }

    /// Interprets a sum of `GNUTLS_CERT_…` flags. Faults of the certificate itself come before those of its authority.
    private static func gnutls(_ status: Int) -> TLSFault? {
        let faults: [(bit: Int, fault: TLSFault)] = [
            (5, .revoked), (10, .expired), (9, .notYetValid), (8, .weak), (6, .unknownAuthority),
            (7, .unknownAuthority),
            (14, .wrongHost),
        ]
        return status > 0 ? faults.first { status & 1 << $0.bit != 0 }?.fault : nil
    }
}
