#if canImport(Glibc)
    import Foundation
    import Testing

    @testable import NetworkQueueKit

    /// What a server sends that nothing has asked for, on a connection that is kept: libcurl 7.70 to 7.88 and 8.23 read
    /// it as the beginning of the next response.
    @Suite(
        .enabled(if: PythonServer.isInstalled, "python3 or openssl is not installed"),
        // What has come too soon is looked for in a callback that libcurl has since then.
        .enabled(if: CurlLibrary.version >= 0x07_50_00, "libcurl is older than 7.80"), .timeLimit(.minutes(10)))
    struct CurlUnreadInputTests {
        /// `/late` sends what it is to send, `text` of a set of lines, once `/send` has been asked for; `/spoiled`
        /// sends `text` in place of a response where its connection has been used before. `/seen` tells how many
        /// connections there were, and the requests.
        private static let script = """
            import json
            texts = {
                # More than libcurl 8 discards before it closes a connection.
                'content': b'hello' * 2000,
                'timeout': b'HTTP/1.1 408 Request Timeout\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n',
                'half a head': b'HTTP/1.1 200 OK\\r\\nContent-Le',
                'nothing': b'',
            }
            text = texts[sys.argv[2]]
            lock, late, seen, connections = threading.Lock(), [], [], []
            def serve(connection):
                received = b''
                with lock: connections.append(connection)
                for number in range(1000):
                    while b'\\r\\n\\r\\n' not in received:
                        data = connection.recv(65536)
                        if not data: return
                        received += data
                    head, _, received = received.partition(b'\\r\\n\\r\\n')
                    method, path = head.decode().split(' ')[:2]
                    content = b'hello'
                    with lock:
                        if path != '/seen': seen.append(method + ' ' + path)
                        if path == '/seen': content = json.dumps([str(len(connections))] + seen).encode()
                        if path == '/late': late.append(connection)
                        if path == '/send':
                            for each in late: each.sendall(text)
                    if path == '/spoiled' and number > 0:
                        connection.sendall(text)
                        return connection.close()
                    answer = b'HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(content)
                    connection.sendall(answer + (b'' if method == 'HEAD' else content))
            """

        private let transport: CurlTransport
        /// Whose connections are others.
        private let other: CurlTransport

        init() throws {
            transport = try #require(CurlTransport(configuration: .patient))
            other = try #require(CurlTransport(configuration: .patient))
        }

        private func run(
            _ method: String, _ path: String, _ server: PythonServer, over transport: CurlTransport? = nil
        ) async throws -> Transcript {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
            let recorder = EventRecorder()
            _ = (transport ?? self.transport).start(HTTPExchange(url: url, method: method), receiver: recorder)
            return await recorder.outcome()
        }

        private func seen(_ server: PythonServer) async throws -> [String] {
            try JSONDecoder().decode([String].self, from: try await run("GET", "/seen", server, over: other).body)
        }

        /// Content after a HEAD: WsgiDAV issue 123, HTTP.jl issue 1112, busybox 1.35, Werkzeug 3.1.9 under waitress
        /// 3.0.2. Content beyond its Content-Length. A 408 of a server that closes a connection on which nothing is
        /// asked for, as nginx and Node.js send it.
        @Test(arguments: [("HEAD", "content"), ("GET", "content"), ("GET", "timeout")], ["GET", "POST"])
        func `A connection on which bytes have come before the request is not used for it`(
            first: (method: String, text: String), method: String
        ) async throws {
            let server = try PythonServer(Self.script, arguments: [first.text])
            #expect(try await run(first.method, "/late", server).hasSucceeded)
            #expect(try await run("GET", "/send", server, over: other).hasSucceeded)
            let transcript = try await run(method, "/next", server)
            #expect(transcript.head?.statusCode == 200 && transcript.text == "hello")
            // Of the one before, the one that had it sent, and the next.
            #expect(try await seen(server) == ["3", "\(first.method) /late", "GET /send", "\(method) /next"])
            let next = try #require(transcript.head?.url)
            let late = try #require(URL(string: "/late", relativeTo: next)?.absoluteURL)
            #expect(transport.sendsContentAfterHead(late) == (first.method == "HEAD"))
            #expect(!transport.sendsContentAfterHead(next))
        }

        @Test(arguments: ["content", "timeout", "half a head", "nothing"])
        func `A request is sent once more over a new connection if no response came over a used one`(
            text: String
        ) async throws {
            let server = try PythonServer(Self.script, arguments: [text])
            #expect(try await run("HEAD", "/first", server).hasSucceeded)
            let transcript = try await run("GET", "/spoiled", server)
            #expect(transcript.head?.statusCode == 200 && transcript.text == "hello")
            #expect(try await seen(server) == ["3", "HEAD /first", "GET /spoiled", "GET /spoiled"])
            let spoiled = try #require(transcript.head?.url)
            let first = try #require(URL(string: "/first", relativeTo: spoiled)?.absoluteURL)
            #expect(transport.sendsContentAfterHead(first) == (text == "content"))
            #expect(!transport.sendsContentAfterHead(spoiled))
        }

        @Test(arguments: ["content", "timeout"])
        func `A request that is not idempotent is not sent once more`(text: String) async throws {
            let server = try PythonServer(Self.script, arguments: [text])
            #expect(try await run("GET", "/first", server).hasSucceeded)
            let transcript = try await run("POST", "/spoiled", server)
            if text == "timeout" {
                #expect(transcript.head?.statusCode == 408)
            } else {
                #expect(transcript.error?.code == .badServerResponse && transcript.head == nil)
            }
            #expect(try await seen(server) == ["2", "GET /first", "POST /spoiled"])
        }
    }
#endif
