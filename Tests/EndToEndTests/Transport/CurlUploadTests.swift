#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// Content that a server answers before it has come, or need not come at all (RFC 9110, section 10.1.1).
    @Suite(.timeLimit(.minutes(10)))
    struct CurlUploadTests {
        private static let large = (1 << 20) + 1

        private func expectations(_ server: LoopbackServer) -> [String?] {
            server.requests.map { $0.headers["Expect"] }
        }

        /// bottle 0.13.4, uploadserver, Java's httpserver and granian close their connection when they refuse content:
        /// without waiting, the answer is sometimes lost. Apache 2.4.71 with a client certificate per folder answers
        /// 413 from 128 KiB on.
        @Test(arguments: [
            (large - 1, false, false), (large, false, true), (128 << 10, true, false), ((128 << 10) + 1, true, true),
        ])
        func `A server is asked whether it wants much content, and earlier if it may ask for a certificate`(
            size: Int, hasCertificate: Bool, isAsked: Bool
        ) async throws {
            var configuration = TransportConfiguration.patient
            // Not looked at in the clear.
            let file = URL(filePath: "/certificate.pem")
            if hasCertificate { configuration.clientCertificate = ClientCertificate(certificateFile: file) }
            let bench = try TransportBench(.curl, configuration)
            bench.server.serve("/", .echo)
            let body = TestBody(size: size)
            for _ in 0..<2 {
                let transcript = await bench.run(bench.exchange(method: "PUT", body: body))
                let echo = try JSONDecoder().decode(Echo.self, from: transcript.body)
                #expect(echo.checksum == Echo.hexadecimal(ContentChecksum.of(body.bytes)))
            }
            #expect(expectations(bench.server) == Array(repeating: isAsked ? "100-continue" : nil, count: 2))
        }

        @Test func `Content that a server refuses is not sent`() async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/", .text("no", status: 403).ignoringBody().closing())
            let transcript = await bench.run(bench.exchange(method: "POST", body: TestBody(size: Self.large)))
            #expect(transcript.hasSucceeded && transcript.head?.statusCode == 403 && transcript.text == "no")
            #expect(transcript.sent.isEmpty)
        }

        /// PHP's own server never answers it, which takes a second each time.
        @Test func `An origin that does not answer is not asked again`() async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/", .text("done").ignoringExpect())
            let exchange = bench.exchange(method: "PUT", body: TestBody(size: Self.large))
            for _ in 0..<3 { #expect(await bench.run(exchange).text == "done") }
            #expect(expectations(bench.server) == ["100-continue", nil, nil])
        }

        @Test(arguments: ["PUT", "POST"])
        func `Content is sent without asking to a server that does not know the question`(method: String) async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/", sequence: [.status(417).ignoringBody(), .text("done")])
            let exchange = bench.exchange(method: method, body: TestBody(size: Self.large))
            for _ in 0..<2 {
                let transcript = await bench.run(exchange)
                #expect(transcript.head?.statusCode == 200 && transcript.text == "done")
            }
            #expect(expectations(bench.server) == ["100-continue", nil, nil])
        }

        @Test func `An Expect field of the caller's own is sent once, and as it is`() async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/", .text("done"))
            for size in [10, Self.large] {
                let exchange = bench.exchange(
                    method: "PUT", headers: ["Expect": "100-Continue"], body: TestBody(size: size))
                #expect(await bench.run(exchange).text == "done")
            }
            #expect(
                bench.server.requests.map { $0.headers.values(for: "Expect") } == [["100-Continue"], ["100-Continue"]])
        }

        /// Answers when it has the beginning of the content, and goes on reading before it resets the connection.
        private static let answering = """
            def serve(connection):
                received = 0
                while received < 1 << 20: received += len(connection.recv(1 << 16))
                connection.sendall(b'HTTP/1.1 201 Created\\r\\nContent-Length: 4\\r\\n\\r\\ndone')
                # More than fits into buffers: what came before it has been received.
                while received < 12 << 20: received += len(connection.recv(1 << 16))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
                connection.close()
            """

        /// 201 is the answer, also where libcurl ends with 55: granian's were reported as lost connections, and sent
        /// four times (20 of 20).
        @Test(.enabled(if: PythonServer.isInstalled, "python3 or openssl is not installed"))
        func `An answer that has come whole is the answer, whatever becomes of the rest of the content`() async throws {
            let server = try PythonServer(Self.answering)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            let transport = try #require(CurlTransport(configuration: .patient))
            let recorder = EventRecorder()
            // Its own question, which is not answered at once, would keep the content back.
            let exchange = HTTPExchange(
                url: url, method: "POST", headers: ["Expect": "nothing"], body: TestBody(Data(count: 24 << 20)))
            _ = transport.start(exchange, receiver: recorder)
            let transcript = await recorder.outcome()
            #expect(transcript.hasSucceeded && transcript.head?.statusCode == 201 && transcript.text == "done")
        }
    }
#endif
