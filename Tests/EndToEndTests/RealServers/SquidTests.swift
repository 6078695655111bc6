#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import TestSupport
    import Testing

    @Suite(.enabled(if: SquidServer.isInstalled, "squid is not installed"), .timeLimit(.minutes(10)))
    struct SquidTests {
        private func run(_ url: URL, through proxy: SquidServer, trusting certificate: URL? = nil) async throws
            -> RequestOperation
        {
            var configuration = TransportConfiguration.patient
            configuration.proxy = URL(string: "http://name:word@127.0.0.1:\(proxy.port)")
            if let certificate { configuration.trustedCertificatesFile = certificate }
            let queue = RequestQueue(transport: try TransportKind.curl.makeTransport(configuration))
            let operation = queue.add(url)
            _ = try? await operation.response()
            return operation
        }

        @Test func `Squid hands on requests in the clear, and its refusal is the response`() async throws {
            let server = try LoopbackServer(fallback: .text("here"))
            let proxy = try await SquidServer(
                rules: """
                    acl refused urlpath_regex ^/refused$
                    http_access deny refused
                    """)
            defer { proxy.stop() }
            let allowed = try await run(server.url("/allowed"), through: proxy)
            #expect(allowed.error == nil && allowed.data == Data("here".utf8))
            #expect(server.requests.map(\.target) == ["/allowed"])
            #expect(server.requests.first?.headers["Via"]?.contains("(squid") == true)

            let refused = try await run(server.url("/refused"), through: proxy)
            #expect(refused.error?.code == .httpStatus(403))
            #expect(refused.responseHead?.headers["X-Squid-Error"]?.hasPrefix("ERR_ACCESS_DENIED") == true)
            #expect(server.requests.count == 1)
        }

        /// As in the configuration that squid comes with, which allows tunnels to port 443 alone.
        @Test(.enabled(if: NginxServer.canServeTLS, "nginx or openssl is not installed"))
        func `Squid makes a tunnel to an allowed port, and its refusal of another is told as the proxy's`() async throws
        {
            let files = try TemporaryFolder()
            try files.write("here", to: "file")
            let server = try NginxServer(root: files.url, isSecure: true)
            defer { server.stop() }
            let proxy = try await SquidServer(
                rules: """
                    acl SSL_ports port \(server.port)
                    http_access deny CONNECT !SSL_ports
                    """)
            defer { proxy.stop() }
            let allowed = try await run(server.url("file"), through: proxy, trusting: server.certificate)
            #expect(allowed.error == nil && allowed.data == Data("here".utf8))

            let closed = try ClosedPort()
            let refused = try await run(try closed.url("/", scheme: "https"), through: proxy)
            #expect(refused.error?.code == .connectionLost && refused.responseHead == nil)
            let text = "The proxy 127.0.0.1:\(proxy.port) did not connect to the server."
            #expect(refused.error?.description == text)
            let beneath = try #require(refused.error?.underlying as? URLError)
            #expect(beneath.localizedDescription.contains("403"), "\(beneath.localizedDescription)")
        }
    }
#endif
