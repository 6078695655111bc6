extension TLSFault {
    /// Tells a fault from the number with which a TLS library judges a certificate; `nil` where it tells nothing.
    ///
    /// - Parameters:
    ///   - verification: `CURLINFO_SSL_VERIFYRESULT`.
    ///   - library: the TLS library's name and version. GnuTLS has other numbers than OpenSSL and its relatives.
    init?(verification: Int, library: String) {
        let fault = library.hasPrefix("GnuTLS") ? Self.gnutls(verification) : Self.openssl(verification)
        guard let fault else { return nil }
        self = fault
    }

    /// `X509_V_ERR_…`
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

    /// A sum of `GNUTLS_CERT_…`: what is wrong with the certificate itself, before what is wrong with its authority.
    private static func gnutls(_ status: Int) -> TLSFault? {
        let faults: [(bit: Int, fault: TLSFault)] = [
            (5, .revoked), (10, .expired), (9, .notYetValid), (8, .weak), (6, .unknownAuthority),
            (7, .unknownAuthority),
            (14, .wrongHost),
        ]
        return status > 0 ? faults.first { status & 1 << $0.bit != 0 }?.fault : nil
    }
}
