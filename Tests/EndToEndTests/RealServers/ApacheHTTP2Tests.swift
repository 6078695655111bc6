#if canImport(Glibc)
    import Foundation
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// Apache sends the responses of a connection one after the other when it is short of threads, as HTTP/2 allows.
    @Suite(
        .enabled(if: ApacheServer.canSpeakHTTP2, "Apache with mod_http2, nginx or openssl is not installed"),
        .timeLimit(.minutes(10)))
    struct ApacheHTTP2Tests {
        private static let names = (0..<4).map { "file-\($0)" }

        private static func content(of name: String) -> String {
            String(repeating: "\(name)\n", count: 1_600_000 / (name.utf8.count + 1))
        }

        /// One thread for all streams, and a rate for each: a file takes 1.5 s, and the fourth begins after 4.5 s.
        private func makeServer(_ identity: TestCertificate) throws -> ApacheServer {
            try ApacheServer(
                directives: """
                    Protocols h2
                    H2MinWorkers 1
                    H2MaxWorkers 1
                    SSLEngine on
                    SSLSessionCache none
                    SSLCertificateFile \(identity.certificate.path)
                    SSLCertificateKeyFile \(identity.key.path)
                    SetOutputFilter RATE_LIMIT
                    SetEnv rate-limit 1000
                    """,
                files: Dictionary(uniqueKeysWithValues: Self.names.map { ($0, Self.content(of: $0)) }),
                moreModules: ["http2", "ssl", "ratelimit", "env"])
        }

        @Test
        func `Files that Apache sends one after the other do not fail for silence before their turn`() async throws {
            let identity = try TestCertificate()
            let server = try makeServer(identity)
            defer { server.stop() }
            var configuration = TransportConfiguration.patient(trusting: identity.certificate)
            configuration.idleTimeout = .seconds(2)
            let queue = try NetworkQueue.live(configuration)
            let operations = try Self.names.map {
                queue.add(try #require(URL(string: "https://127.0.0.1:\(server.port)/\($0)")))
            }
            let summary = await queue.run()
            #expect(summary.counts == .init(finished: 4), "\(summary.firstFailure?.error.description ?? "")")
            for (name, operation) in zip(Self.names, operations) {
                #expect(operation.data == Data(Self.content(of: name).utf8))
                #expect(operation.responseHead?.httpVersion == "HTTP/2")
            }
            // Over one connection, and the last for longer than the time-out: else the test would show nothing.
            #expect(operations.count { $0.metrics?.exchange?.isConnectionReused == true } == 3)
            let waits = operations.compactMap(\.metrics?.timeToFirstByte)
            #expect(try #require(waits.max()) > .seconds(3))
        }
    }
#endif
