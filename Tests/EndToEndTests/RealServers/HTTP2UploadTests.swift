#if canImport(Glibc)
    import Foundation
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// Servers that answer before they have the content, or one response after the other (RFC 9113, section 8.1).
    @Suite(.timeLimit(.minutes(10)))
    struct HTTP2UploadTests {
        private func transport(_ identity: TestCertificate, idleTimeout: Duration? = nil) throws -> CurlTransport {
            var configuration = TransportConfiguration.patient(trusting: identity.certificate)
            if let idleTimeout { configuration.idleTimeout = idleTimeout }
            return try #require(CurlTransport(configuration: configuration))
        }

        private func run(
            _ method: String, _ path: String, _ port: UInt16, body: TestBody? = nil, over transport: CurlTransport
        ) async throws -> Transcript {
            let url = try #require(URL(string: "https://127.0.0.1:\(port)\(path)"))
            let recorder = EventRecorder()
            _ = transport.start(HTTPExchange(url: url, method: method, body: body), receiver: recorder)
            return await recorder.outcome()
        }

        /// Caddy 2.6.2, as granian and rclone 1.60 do: libcurl 7.88 and 8.1 lost the answer to 50 MB in 20 of 20
        /// uploads.
        @Test(
            .enabled(if: CaddyServer.isInstalled, "caddy, nginx or openssl is not installed"),
            arguments: [307, 401, 403])
        func `An early refusal of much content is not lost`(status: Int) async throws {
            let server = try CaddyServer(
                directives: """
                    redir /307 /new 307
                    respond /401 "no" 401
                    respond /403 "no" 403
                    respond /get "here"
                    """)
            defer { server.stop() }
            let transport = try transport(server.identity)
            #expect(try await run("GET", "/get", server.port, over: transport).head?.httpVersion == "HTTP/2")
            // Up to 64 KiB go by HTTP/2 with an older one, too, which loses the answer where that comes before the
            // content has gone.
            let isOld = CurlLibrary.version < 0x08_07_00
            for size in (isOld ? [] : [8 << 10]) + [8 << 20, 8 << 20] {
                let body = TestBody(size: size)
                let transcript = try await run("PUT", "/\(status)", server.port, body: body, over: transport)
                #expect(transcript.hasSucceeded && transcript.head?.statusCode == status)
                #expect(transcript.head?.httpVersion == (isOld ? "HTTP/1.1" : "HTTP/2"))
            }
            #expect(try await run("GET", "/get", server.port, over: transport).text == "here")
        }

        /// `/early` is answered at once, and its stream is reset after that; `/second` after `/first`, whose content
        /// comes in pieces.
        private static let script = """
            import time
            from h2.config import H2Configuration
            from h2.connection import H2Connection
            from h2.events import PingAckReceived, RequestReceived
            from h2.settings import SettingCodes
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            context.set_alpn_protocols(['h2'])
            def serve(connection):
                try: connection = context.wrap_socket(connection, server_side=True)
                except OSError: return
                h2 = H2Connection(config=H2Configuration(client_side=False))
                h2.initiate_connection()
                # So little that the content does not fit.
                h2.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 1024})
                connection.sendall(h2.data_to_send())
                streams = {}
                for _ in range(10000):
                    data = connection.recv(1024)
                    if not data: return
                    for event in h2.receive_data(data):
                        # The answer has been read.
                        if isinstance(event, PingAckReceived): h2.reset_stream(streams.pop('/early'), error_code=8)
                        if not isinstance(event, RequestReceived): continue
                        stream, path = event.stream_id, dict(event.headers)[b':path'].decode()
                        streams[path] = stream
                        if path in ('/first', '/second'): continue
                        h2.send_headers(stream, [(':status', '201'), ('content-length', '4')])
                        h2.send_data(stream, b'done', end_stream=True)
                        if path == '/early': h2.ping(b'answered')
                    if '/first' in streams and '/second' in streams:
                        first, second = streams.pop('/first'), streams.pop('/second')
                        h2.send_headers(first, [(':status', '200')])
                        for _ in range(20):
                            h2.send_data(first, b'some')
                            connection.sendall(h2.data_to_send())
                            time.sleep(0.15)
                        h2.send_data(first, b'', end_stream=True)
                        h2.send_headers(second, [(':status', '200')], end_stream=True)
                    connection.sendall(h2.data_to_send())
            """

        private static let canRun = PythonServer.canSpeakHTTP2

        /// The server of the script, and a transport that is connected with it.
        private func start(idleTimeout: Duration? = nil) async throws -> (PythonServer, CurlTransport) {
            let identity = try TestCertificate()
            let server = try PythonServer(Self.script, arguments: [identity.certificate.path, identity.key.path])
            let transport = try transport(identity, idleTimeout: idleTimeout)
            #expect(try await run("GET", "/", server.port, over: transport).hasSucceeded)
            return (server, transport)
        }

        /// A server that has answered may reset the rest with any code (granian does). libcurl before 8.7 may not
        /// notice while it waits for room to send: there, uploads that are larger than a usual window go by HTTP/1.1.
        @Test(
            .enabled(if: canRun, "openssl, python3 or its h2 is not installed"),
            .enabled(if: CurlLibrary.version >= 0x08_07_00, "libcurl is older than 8.7"))
        func `An answer that has come whole is the answer, though its stream is reset`() async throws {
            let (server, transport) = try await start()
            let body = TestBody(size: 60 << 10)
            for _ in 0..<3 {
                let transcript = try await run("POST", "/early", server.port, body: body, over: transport)
                #expect(transcript.hasSucceeded && transcript.head?.statusCode == 201 && transcript.text == "done")
            }
        }

        /// Apache 2.4.71 sends streams one after the other: of 4 files of 40 MB at 2 MB/s, with five seconds of
        /// patience, 3 failed.
        @Test(.enabled(if: canRun, "openssl, python3 or its h2 is not installed"))
        func `A stream whose turn has not come is not silent`() async throws {
            let (server, transport) = try await start(idleTimeout: .seconds(2))
            async let first = run("GET", "/first", server.port, over: transport)
            async let second = run("GET", "/second", server.port, over: transport)
            let (one, two) = try await (first, second)
            #expect(one.hasSucceeded && one.bodyLength == 80)
            #expect(two.hasSucceeded && two.head?.statusCode == 200)
        }

        @Test(.enabled(if: canRun, "openssl, python3 or its h2 is not installed"))
        func `A server that sends nothing is silent on all streams`() async throws {
            let (server, transport) = try await start(idleTimeout: .milliseconds(300))
            for _ in 0..<2 {
                #expect(try await run("GET", "/first", server.port, over: transport).error?.code == .timedOut)
            }
        }

        /// Hands on what is sent to it through a tunnel, over TLS.
        private static let proxy = """
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            def serve(connection):
                try: client = context.wrap_socket(connection, server_side=True)
                except OSError: return
                port = int(client.recv(10000).split(b' ')[1].rpartition(b':')[2])
                server = socket.create_connection(('127.0.0.1', port))
                client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\n')
                while True:
                    ready = [client] if client.pending() else select.select([client, server], [], [], 60)[0]
                    for source in ready:
                        data = source.recv(65536)
                        if not data: return
                        (server if source is client else client).sendall(data)
            """

        /// squid 5.7 and others in front of nginx 1.22 over HTTP/2: with libcurl 7.88 responses stall, with 8.23 they
        /// do not.
        @Test(
            .enabled(
                if: NginxServer.canServeTLS && PythonServer.isInstalled, "nginx, python3 or openssl is not installed"))
        func `Responses come through a proxy over TLS by HTTP/2, or by HTTP/1.1 with an older libcurl`() async throws {
            let files = try TemporaryFolder()
            let content = TestBody(size: 3 << 20).bytes
            try files.write(content, to: "file")
            let server = try NginxServer(root: files.url, isSecure: true)
            defer { server.stop() }
            let identity = try TestCertificate()
            let proxy = try PythonServer(Self.proxy, arguments: [identity.certificate.path, identity.key.path])
            let certificates = try [server.certificate, identity.certificate].compactMap { $0 }.map {
                try Data(contentsOf: $0)
            }
            try files.write(certificates[0] + certificates[1], to: "certificates.pem")
            var configuration = TransportConfiguration.patient(trusting: files.file("certificates.pem"))
            configuration.proxy = URL(string: "https://127.0.0.1:\(proxy.port)")
            configuration.idleTimeout = .seconds(60)
            let transport = try #require(CurlTransport(configuration: configuration))
            let recorders = (0..<4).map { _ in EventRecorder() }
            for recorder in recorders { _ = transport.start(HTTPExchange(url: server.url("file")), receiver: recorder) }
            for recorder in recorders {
                let transcript = await recorder.outcome()
                #expect(transcript.hasSucceeded && transcript.bodyLength == Int64(content.count))
                #expect(transcript.head?.httpVersion == (CurlLibrary.version < 0x08_07_00 ? "HTTP/1.1" : "HTTP/2"))
            }
        }
    }
#endif
