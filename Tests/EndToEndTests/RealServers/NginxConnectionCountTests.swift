#if canImport(Glibc)
    import Dispatch
    import Foundation
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// How many connections a batch takes: each costs a handshake, and a server does not take any number of them.
    @Suite(.enabled(if: NginxServer.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(10)))
    struct NginxConnectionCountTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            try folder.write(Data(count: 1000), to: "small")
        }

        /// Fetches a small file `count` times; returns how many connections the server has accepted for that.
        private func connections(_ count: Int, atATime width: Int, to server: NginxServer) async throws -> Int {
            var configuration = TransportConfiguration.patient(trusting: server.certificate)
            // However slow the machine is, nothing that waits for a connection times out.
            configuration.connectTimeout = .seconds(600)
            let queue = try NetworkQueue.live(configuration, atATime: width)
            let operations = (0..<count).map { _ in queue.add(server.url("small")) }
            let summary = await queue.run()
            let error = summary.firstFailure?.error
            #expect(summary.isSuccess, "\(error?.description ?? ""): \(String(reflecting: error?.underlying))")
            #expect(operations.allSatisfy { $0.data?.count == 1000 && $0.attempts == 1 })
            let log = try await server.log(count: count)
            #expect(log.count == count && log.allSatisfy { $0.status == 200 })
            return try await server.acceptedCount(for: count)
        }

        @Test(arguments: [(164, 2), (1000, 12)])
        func `Connections that are closed with GOAWAY are replaced one for one`(count: Int, most: Int) async throws {
            let server = try NginxServer(root: folder.url, isSecure: true, keepAliveRequests: 100)
            defer { server.stop() }
            let accepted = try await connections(count, atATime: 64, to: server)
            let limit = CurlLibrary.makesFurtherConnectionsOneByOne ? most : most + 64
            #expect(accepted >= (count + 99) / 100 && accepted <= limit, "\(accepted)")
        }

        @Test(arguments: [200, 400])
        func `A wide batch over HTTP/2 makes only as many connections as its streams need`(width: Int) async throws {
            let server = try NginxServer(root: folder.url, isSecure: true)
            defer { server.stop() }
            let accepted = try await connections(1000, atATime: width, to: server)
            let limit = CurlLibrary.makesFurtherConnectionsOneByOne ? (width + 127) / 128 : width
            #expect(accepted <= limit, "\(accepted)")
        }

        @Test func `A batch of more than 128 at a time uses its connections of HTTP/1.1 again`() async throws {
            let server = try NginxServer(root: folder.url)
            defer { server.stop() }
            #expect(try await connections(600, atATime: 200, to: server) <= 200)
        }
    }
#endif
