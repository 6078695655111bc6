#if canImport(Glibc)
    import Foundation
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// Exchanges that wait until another one has connected to their server over TLS.
    @Suite(
        .enabled(if: PythonServer.isInstalled, "nginx, python3 or openssl is not installed"), .timeLimit(.minutes(10)))
    struct CurlConnectionWaitTests {
        private static let timeout = Duration.milliseconds(300)

        /// A host that accepts connections and never shakes hands.
        private let host: UnresponsiveHost
        private let silent: URL
        private let identity: TestCertificate

        init() throws {
            host = try UnresponsiveHost(connects: true)
            silent = try #require(URL(string: host.url.absoluteString.replacing("http:", with: "https:")))
            identity = try TestCertificate()
        }

        private func configuration(connectTimeout: Duration = .seconds(3600)) -> TransportConfiguration {
            var configuration = TransportConfiguration.patient(trusting: identity.certificate)
            configuration.connectTimeout = connectTimeout
            return configuration
        }

        private func start(
            _ count: Int, _ exchange: HTTPExchange, over transport: any Transport
        ) -> [(recorder: EventRecorder, handle: any ExchangeHandle)] {
            (0..<count).map { _ in
                let recorder = EventRecorder()
                return (recorder, transport.start(exchange, receiver: recorder))
            }
        }

        @Test(arguments: ["connect", "idle", "total"])
        func `Each timeout covers the wait for a connection, another exchange's included`(name: String) async throws {
            let connectTimeout = name == "connect" ? Self.timeout : .seconds(3600)
            let transport = try TransportKind.curl.makeTransport(configuration(connectTimeout: connectTimeout))
            let exchange = HTTPExchange(
                url: silent, idleTimeout: name == "idle" ? Self.timeout : nil,
                totalTimeout: name == "total" ? Self.timeout : nil)
            let start = ContinuousClock.now
            // Noted by the loop's thread: a test may have to wait for its turn.
            let ends = Gathering<Duration>()
            let recorders = (0..<20).map { _ in
                EventRecorder(onCompletion: { ends.add(start.duration(to: .now)) })
            }
            for recorder in recorders { _ = transport.start(exchange, receiver: recorder) }
            for recorder in recorders { #expect(await recorder.outcome().error?.code == .timedOut) }
            #expect(ends.values.allSatisfy { $0 >= Self.timeout && $0 < Self.timeout * 8 }, "\(ends.values)")
        }

        @Test func `The end of the transport cancels the exchanges that wait for a connection`() async throws {
            var transport: (any Transport)? = try TransportKind.curl.makeTransport(configuration())
            let recorders = (0..<20).map { _ in EventRecorder() }
            for recorder in recorders { _ = transport?.start(HTTPExchange(url: silent), receiver: recorder) }
            transport = nil
            for recorder in recorders { #expect(await recorder.outcome().error?.code == .cancelled) }
        }

        /// libcurl itself has one list for all transfers that it holds back: with 8.23 those for the other server timed
        /// out.
        @Test(arguments: ["http2", ""])
        func `A host that hangs does not hold up exchanges with another one`(protocols: String) async throws {
            let files = try TemporaryFolder()
            try files.write(Data(count: 1000), to: "small")
            let server = try NginxServer(root: files.url, isSecure: true, protocols: protocols)
            defer { server.stop() }
            var configuration = configuration()
            configuration.trustedCertificatesFile = server.certificate
            let transport = try TransportKind.curl.makeTransport(configuration)
            let hanging = start(20, HTTPExchange(url: silent), over: transport)
            let others = start(20, HTTPExchange(url: server.url("small")), over: transport)
            let more = start(20, HTTPExchange(url: silent), over: transport)
            for (recorder, _) in others { #expect(await recorder.outcome().bodyLength == 1000) }
            #expect((hanging + more).allSatisfy { !$0.recorder.transcript.isComplete })
            for (recorder, handle) in hanging + more {
                handle.cancel()
                #expect(await recorder.outcome().error?.code == .cancelled)
            }
        }

        /// Treats its first connection as the third argument says, and serves the others.
        private static let script = """
            import itertools, time
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            mode, numbers = sys.argv[4], itertools.count()
            def serve(connection):
                if next(numbers) == 0:
                    if mode == 'closes': return connection.close()
                    if mode == 'hangs': return connection.recv(1 << 20) and time.sleep(600)
                if mode == 'dawdles': time.sleep(2)
                try: connection = context.wrap_socket(connection, server_side=True)
                except OSError: return
                while connection.recv(65536):
                    if mode == 'dawdles': time.sleep(2)
                    connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhello')
            """

        private func server(_ mode: String) throws -> (PythonServer, HTTPExchange) {
            let server = try PythonServer(
                Self.script, arguments: [identity.certificate.path, identity.key.path, mode])
            return (server, HTTPExchange(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/"))))
        }

        @Test func `A connection that fails ends the exchange that made it and no other`() async throws {
            let (server, exchange) = try server("closes")
            let transport = try TransportKind.curl.makeTransport(configuration())
            let all = start(20, exchange, over: transport)
            #expect(await all[0].recorder.outcome().error != nil)
            for (recorder, _) in all.dropFirst() { #expect(await recorder.outcome().text == "hello") }
            withExtendedLifetime(server) {}
        }

        @Test func `Waiting exchanges connect when the exchange that they wait for is cancelled`() async throws {
            let (server, exchange) = try server("hangs")
            let transport = try TransportKind.curl.makeTransport(configuration())
            let all = start(20, exchange, over: transport)
            all[1].handle.cancel()
            #expect(await all[1].recorder.outcome().error?.code == .cancelled)
            all[0].handle.cancel()
            #expect(await all[0].recorder.outcome().error?.code == .cancelled)
            for (recorder, _) in all.dropFirst(2) { #expect(await recorder.outcome().text == "hello") }
            withExtendedLifetime(server) {}
        }

        @Test(.enabled(if: CurlLibrary.version >= 0x07_50_00, "libcurl before 7.80 does not tell when it sends"))
        func `The idle timeout starts again when the request is sent`() async throws {
            let (server, exchange) = try server("dawdles")
            var configuration = configuration()
            // Less than the server takes for a handshake and a response, more than for one of them.
            configuration.idleTimeout = .seconds(3)
            let transport = try TransportKind.curl.makeTransport(configuration)
            for (recorder, _) in start(4, exchange, over: transport) {
                #expect(await recorder.outcome().text == "hello")
            }
            withExtendedLifetime(server) {}
        }

        @Test func `A host's limit of requests is one of connections over HTTP/1.1`() async throws {
            let files = try TemporaryFolder()
            try files.write(Data(count: 1000), to: "small")
            let server = try NginxServer(root: files.url, isSecure: true, protocols: "")
            defer { server.stop() }
            var configuration = configuration()
            configuration.trustedCertificatesFile = server.certificate
            let queue = try NetworkQueue.live(configuration, atATime: 16)
            queue.maxConcurrentRequestCountPerHost = 3
            for _ in 0..<60 { queue.add(server.url("small")) }
            #expect(await queue.run().isSuccess)
            let accepted = try await server.acceptedCount(for: 60)
            #expect(accepted <= 3, "\(accepted)")
        }

        @Test func `No more connections are kept than the configuration allows`() async throws {
            let files = try TemporaryFolder()
            try files.write(Data(count: 1000), to: "small")
            let server = try NginxServer(root: files.url, isSecure: true, protocols: "")
            defer { server.stop() }
            var configuration = configuration()
            configuration.trustedCertificatesFile = server.certificate
            configuration.maxConnections = 2
            let transport = try TransportKind.curl.makeTransport(configuration)
            for _ in 0..<2 {
                let heads = Gathering<Bool>()
                let recorders = (0..<8).map { _ in
                    EventRecorder(onHead: { _ in
                        heads.add(true)
                        return .pause
                    })
                }
                let handles = recorders.map { transport.start(HTTPExchange(url: server.url("small")), receiver: $0) }
                _ = await heads.wait(count: 8)
                for handle in handles { handle.resume() }
                for recorder in recorders { #expect(await recorder.outcome().bodyLength == 1000) }
            }
            #expect((14...16).contains(try await server.acceptedCount(for: 16)))
        }
    }
#endif
