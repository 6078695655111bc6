import Foundation
import Testing

@testable import NetworkQueueKit

/// The words are those that libcurl 7.70 to 8.23 were seen to say with OpenSSL 1.1, 3.0 and 3.6, and with GnuTLS 3.7.
struct TLSFaultTests {
    private static let withoutCertificate: [(String, TLSFault?)] = [
        ("SSL certificate problem: certificate has expired", .expired),
        ("SSL certificate OpenSSL verify result: certificate has expired (10)", .expired),
        ("SSL certificate problem: certificate is not yet valid", .notYetValid),
        (
            "SSL certificate OpenSSL verify result: certificate is not yet valid or the system clock is incorrect (9)",
            .notYetValid
        ),
        ("SSL: no alternative certificate subject name matches target host name '127.0.0.1'", .wrongHost),
        ("SSL: no alternative certificate subject name matches target IPv4 address '127.0.0.1'", .wrongHost),
        ("SSL: certificate subject name (wrong) does not match target host name '127.0.0.1'", .wrongHost),
        ("SSL certificate problem: unable to get local issuer certificate", .unknownAuthority),
        ("SSL certificate problem: self-signed certificate in certificate chain", .unknownAuthority),
        ("SSL certificate problem: self signed certificate", .selfSigned),
        ("SSL certificate OpenSSL verify result: self-signed certificate (18)", .selfSigned),
        ("OpenSSL/3.0.22: error:0A00042E:SSL routines::tlsv1 alert protocol version", .noCommonVersion),
        ("error:1409442E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version", .noCommonVersion),
        ("gnutls_handshake() failed: Error in protocol version", .noCommonVersion),
        ("TLS connect error: error:0A00010B:SSL routines::wrong version number", .notTLS),
        ("gnutls_handshake() failed: An unexpected TLS packet was received.", .notTLS),
        (
            "TLS connect error: error:0A000410:SSL routines::ssl/tls alert handshake failure",
            .refused(hasClientCertificate: false)
        ),
        ("gnutls_handshake() failed: Handshake failed", .refused(hasClientCertificate: false)),
        ("GnuTLS recv error (-12): A TLS fatal alert has been received.", .refused(hasClientCertificate: false)),
        (
            "OpenSSL SSL_read: error:1409445C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required, errno 0",
            .clientCertificateRequired
        ),
        ("error:14094412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate", .clientCertificateRequired),
        ("error setting certificate verify locations:\n  CAfile: nope.pem", .trustedCertificatesUnusable(path: nil)),
        ("Recv failure: Connection reset by peer", nil),
        ("OpenSSL SSL_connect: Connection reset by peer in connection to 127.0.0.1:1", nil),
    ]

    @Test(arguments: withoutCertificate)
    func `A TLS fault is told from libcurl's words`(words: String, fault: TLSFault?) {
        #expect(TLSFault(words: words, hasClientCertificate: false) == fault)
    }

    @Test(
        arguments: [
            (
                "error:0A000418:SSL routines::tlsv1 alert unknown ca",
                .clientCertificateRefused(because: "it does not know the authority that issued it")
            ),
            ("sslv3 alert certificate expired", .clientCertificateRefused(because: "it has expired")),
            ("sslv3 alert bad certificate", .clientCertificateRefused(because: nil)),
            ("tlsv13 alert certificate required", .clientCertificateRequired),
            ("sslv3 alert handshake failure", .refused(hasClientCertificate: true)),
            ("SSL certificate problem: certificate has expired", .expired),
        ] as [(String, TLSFault)])
    func `A TLS fault is told with respect to a client's certificate if there is one`(words: String, fault: TLSFault) {
        #expect(TLSFault(words: words, hasClientCertificate: true) == fault)
    }

    @Test(
        arguments: [
            (10, "OpenSSL/3.0.22", .expired), (9, "OpenSSL/1.1.1g", .notYetValid), (20, "OpenSSL/3", .unknownAuthority),
            (66, "OpenSSL/3", .weak), (0, "OpenSSL/3", nil), (1, "OpenSSL/3", nil),
            (1026, "GnuTLS/3.7.9", .expired), (514, "GnuTLS/3.7.9", .notYetValid),
            (66, "GnuTLS/3.7.9", .unknownAuthority),
            (34, "GnuTLS/3.7.9", .revoked), (0, "GnuTLS/3.7.9", nil), (-64, "GnuTLS/3.7.9", nil),
        ] as [(Int, String, TLSFault?)])
    func `A TLS fault is told from the library's verdict on a certificate`(
        result: Int, library: String, fault: TLSFault?
    ) {
        #expect(TLSFault(verification: result, library: library) == fault)
    }

    #if canImport(FoundationNetworking)
        /// What Foundation makes of libcurl's codes, where it makes anything of them.
        @Test(
            arguments: withoutCertificate,
            [URLError.Code.unknown, .secureConnectionFailed, .serverCertificateUntrusted])
        func `A TLS fault is told from the words that a session hands on`(
            entry: (words: String, fault: TLSFault?), code: URLError.Code
        ) throws {
            let url = try #require(URL(string: "https://host.test/"))
            let beneath = URLError(code, userInfo: [NSLocalizedDescriptionKey: entry.words])
            let error = URLError(session: beneath, url: url, proxy: nil)
            if let fault = entry.fault {
                #expect(error.code == fault.code && error.localizedDescription == fault.sentence)
            } else {
                #expect(error.localizedDescription == entry.words)
            }
        }
    #endif
}
