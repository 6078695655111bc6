#if canImport(Glibc)
    import Foundation
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    @Suite(
        .enabled(if: TestAuthority.isInstalled, "python3, nginx or openssl is not installed"),
        .timeLimit(.minutes(10)))
    struct TLSVersionTests {
        private let authority: TestAuthority
        private let configuration: TransportConfiguration

        init() throws {
            authority = try TestAuthority()
            configuration = authority.configuration
        }

        private static let text = "client and server have no TLS version in common."

        @Test(arguments: [
            (TLSServer.Version.tls11, TransportConfiguration.TLSVersion.tls12, false), (.tls12, .tls12, true),
            (.tls12, .tls13, false), (.tls13, .tls13, true),
        ])
        func `The version of TLS is not below the minimum`(
            server version: TLSServer.Version, minimum: TransportConfiguration.TLSVersion, isEnough: Bool
        ) async throws {
            let server = try TLSServer(try authority.issue("server"), versions: version...version)
            var configuration = configuration
            configuration.minTLSVersion = minimum
            if isEnough {
                #expect(try await configuration.get(server.url).data == Data("hello".utf8))
            } else {
                #expect(try await configuration.failure(server.url, code: .secureConnectionFailed) == Self.text)
            }
        }

        @Test func `The version of TLS is not below the minimum at a proxy either`() async throws {
            let server = try TLSServer(try authority.issue("server"), versions: .tls12 ... .tls12)
            var configuration = configuration
            let place = "127.0.0.1:\(try #require(server.url.port))"
            configuration.proxy = URL(string: "https://\(place)")
            configuration.minTLSVersion = .tls13
            let operation = try await configuration.get(try #require(URL(string: "http://127.0.0.1:2/")))
            #expect(
                operation.error?.description
                    == "Could not make a secure connection to the proxy \(place): \(Self.text)")
        }

        @Test func `A preference for HTTP/3 allows lower versions and is refused if libcurl cannot have it`()
            async throws
        {
            let server = try TLSServer(try authority.issue("server"))
            var configuration = configuration
            configuration.httpVersion = .http3
            if CurlCapabilities.loaded?.canPreferHTTP3 == true {
                #expect(try await configuration.get(server.url).data == Data("hello".utf8))
            } else {
                let error = #expect(throws: NetworkError.self) { try DefaultTransport.make(configuration) }
                #expect(error?.code == .unsupportedConfiguration)
                // Made by its own initializer, a transport asks for HTTP/2.
                let transport = try #require(CurlTransport(configuration: configuration))
                let operation = RequestQueue(transport: transport).add(server.url)
                #expect(try await operation.response().data == Data("hello".utf8))
            }
        }
    }
#endif
