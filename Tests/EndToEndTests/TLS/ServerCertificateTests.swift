#if canImport(Glibc)
    import Foundation
    import NetworkQueueKit
    import TestSupport
    import Testing

    @Suite(
        .enabled(if: TestAuthority.isInstalled, "python3, nginx or openssl is not installed"),
        .timeLimit(.minutes(10)))
    struct ServerCertificateTests {
        private let authority: TestAuthority
        private let configuration: TransportConfiguration

        init() throws {
            authority = try TestAuthority()
            configuration = authority.configuration
        }

        @Test func `A server's certificate of one's own authority is accepted`() async throws {
            let server = try TLSServer(try authority.issue("good"))
            let operation = try await configuration.get(server.url)
            #expect(operation.error == nil && operation.data == Data("hello".utf8))
        }

        @Test func `A server's public key has to be one of the pinned ones, where there are any`() async throws {
            let certificate = try authority.issue("good")
            let server = try TLSServer(certificate)
            let run = try ShellRun(
                "openssl x509 -in '\(certificate.certificate.path)' -pubkey -noout | openssl pkey -pubin -outform der"
                    + " | openssl dgst -sha256 -binary")
            let key = run.output.base64EncodedString()
            var pinned = configuration
            pinned.pinnedPublicKeys = [
                "sha256//\(key)", "sha256//\(Data(count: 32).base64EncodedString())",
            ]
            #expect(try await pinned.get(server.url).data == Data("hello".utf8))
            pinned.pinnedPublicKeys = ["sha256//\(Data(count: 32).base64EncodedString())"]
            #expect(
                try await pinned.failure(server.url, code: .serverCertificateUntrusted)
                    == "the server’s public key matches none of the pinned keys.")
            pinned.pinnedPublicKeys = ["/etc/hostname"]
            #expect(throws: NetworkError.self) { try DefaultTransport.make(pinned) }
        }

        enum Fault { case isExpired, isNotValidYet, isForAnotherHost, hasUnknownAuthority, isSelfSigned }

        @Test(
            arguments: [
                (.isExpired, .serverCertificateHasBadDate, "the certificate has expired."),
                (
                    .isNotValidYet, .serverCertificateNotYetValid,
                    "the certificate is not yet valid, or this machine’s clock is wrong."
                ), (.isForAnotherHost, .serverCertificateUntrusted, "the certificate is for another host."),
                (
                    .hasUnknownAuthority, .serverCertificateHasUnknownRoot,
                    "the certificate was issued by an unknown authority, or an intermediate certificate is missing."
                ), (.isSelfSigned, .serverCertificateHasUnknownRoot, "the certificate is self-signed."),
            ] as [(Fault, URLError.Code, String)])
        func `A server's certificate that is not good is refused, and the error says why`(
            fault: Fault, code: URLError.Code, text: String
        ) async throws {
            let pair =
                switch fault {
                case .isExpired: try authority.issue("server", validity: .past)
                case .isNotValidYet: try authority.issue("server", validity: .future)
                case .isForAnotherHost: try authority.issue("server", for: "DNS:other.test")
                case .hasUnknownAuthority: try TestAuthority().issue("server")
                case .isSelfSigned: try authority.selfSigned("server")
                }
            let server = try TLSServer(pair)
            #expect(try await configuration.failure(server.url, code: code) == text)
        }

        @Test func `A server that speaks no TLS fails with an error that says so`() async throws {
            let server = try PythonServer(
                """
                def serve(connection):
                    connection.recv(10000)
                    connection.sendall(b'HTTP/1.1 400 Bad Request\\r\\nContent-Length: 0\\r\\n\\r\\n')
                    while connection.recv(10000): pass
                """)
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            #expect(
                try await configuration.failure(url, code: .secureConnectionFailed)
                    == "the server does not speak TLS on this port.")
        }

        @Test func `A proxy's certificate is refused in the proxy's name`() async throws {
            let server = try TLSServer(try authority.issue("expired", validity: .past))
            var configuration = configuration
            let place = "127.0.0.1:\(try #require(server.url.port))"
            configuration.proxy = URL(string: "https://\(place)")
            let operation = try await configuration.get(try #require(URL(string: "http://127.0.0.1:2/")))
            #expect(operation.error?.code == .tlsFailure)
            #expect(
                operation.error?.description
                    == "Could not make a secure connection to the proxy \(place): the certificate has expired.")
        }
    }
#endif
