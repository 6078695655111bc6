import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerGateTests {
    private let server: LoopbackServer
    private let client: RawClient
    private let gate = Gate()

    init() throws {
        server = try LoopbackServer()
        client = try RawClient(server.port)
    }

    @Test func `A gate holds the head back until it is opened`() async throws {
        server.serve("/g", .text("x").gated(by: gate))
        try client.request("/g")
        #expect(await gate.waitForArrival())
        #expect(gate.waitingCount == 1)
        #expect(server.counters.concurrentRequests == 1)
        gate.open()
        #expect(try client.response().text == "x")
        #expect(try client.get("/g").text == "x")
        #expect(gate.arrivalCount == 2)
    }

    @Test func `The head goes out before a gate after it`() async throws {
        server.serve("/g", .text("x").gated(by: gate, at: .afterHead))
        try client.request("/g")
        #expect(try RawResponse(head: client.readHead()).status == 200)
        #expect(await gate.waitForArrival())
        gate.open()
        #expect(try client.read(1) == Array("x".utf8))
    }

    @Test func `Exactly the bytes before a gate in the body go out`() async throws {
        let (second, content) = (Gate(), GeneratedContent(size: 400_000, seed: 2))
        server.serve(
            "/g",
            .generated(size: content.size, seed: 2).gated(by: second, at: .afterBody(300_001))
                .gated(by: gate, at: .afterBody(5)))
        try client.request("/g")
        _ = try client.readHead()
        #expect(await gate.waitForArrival())
        #expect(try client.read(5) == content.bytes(in: 0..<5))
        gate.open()
        #expect(await second.waitForArrival())
        #expect(try client.read(299_996) == content.bytes(in: 5..<300_001))
        second.open()
        #expect(try client.read(99_999) == content.bytes(in: 300_001..<400_000))
    }

    @Test func `A gate before the request's body holds back 100 Continue`() async throws {
        server.serve("/g", .text("x").gated(by: gate, at: .beforeRequestBody))
        try client.send("PUT /g HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(await gate.waitForArrival())
        #expect(server.requests.map(\.isComplete) == [false])
        gate.open()
        #expect(try client.response().status == 100)
        try client.send("ab")
        #expect(try client.response().text == "x")
        #expect(server.requests.map(\.isComplete) == [true])
    }

    @Test func `A gate lets a counted number through, those that wait the longest first`() async throws {
        server.serve("/g", .text("x").gated(by: gate))
        let clients = try (0..<3).map { _ in try RawClient(server.port) }
        for (index, client) in clients.enumerated() {
            try client.request("/g")
            #expect(await gate.waitForArrival(count: index + 1))
        }
        gate.letThrough(2)
        #expect(try clients[0].response().text == "x")
        #expect(try clients[1].response().text == "x")
        #expect(gate.waitingCount == 1)
        gate.letThrough(2)
        #expect(try clients[2].response().text == "x")
        #expect(try clients[0].get("/g").text == "x")
        try clients[1].request("/g")
        #expect(await gate.waitForArrival(count: 5))
        #expect(gate.waitingCount == 1)
    }

    @Test func `A gate that is closed again holds the next response`() async throws {
        server.serve("/g", .text("x").gated(by: gate))
        gate.open()
        #expect(try client.get("/g").text == "x")
        gate.close()
        try client.request("/g")
        #expect(await gate.waitForArrival(count: 2))
        #expect(gate.waitingCount == 1)
    }

    @Test func `A client that hangs up leaves the gate`() async throws {
        server.serve("/g", .text("x").gated(by: gate))
        try client.request("/g")
        #expect(await gate.waitForArrival())
        client.hangUp()
        #expect(await server.wait { $0.openConnections == 0 })
        #expect(gate.waitingCount == 0)
    }

    @Test func `Waiting for an arrival ends with its timeout or its task`() async {
        #expect(await gate.waitForArrival(timeout: .milliseconds(1)) == false)
        let task = Task { [gate] in await gate.waitForArrival() }
        task.cancel()
        #expect(await task.value == false)
    }

    @Test func `An arrival can be waited for by blocking`() throws {
        func block(_ timeout: Duration) -> Bool { gate.waitForArrival(timeout: timeout) }
        #expect(block(.milliseconds(1)) == false)
        server.serve("/g", .text("x").gated(by: gate))
        try client.request("/g")
        #expect(block(.seconds(20)))
        #expect(server.wait { $0.concurrentRequests == 1 })
    }
}
