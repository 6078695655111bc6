#if canImport(Glibc)
    import Dispatch
    import Foundation
    import LoopbackServer
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// Exchanges that share a connection (HTTP/2), where holding one back must not harm the others.
    @Suite(.enabled(if: NginxServer.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(5)))
    struct NginxHTTP2Tests {
        private let target: TemporaryFolder
        private let content = Data(GeneratedContent(size: 4 << 20, seed: 9).bytes(in: 0..<(4 << 20)))

        init() throws {
            target = try TemporaryFolder()
            try target.write(content, to: "file")
        }

        private func makeTransport(_ server: NginxServer) throws -> any Transport {
            var configuration = TransportConfiguration.patient
            configuration.trustedCertificatesFile = server.certificate
            return try TransportKind.curl.makeTransport(configuration)
        }

        @Test func `paced exchanges on one connection arrive whole, in both directions`() async throws {
            let server = try NginxServer(
                root: target.url, directives: "dav_methods PUT; client_max_body_size 0;", isSecure: true)
            defer { server.stop() }
            let queue = NetworkQueue(
                transport: try makeTransport(server), delegateQueue: DispatchQueue(label: "test.callbacks"))
            queue.showsAccurateProgress = false
            queue.add(server.url("file"))
            await queue.run()

            queue.maximumBytesPerSecond = 20_000_000
            let downloads = (0..<4).map { _ in queue.add(server.url("file")) }
            let uploads = (0..<4).map { number in
                var request = NetworkRequest(server.url("put-\(number)"))
                request.urlRequest.httpMethod = "PUT"
                request.body = .file(target.file("file"))
                return queue.add(request)
            }
            queue.maxConcurrentRequestCount = 8
            let summary = await queue.run()
            #expect(summary.isSuccess, "\(summary.firstFailure?.error.description ?? "")")
            #expect(downloads.allSatisfy { $0.data == content })
            for number in uploads.indices { #expect(try Data(contentsOf: target.file("put-\(number)")) == content) }
            let log = try server.log()
            #expect(log.count == 9 && Set(log.map(\.connection)).count == 1)
        }

        @Test func `one that is paused for long does not keep the others of its connection`() async throws {
            let server = try NginxServer(root: target.url, isSecure: true)
            defer { server.stop() }
            let transport = try makeTransport(server)
            let exchange = HTTPExchange(url: server.url("file"))
            let first = EventRecorder()
            _ = transport.start(exchange, receiver: first)
            #expect(await first.outcome().hasSucceeded)

            let bodies = Gathering<Bool>()
            let paused = EventRecorder(onBody: { _ in
                bodies.add(true)
                return bodies.values.count == 1 ? .pause : .proceed
            })
            let handle = transport.start(exchange, receiver: paused)
            _ = await bodies.wait(count: 1)
            for _ in 0..<4 {
                let other = EventRecorder()
                _ = transport.start(exchange, receiver: other)
                let transcript = await other.outcome()
                #expect(transcript.hasSucceeded && transcript.bodyLength == Int64(content.count))
            }
            #expect(!paused.transcript.isComplete && bodies.values.count == 1)
            handle.resume()
            let transcript = await paused.outcome()
            #expect(transcript.hasSucceeded && transcript.bodyLength == Int64(content.count))
            #expect(Set(try server.log().map(\.connection)).count == 1)
        }
    }
#endif
