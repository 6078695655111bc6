#if canImport(Glibc)
    import Foundation
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// RFC 9112, section 9.8.
    @Suite(.enabled(if: PythonServer.isInstalled, "python3 or openssl is not installed"), .timeLimit(.minutes(10)))
    struct TLSCloseTests {
        private static let script = """
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            if len(sys.argv) > 4:
                context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, sys.argv[4])
                context.set_ciphers('ALL:@SECLEVEL=0')
            responses = {
                '/close': b'HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\nhello',
                '/length': b'HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: 5\\r\\n\\r\\nhello',
                '/chunked': b'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n0\\r\\n\\r\\n',
            }
            def forward(client):
                client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\n')
                server = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
                while True:
                    ready = [client] if client.pending() else select.select([client, server], [], [], 60)[0]
                    for source in ready:
                        data = source.recv(10000)
                        if not data:
                            server.close()
                            # The proxy announces the end of its own session, whatever the server has done.
                            try: client.unwrap()
                            except OSError: pass
                            return client.close()
                        (server if source is client else client).sendall(data)
            def serve(connection):
                try: connection = context.wrap_socket(connection, server_side=True)
                except OSError: return
                method, target = connection.recv(10000).split(b' ')[:2]
                if method == b'CONNECT': return forward(connection)
                path = target.decode()
                kind, _, _ = path[1:].partition('?')
                connection.sendall(responses['/' + kind])
                if 'alert' in path:
                    try: connection.unwrap()
                    except OSError: pass
                os.close(connection.detach())
            """

        private let identity: TestCertificate

        init() throws { identity = try TestCertificate() }

        private func server(_ version: String...) throws -> PythonServer {
            try PythonServer(Self.script, arguments: [identity.certificate.path, identity.key.path] + version)
        }

        private func get(
            _ path: String, from server: PythonServer, allowsIncompleteTLSClose: Bool = false, goesByProxy: Bool = false
        ) async throws -> RequestOperation {
            var configuration = TransportConfiguration.patient(trusting: identity.certificate)
            configuration.allowsIncompleteTLSClose = allowsIncompleteTLSClose
            if goesByProxy { configuration.proxy = URL(string: "https://127.0.0.1:\(server.port)") }
            let queue = RequestQueue(transport: try TransportKind.curl.makeTransport(configuration))
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)\(path)"))
            return await withCheckedContinuation { continuation in
                let operation = RequestOperation(NetworkRequest(url))
                operation.completionHandler = { _, _, _ in continuation.resume(returning: operation) }
                queue.add(operation)
            }
        }

        @Test(arguments: ["TLSv1_2", "TLSv1_3"])
        func `The end of a TLS connection without an alert does not complete content of unknown length`(version: String)
            async throws
        {
            let server = try server(version)
            let cut = try await get("/close", from: server)
            #expect(cut.error?.code == .connectionLost && cut.data == nil)
            let allowed = try await get("/close", from: server, allowsIncompleteTLSClose: true)
            #expect(allowed.error == nil && allowed.data == Data("hello".utf8))
            #expect(try await get("/close?alert", from: server).data == Data("hello".utf8))
        }

        @Test
        func `The end of a TLS connection is the server's, whatever a proxy announces about its own`() async throws {
            let server = try server()
            let cut = try await get("/close", from: server, goesByProxy: true)
            #expect(cut.error?.code == .connectionLost && cut.data == nil)
            #expect(try await get("/close?alert", from: server, goesByProxy: true).data == Data("hello".utf8))
        }

        @Test(arguments: ["/length", "/length?alert", "/chunked", "/chunked?alert"])
        func `The end of a TLS connection does not matter to content that tells its own end`(path: String) async throws
        {
            let server = try server()
            #expect(try await get(path, from: server).data == Data("hello".utf8))
        }

        @Test(arguments: ["TLSv1", "TLSv1_1"])
        func `A connection to a server with TLS before 1.2 fails`(version: String) async throws {
            let operation = try await get("/length", from: try server(version))
            #expect(operation.error?.code == .tlsFailure)
        }

        @Test(arguments: ["TLSv1", "TLSv1_1"])
        func `A connection to a proxy with TLS before 1.2 fails`(version: String) async throws {
            let operation = try await get("/length", from: try server(version), goesByProxy: true)
            #expect(operation.error?.code == .tlsFailure)
        }
    }
#endif
