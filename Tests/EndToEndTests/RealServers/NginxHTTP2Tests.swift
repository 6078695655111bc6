#if canImport(Glibc)
    import Dispatch
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// Exchanges that share a connection (HTTP/2), where holding one back must not harm the others.
    @Suite(.enabled(if: NginxServer.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(10)))
    struct NginxHTTP2Tests {
        private let target: TemporaryFolder
        private let content = Data(GeneratedContent(size: 4 << 20, seed: 9).bytes(in: 0..<(4 << 20)))

        init() throws {
            target = try TemporaryFolder()
            try target.write(content, to: "file")
        }

        private func makeTransport(_ server: NginxServer) throws -> any Transport {
            try TransportKind.curl.makeTransport(.patient(trusting: server.certificate))
        }

        @Test func `Paced exchanges on one connection arrive whole, in both directions`() async throws {
            let server = try NginxServer(
                root: target.url, directives: "dav_methods PUT; client_max_body_size 0;", isSecure: true)
            defer { server.stop() }
            let queue = try NetworkQueue.live(.patient(trusting: server.certificate))
            queue.add(server.url("file"))
            await queue.run()

            queue.maxBytesPerSecond = 20_000_000
            let downloads = (0..<4).map { _ in queue.add(server.url("file")) }
            let uploads = (0..<4).map { number in
                queue.add(.put(server.url("put-\(number)"), body: .file(target.file("file"))))
            }
            queue.maxConcurrentRequestCount = 8
            let summary = await queue.run()
            #expect(summary.isSuccess, "\(summary.firstFailure?.error.description ?? "")")
            #expect(downloads.allSatisfy { $0.data == content })
            for number in uploads.indices { #expect(try Data(contentsOf: target.file("put-\(number)")) == content) }
            let log = try await server.log(count: 9)
            // With libcurl before 8.7 uploads go by HTTP/1.1, over connections of their own. After the handshake of
            // such a one it takes the server for one whose connections cannot be shared, and downloads that begin then
            // connect, too.
            let most = CurlLibrary.version >= 0x08_07_00 ? 1 : 5
            #expect(log.count == 9 && Set(log.filter { $0.method == "GET" }.map(\.connection)).count <= most)
        }

        @Test func `Downloads under a low limit share a connection two at a time and arrive whole`() async throws {
            let small = content.prefix(200_000)
            try target.write(small, to: "small")
            let server = try NginxServer(root: target.url, isSecure: true)
            defer { server.stop() }
            let queue = try NetworkQueue.live(.patient(trusting: server.certificate))
            queue.maxConcurrentRequestCount = 2
            // A portion of 8,000 bytes is less than libcurl delivers at a time.
            queue.maxBytesPerSecond = 800_000
            let downloads = (0..<6).map { _ in queue.add(server.url("small")) }
            let start = ContinuousClock.now
            let summary = await queue.run()
            #expect(summary.isSuccess, "\(summary.firstFailure?.error.description ?? "")")
            #expect(downloads.allSatisfy { $0.data == small })
            #expect(start.duration(to: .now) > .seconds(1))
        }

        @Test(arguments: ["", "http2"])
        func `A file is split over connections, and not over streams of one`(protocols: String) async throws {
            let server = try NginxServer(
                root: target.url, directives: "limit_rate 8m;", isSecure: true, protocols: protocols)
            defer { server.stop() }
            let queue = try NetworkQueue.live(.patient(trusting: server.certificate))
            queue.splitting = .init(maxParts: 4, minPartSize: 128 << 10)
            let folder = try TemporaryFolder()
            queue.add(NetworkRequest(server.url("file"), destination: .file(folder.file("copy"))))
            let summary = await queue.run()
            #expect(summary.isSuccess, "\(summary.firstFailure?.error.description ?? "")")
            #expect(try Data(contentsOf: folder.file("copy")) == content)
            if protocols.isEmpty {
                #expect(await eventually { (try? server.log().count) ?? 0 > 1 })
            } else {
                #expect(try server.log().count <= 1)
            }
        }

        @Test func `An exchange that is paused for long does not hold up the others of its connection`() async throws {
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
            #expect(Set(try await server.log(count: 6).map(\.connection)).count == 1)
        }

        /// How many connections `count` downloads take that start at once and are under way at the same time.
        private func connections(
            _ count: Int, to server: NginxServer, transport: any Transport
        ) async throws -> Int {
            let earlier = try server.log().count
            let heads = Gathering<Bool>()
            let recorders = (0..<count).map { _ in
                EventRecorder(onHead: { _ in
                    heads.add(true)
                    return .pause
                })
            }
            let handles = recorders.map { transport.start(HTTPExchange(url: server.url("small")), receiver: $0) }
            _ = await heads.wait(count: count)
            for handle in handles { handle.resume() }
            for recorder in recorders { #expect(await recorder.outcome().bodyLength == 1000) }
            let log = try await server.log(count: earlier + count)
            return Set(log.suffix(count).map(\.connection)).count
        }

        /// The server's limit of 128 streams comes with its first answer. Until then, libcurl takes it for 100.
        @Test(arguments: [[min(64, CurlLibrary.expectedStreamCount)], [1, 128, 200], [200]])
        func `A burst takes as many connections as its streams need`(counts: [Int]) async throws {
            try target.write(Data(count: 1000), to: "small")
            let server = try NginxServer(root: target.url, isSecure: true)
            defer { server.stop() }
            let transport = try makeTransport(server)
            for count in counts {
                let made = try await connections(count, to: server, transport: transport)
                let isExact = count <= 128 || CurlLibrary.makesFurtherConnectionsOneByOne
                let most = isExact ? (count + 127) / 128 : counts.count == 1 ? 101 : 73
                #expect(made <= most && made >= (count + 127) / 128, "\(made)")
            }
        }

        @Test func `A server that speaks HTTP/1.1 over TLS is waited for once`() async throws {
            try target.write(Data(count: 1000), to: "small")
            let server = try NginxServer(
                root: target.url, isSecure: true, protocols: "")
            defer { server.stop() }
            let transport = try makeTransport(server)
            #expect(try await connections(16, to: server, transport: transport) == 16)
            #expect(try await connections(16, to: server, transport: transport) == 16)
        }

        @Test func `A server that cannot be connected to fails all of a burst`() async throws {
            let transport = try TransportKind.curl.makeTransport(.patient)
            let closed = try ClosedPort()
            let url = try closed.url("/", scheme: "https")
            let recorders = (0..<50).map { _ in EventRecorder() }
            for recorder in recorders { _ = transport.start(HTTPExchange(url: url), receiver: recorder) }
            for recorder in recorders { #expect(await recorder.outcome().error?.code == .cannotConnectToHost) }
        }
    }
#endif
