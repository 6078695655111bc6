#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import Testing

    @Suite(.timeLimit(.minutes(10)))
    struct LoopbackServerTLSTests {
        private let identity: LoopbackServer.TLSIdentity
        private let server: LoopbackServer
        private var configuration = TransportConfiguration()

        init() throws {
            identity = try LoopbackServer.TLSIdentity()
            server = try LoopbackServer(tls: identity, fallback: .text("hello"))
            configuration.trustedCertificatesFile = identity.certificateFile
            // Among all other tests, the next step may come minutes later.
            configuration.maxConnectionIdleTime = .seconds(3600)
        }

        private func queue(_ configuration: TransportConfiguration) throws -> RequestQueue {
            RequestQueue(transport: try DefaultTransport.make(configuration))
        }

        @Test func `A client that trusts the certificate sends several requests over one connection`() async throws {
            let queue = try queue(configuration)
            server.serve("/large", .generated(size: 3_000_000, seed: 5))
            #expect(server.url.scheme == "https")
            for _ in 0..<3 { #expect(try await queue.data(for: server.url) == Data("hello".utf8)) }
            let large = try await queue.data(for: server.url("/large"))
            var verifier = GeneratedContent(size: 3_000_000, seed: 5).verifier()
            verifier.update(large)
            #expect(verifier.isComplete && server.connectionCount == 1)
        }

        @Test func `A body that is sent over TLS arrives whole`() async throws {
            let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let queue = try queue(configuration)
            server.serve("/upload", .status(204))
            _ = try await queue.upload(server.url("/upload"), from: body)
            let request = try #require(server.requests.last)
            #expect(request.isComplete && request.body == body)
        }

        @Test func `The pin of the identity is that of its key, and another one fails`() async throws {
            var configuration = configuration
            configuration.pinnedPublicKeys = [identity.publicKeyPin]
            #expect(try await queue(configuration).data(for: server.url) == Data("hello".utf8))
            configuration.pinnedPublicKeys = [try LoopbackServer.TLSIdentity().publicKeyPin]
            let error = await #expect(throws: NetworkError.self) {
                try await queue(configuration).data(for: server.url)
            }
            #expect(error?.code == .tlsFailure)
        }

        @Test func `A client that does not trust the certificate fails, and the next one is served`() async throws {
            let error = await #expect(throws: NetworkError.self) {
                try await queue(TransportConfiguration()).data(for: server.url)
            }
            #expect(error?.code == .tlsFailure)
            #expect(try await queue(configuration).data(for: server.url) == Data("hello".utf8))
        }

        @Test func `A client that hangs up while it is sent content does no harm`() async throws {
            let queue = try queue(configuration)
            let gate = Gate()
            server.serve("/large", .generated(size: 50_000_000, seed: 1).gated(by: gate, at: .afterBody(1_000)))
            let operation = queue.add(server.url("/large"))
            await gate.waitForArrival()
            operation.cancel()
            await #expect(throws: NetworkError.self) { try await operation.response() }
            gate.open()
            #expect(try await queue.data(for: server.url) == Data("hello".utf8))
        }

        @Test func `A response can be cut off over TLS, too`() async throws {
            server.serve("/cut", .generated(size: 100_000, seed: 1).dropping(after: 5_000))
            let error = await #expect(throws: NetworkError.self) {
                try await queue(configuration).data(for: server.url("/cut"))
            }
            #expect(error?.code == .connectionLost)
        }

        @Test func `The certificate's file goes with its identity`() throws {
            var other: LoopbackServer.TLSIdentity? = try LoopbackServer.TLSIdentity()
            let file = try #require(other).certificateFile
            #expect(try String(contentsOf: file, encoding: .utf8) == other?.certificatePEM)
            #expect(other?.publicKeyPin != identity.publicKeyPin)
            other = nil
            #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
        }
    }
#endif
