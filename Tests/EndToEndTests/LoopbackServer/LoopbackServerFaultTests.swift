import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerFaultTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer()
        client = try RawClient(server.port)
    }

    @Test(arguments: [0, 1, 5000, 300_000] as [Int64])
    func `A dropped connection ends with a FIN after exactly so many bytes`(count: Int64) throws {
        server.serve("/d", .generated(size: 400_000).dropping(after: count))
        try client.request("/d")
        #expect(try RawResponse(head: client.readHead())["Content-Length"] == "400000")
        #expect(try client.readToEnd().count == Int(count))
    }

    @Test(arguments: [0, 5000] as [Int64])
    func `A reset connection ends with an RST after exactly so many bytes`(count: Int64) throws {
        server.serve("/d", .generated(size: 400_000).dropping(after: count, .reset))
        try client.request("/d")
        _ = try client.readHead()
        #expect(try client.read(Int(count)).count == Int(count))
        #expect(throws: RawClient.Failure.reset) { try client.readToEnd() }
    }

    @Test func `A chunked body can be dropped between chunks`() throws {
        server.serve("/d", .text("Hello").chunked().dropping(after: 3))
        try client.request("/d")
        _ = try client.readHead()
        #expect(try client.readToEnd() == Array("3\r\nHel\r\n".utf8))
    }

    @Test func `Hanging up closes the connection without a byte`() throws {
        server.serve("/h", .hangUp)
        try client.request("/h")
        #expect(try client.readToEnd().isEmpty)
        #expect(server.requestCount("/h") == 1)
    }

    @Test func `The next connections can be closed as soon as they are accepted`() async throws {
        #expect(try client.get("/").status == 404)
        server.hangUpOnNextConnections(2)
        for _ in 0..<2 {
            #expect(try RawClient(server.port).readToEnd().isEmpty)
        }
        #expect(try RawClient(server.port).get("/").status == 404)
        #expect(server.connectionCount == 4)
        #expect(server.counters.requests == 2)
    }

    @Test func `A stalled response ends when the client hangs up`() async throws {
        server.serve("/s", .text("Hello").stalling(after: 2))
        try client.request("/s")
        _ = try client.readHead()
        #expect(try client.read(2) == Array("He".utf8))
        client.hangUp()
        #expect(await server.wait { $0.openConnections == 0 && $0.concurrentRequests == 0 })
    }

    @Test func `A delay comes before the head or before the body`() throws {
        let clock = ContinuousClock()
        server.serve("/d", .text("Hello").delayed(head: .milliseconds(60), body: .milliseconds(80)))
        let start = clock.now
        try client.request("/d")
        _ = try client.readHead()
        let head = clock.now
        #expect(try client.read(5) == Array("Hello".utf8))
        #expect(start.duration(to: head) >= .milliseconds(60))
        #expect(start.duration(to: clock.now) >= .milliseconds(140))
    }

    @Test(arguments: [ScriptedResponse.generated(size: 20_000), .generated(size: 20_000).chunked(size: 700)])
    func `A paced body takes the time of its size divided by its pace`(response: ScriptedResponse) throws {
        server.serve("/p", response.paced(bytesPerSecond: 100_000))
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try client.get("/p").body == GeneratedContent(size: 20_000).bytes(in: 0..<20_000))
        let duration = start.duration(to: clock.now)
        #expect(duration >= .milliseconds(200))
        #expect(duration < .seconds(5))
    }

    @Test(arguments: [
        ScriptedResponse.text("x").stalling(after: 0), .silence, .text("x").delayed(head: .seconds(3600)),
        .text("x").delayed(body: .seconds(3600)), .generated(size: 1 << 30).paced(bytesPerSecond: 1),
        .text("x").gated(by: Gate()), .generated(size: 1 << 33),
    ])
    func `Stopping the server interrupts whatever a response waits for`(response: ScriptedResponse) async throws {
        server.serve("/w", response)
        try client.request("/w")
        #expect(await server.wait { $0.concurrentRequests == 1 })
        let listener = try #require(try ListeningSocket(at: server.port))
        let clock = ContinuousClock()
        let start = clock.now
        server.stop()
        #expect(start.duration(to: clock.now) < .seconds(5))
        #expect(server.openConnectionCount == 0)
        #expect(try ListeningSocket(at: server.port) != listener)
    }

    @Test(arguments: [
        ScriptedResponse.silence, .text("x").delayed(head: .seconds(3600)),
        .generated(size: 1 << 30).paced(bytesPerSecond: 1),
        .text("x").gated(by: Gate()), .generated(size: 1 << 33),
    ])
    func `A client that hangs up interrupts whatever its response waits for`(response: ScriptedResponse) async throws {
        server.serve("/w", response)
        try client.request("/w")
        #expect(await server.wait { $0.concurrentRequests == 1 })
        client.hangUp()
        #expect(await server.wait { $0.openConnections == 0 && $0.concurrentRequests == 0 })
    }
}
