#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// What `CurlTransport` measures. `URLSessionTransport` on Linux measures nothing.
    @Suite(.timeLimit(.minutes(10)))
    struct ExchangeMetricsTests {
        private func metrics(of operation: RequestOperation) throws -> ExchangeMetrics {
            try #require(operation.metrics?.exchange)
        }

        @Test func `Metrics tell a new connection from one that is used again`() async throws {
            let rig = try LiveRig(.curl)
            rig.server.serve("/", .text("content"))
            let first = try metrics(of: await rig.get("/"))
            #expect(first.isConnectionReused == false && first.connect != nil && first.tlsHandshake == nil)
            let second = try metrics(of: await rig.get("/"))
            #expect(second.isConnectionReused == true && second.connect == nil && second.nameLookup == nil)
            for metrics in [first, second] {
                #expect(metrics.httpVersion == "HTTP/1.1" && metrics.remoteAddress == "127.0.0.1")
                let (start, end) = (try #require(metrics.timeToFirstByte), try #require(metrics.duration))
                #expect(.zero < start && start <= end)
            }
        }

        @Test func `Metrics are those of the last exchange, after redirects and retries`() async throws {
            let rig = try LiveRig(.curl)
            let other = try LoopbackServer()
            other.serve("/end", .text("content"))
            rig.server.serve("/moved", .redirect(to: other.url("/end").absoluteString))
            let metrics = try metrics(of: await rig.get("/moved"))
            #expect(metrics.isConnectionReused == false)
            #expect(try self.metrics(of: await rig.get("/moved")).isConnectionReused == true)
        }

        @Test func `Metrics are told of failures, too`() async throws {
            let rig = try LiveRig(.curl)
            rig.server.serve("/", .text("content").dropping(after: 3))
            let operation = await rig.get("/")
            #expect(operation.error?.code == .connectionLost)
            #expect(try metrics(of: operation).timeToFirstByte != nil)
            let closed = try ClosedPort()
            let refused = await rig.run(NetworkRequest(try closed.url("/")))
            #expect(refused.error?.code == .cannotConnectToHost)
            let metrics = try metrics(of: refused)
            #expect(metrics.connect == nil && metrics.isConnectionReused == nil && metrics.httpVersion == nil)
        }

        @Test(.enabled(if: NginxServer.canServeTLS, "nginx or openssl is not installed"))
        func `Metrics tell the time that TLS has taken, and HTTP/2`() async throws {
            let folder = try TemporaryFolder()
            try folder.write(Data("content".utf8), to: "file")
            let server = try NginxServer(root: folder.url, isSecure: true)
            defer { server.stop() }
            let queue = RequestQueue(
                transport: try TransportKind.curl.makeTransport(.patient(trusting: server.certificate)))
            let first = try #require(await queue.response(for: server.url("file")).metrics?.exchange)
            #expect(first.httpVersion == "HTTP/2" && first.isConnectionReused == false)
            #expect(try #require(first.tlsHandshake) > .zero)
            let second = try #require(await queue.response(for: server.url("file")).metrics?.exchange)
            #expect(second.isConnectionReused == true && second.tlsHandshake == nil)
        }
    }
#endif
