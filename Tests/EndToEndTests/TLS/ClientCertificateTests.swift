#if canImport(Glibc)
    import Foundation
    import NetworkQueueKit
    import TestSupport
    import Testing

    @Suite(
        .enabled(if: TestAuthority.isInstalled, "python3, nginx or openssl is not installed"),
        .timeLimit(.minutes(10)))
    struct ClientCertificateTests {
        private let authority: TestAuthority
        private let client: TestAuthority.Pair

        init() throws {
            authority = try TestAuthority()
            client = try authority.issue("client", for: "DNS:client.test")
        }

        private func server(_ version: TLSServer.Version = .tls13) throws -> TLSServer {
            try TLSServer(
                try authority.issue("server"), versions: version...version, authority: authority.certificate)
        }

        private func with(_ certificate: ClientCertificate) -> TransportConfiguration {
            var configuration = authority.configuration
            configuration.clientCertificate = certificate
            return configuration
        }

        @Test(arguments: [TLSServer.Version.tls12, .tls13])
        func `A client's certificate lets in a client that the server knows`(version: TLSServer.Version) async throws {
            let server = try server(version)
            let one = try authority.joined([client.certificate, client.key], as: "both.pem")
            let encrypted = try authority.encrypted(client.key, password: "word")
            for certificate in [
                ClientCertificate(certificateFile: client.certificate, keyFile: client.key),
                ClientCertificate(certificateFile: one),
                ClientCertificate(certificateFile: client.certificate, keyFile: encrypted, password: "word"),
            ] {
                let operation = try await with(certificate).get(server.url)
                #expect(operation.error == nil && operation.data == Data("hello".utf8), "\(certificate)")
            }
        }

        @Test(
            arguments: [
                (.tls13, .clientCertificateRequired, "the server requires a client certificate."),
                (
                    .tls12, .secureConnectionFailed,
                    "the server rejected the handshake: it requires a client certificate, "
                        + "or both sides have no cipher in common."
                ),
            ] as [(TLSServer.Version, URLError.Code, String)])
        func `A missing client certificate is told by name, with TLS 1.2 as one of two causes`(
            version: TLSServer.Version, code: URLError.Code, text: String
        ) async throws {
            let server = try server(version)
            #expect(try await authority.configuration.failure(server.url, code: code) == text)
        }

        @Test(
            arguments: [
                (.tls12, false, "it does not know the authority that issued it."),
                (.tls13, false, "it does not know the authority that issued it."), (.tls13, true, "it has expired."),
            ] as [(TLSServer.Version, Bool, String)])
        func `A client's certificate that is foreign or has expired is refused for that`(
            version: TLSServer.Version, isExpired: Bool, text: String
        ) async throws {
            let issuer = isExpired ? authority : try TestAuthority()
            let pair = try issuer.issue("other", for: "DNS:client.test", validity: isExpired ? .past : .now)
            let configuration = with(ClientCertificate(certificateFile: pair.certificate, keyFile: pair.key))
            let server = try server(version)
            #expect(
                try await configuration.failure(server.url, code: .clientCertificateRejected)
                    == "the server rejected the client certificate: \(text)")
        }

        @Test func `A client's certificate with another's key or a wrong password fails with the paths`() async throws {
            let server = try server()
            let other = try authority.issue("other", for: "DNS:client.test")
            let mismatch = with(ClientCertificate(certificateFile: client.certificate, keyFile: other.key))
            #expect(
                try await mismatch.failure(server.url, code: .clientCertificateRejected)
                    == "client certificate key “\(other.key.path)” does not match certificate "
                    + "“\(client.certificate.path)”, or one of them is damaged.")
            let encrypted = try authority.encrypted(client.key, password: PlantedSecret.word)
            for wrong in ["no", ""] {
                let configuration = with(
                    ClientCertificate(certificateFile: client.certificate, keyFile: encrypted, password: wrong))
                #expect(
                    try await configuration.failure(server.url, code: .clientCertificateRejected)
                        == "the password for client certificate key “\(encrypted.path)” is wrong, "
                        + "or the key does not match certificate “\(client.certificate.path)”.")
            }
        }

        /// The transport's own initializer checks nothing.
        @Test
        func `A client's certificate with an encrypted key does not make libcurl ask at the terminal`() async throws {
            let server = try server()
            let encrypted = try authority.encrypted(client.key, password: "word")
            let configuration = with(ClientCertificate(certificateFile: client.certificate, keyFile: encrypted))
            let transport = try #require(CurlTransport(configuration: configuration))
            let operation = RequestQueue(transport: transport).add(server.url)
            _ = try? await operation.response()
            #expect(
                operation.tlsFailure(code: .clientCertificateRejected)
                    == "client certificate key “\(encrypted.path)” is encrypted, and no password was given."
            )
        }

        @Test func `A client's certificate that cannot be read keeps a transport from being made`() throws {
            let text = try authority.write("no certificate", to: "text.pem")
            let encrypted = try authority.encrypted(client.key, password: "word")
            let missing = URL(filePath: "/nowhere/client.pem")
            for (certificate, code, reason) in [
                (
                    ClientCertificate(certificateFile: missing), NetworkError.Code.fileSystem,
                    "“/nowhere/client.pem”: No such file or directory."
                ),
                (
                    ClientCertificate(certificateFile: client.certificate, keyFile: missing), .fileSystem,
                    "“/nowhere/client.pem”: No such file or directory."
                ),
                (
                    ClientCertificate(certificateFile: text, keyFile: client.key), .unsupportedConfiguration,
                    "client certificate “\(text.path)” contains no PEM certificate."
                ),
                (
                    ClientCertificate(certificateFile: client.certificate), .unsupportedConfiguration,
                    "client certificate key “\(client.certificate.path)” contains no PEM private key."
                ),
                (
                    ClientCertificate(certificateFile: client.certificate, keyFile: encrypted),
                    .unsupportedConfiguration,
                    "client certificate key “\(encrypted.path)” is encrypted, and no password was given."
                ),
            ] {
                let error = #expect(throws: NetworkError.self) {
                    try DefaultTransport.make(with(certificate))
                }
                #expect(
                    error?.code == code && error?.description.contains(reason) == true, "\(String(describing: error))")
            }
        }
    }
#endif
