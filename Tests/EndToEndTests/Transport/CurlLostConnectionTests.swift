#if canImport(Glibc)
    import Foundation
    import LoopbackServer
    import NetworkQueueKit
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Connections that are lost while content is being sent: so much of it that sending fails, not only the wait for a response.
    @Suite(.timeLimit(.minutes(5)))
    struct CurlLostConnectionTests {
        private let body = TestBody(size: 16 << 20)

        @Test(arguments: ["PUT", "POST"])
        func `content is sent again where a connection that was used before is lost`(method: String) async throws {
            let bench = try TransportBench(.curl)
            for round in 1...3 {
                await bench.settle()
                bench.server.serve("/content", sequence: [.hangUp, .echo])
                let transcript = await bench.run(bench.exchange("/content", method: method, body: body))
                #expect(transcript.hasSucceeded)
                let echo = try JSONDecoder().decode(Echo.self, from: transcript.body)
                #expect(echo.checksum == Echo.hexadecimal(Checksum.of(body.bytes)))
                #expect(transcript.sent.last == body.length)
                #expect(bench.server.requestCount("/content") == 2 * round)
                #expect(bench.server.connectionCount == round + 1)
            }
        }

        @Test func `it is sent again once`() async throws {
            let bench = try TransportBench(.curl)
            await bench.settle()
            bench.server.serve("/content", .hangUp)
            let transcript = await bench.run(bench.exchange("/content", method: "PUT", body: body))
            #expect(transcript.error?.code == .networkConnectionLost)
            #expect(bench.server.requestCount("/content") == 2 && bench.server.connectionCount == 2)
            await bench.settle()
        }

        @Test func `it is not sent again where the connection was new`() async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/content", .hangUp)
            let transcript = await bench.run(bench.exchange("/content", method: "PUT", body: body))
            #expect(transcript.error?.code == .networkConnectionLost)
            #expect(bench.server.requestCount("/content") == 1)
            await bench.settle()
        }
    }
#endif
