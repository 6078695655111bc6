import Foundation
import NetworkQueueKit
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    /// Foundation on Linux trusts the system's authorities and no other, so that nothing is ever wrong with a test's
    /// certificate but its authority. What the words for the rest mean is tested without a network.
    @Suite(
        .enabled(if: TestAuthority.isInstalled, "python3, nginx or openssl is not installed"),
        .enabled(if: TransportKind.includesURLSession, "the loaded libcurl is for CurlTransport alone"),
        .timeLimit(.minutes(10)))
    struct SessionTLSTests {
        private let authority: TestAuthority

        init() throws { authority = try TestAuthority() }

        private func failure(_ server: TLSServer, code: URLError.Code) async -> String {
            let operation = RequestQueue(transport: URLSessionTransport()).add(server.url)
            _ = try? await operation.response()
            return operation.tlsFailure(code: code)
        }

        @Test func `URLSession on Linux tells of an unknown authority and of a self-signed certificate`() async throws {
            let foreign = try TLSServer(try authority.issue("server"))
            #expect(
                await failure(foreign, code: .serverCertificateHasUnknownRoot)
                    == "the certificate was issued by an unknown authority, or an intermediate certificate is missing."
            )
            let own = try TLSServer(try authority.selfSigned("own"))
            #expect(
                await failure(own, code: .serverCertificateHasUnknownRoot) == "the certificate is self-signed.")
        }

        @Test func `URLSession on Linux speaks no version of TLS that is too old`() async throws {
            let server = try TLSServer(try authority.issue("server"), versions: .tls11 ... .tls11)
            let operation = RequestQueue(transport: URLSessionTransport()).add(server.url)
            _ = try? await operation.response()
            #expect(operation.error?.code == .tlsFailure)
            // The system's policy may keep it from that, where the library cannot.
            TransportKind.urlSession.expect(unless: .speaksOldTLS, sometimes: true) {
                #expect((operation.error?.underlying as? URLError)?.code == .secureConnectionFailed)
            }
        }
    }
#endif
