#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import Testing

    /// Connections that are lost while content is being sent: so much of it that sending fails, not only the wait for a
    /// response.
    @Suite(.timeLimit(.minutes(10)))
    struct CurlLostConnectionTests {
        private let body = TestBody(size: 16 << 20)

        @Test(arguments: ["PUT", "POST"])
        func `Content is sent again if a connection that was used before is lost`(method: String) async throws {
            let bench = try TransportBench(.curl)
            for round in 1...2 {
                await bench.settle()
                bench.server.serve("/content", sequence: [.hangUp, .echo])
                let transcript = await bench.run(bench.exchange("/content", method: method, body: body))
                #expect(transcript.hasSucceeded)
                let echo = try JSONDecoder().decode(Echo.self, from: transcript.body)
                #expect(echo.checksum == Echo.hexadecimal(ContentChecksum.of(body.bytes)))
                #expect(transcript.sent.last == body.length)
                #expect(bench.server.requestCount("/content") == 2 * round)
                #expect(bench.server.connectionCount == round + 1)
            }
        }

        @Test func `Content is sent again only once`() async throws {
            let bench = try TransportBench(.curl)
            await bench.settle()
            bench.server.serve("/content", .hangUp)
            let transcript = await bench.run(bench.exchange("/content", method: "PUT", body: body))
            #expect(transcript.error?.code == .networkConnectionLost)
            #expect(bench.server.requestCount("/content") == 2 && bench.server.connectionCount == 2)
            await bench.settle()
        }

        /// Answers a request with an interim response and ends its connection in the middle of the content, where the
        /// connection had been used before; else with 200.
        private static let interrupting = """
            def serve(connection):
                used = False
                while True:
                    received = b''
                    while b'\\r\\n\\r\\n' not in received: received += connection.recv(1 << 16)
                    length = 16 << 20 if received.startswith(b'PUT') else 0
                    left = length - len(received.partition(b'\\r\\n\\r\\n')[2])
                    # More than fits into buffers: when it has been sent, what came before it has been received.
                    if used and length: connection.sendall(b'HTTP/1.1 103 Early Hints\\r\\n\\r\\n')
                    while left > (8 << 20 if used and length else 0): left -= len(connection.recv(1 << 16))
                    if left:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
                        return connection.close()
                    connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n')
                    used = True
            """

        @Test(.enabled(if: PythonServer.isInstalled, "python3 or openssl is not installed"))
        func `Content is not sent again if the server has begun to answer`() async throws {
            let bench = try TransportBench(.curl)
            let server = try PythonServer(Self.interrupting)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            #expect(await bench.run(HTTPExchange(url: url)).hasSucceeded)
            let transcript = await bench.run(HTTPExchange(url: url, method: "PUT", body: body))
            #expect(transcript.error?.code == .networkConnectionLost)
        }

        @Test func `Content is not sent again if the connection was new`() async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/content", .hangUp)
            let transcript = await bench.run(bench.exchange("/content", method: "PUT", body: body))
            #expect(transcript.error?.code == .networkConnectionLost)
            #expect(bench.server.requestCount("/content") == 1)
            await bench.settle()
        }
    }
#endif
