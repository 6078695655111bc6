import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerConnectionTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer(fallback: .text("x"))
    }

    @Test func `A connection serves one request after another, even pipelined ones`() throws {
        let client = try RawClient(server.port)
        for _ in 0..<3 { #expect(try client.get("/").text == "x") }
        for index in 0..<5 { try client.request("/\(index)") }
        for _ in 0..<5 { #expect(try client.response().text == "x") }
        #expect(server.connectionCount == 1)
        #expect(server.requests.suffix(5).map(\.path) == ["/0", "/1", "/2", "/3", "/4"])
    }

    @Test func `The connection closes if either side says so`() throws {
        server.serve("/closing", .text("x").closing())
        let first = try RawClient(server.port)
        #expect(try first.get("/closing")["Connection"] == "close")
        #expect(try first.readToEnd().isEmpty)
        let second = try RawClient(server.port)
        #expect(try second.get("/", headers: "Connection: close\r\n")["Connection"] == "close")
        #expect(try second.readToEnd().isEmpty)
        let third = try RawClient(server.port)
        try third.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try third.response().text == "x")
        #expect(try third.readToEnd().isEmpty)
    }

    @Test func `Idle connections can be hung up on right after their response`() throws {
        for _ in 0..<100 {
            let client = try RawClient(server.port)
            #expect(try client.get("/").text == "x")
            server.closeIdleConnections()
            #expect(try client.readToEnd().isEmpty)
        }
        #expect(server.openConnectionCount == 0)
    }

    @Test func `Connections with a request are not idle`() async throws {
        let gate = Gate()
        server.serve("/g", .text("x").gated(by: gate))
        let client = try RawClient(server.port)
        try client.request("/g")
        #expect(await gate.waitForArrival())
        server.closeIdleConnections()
        gate.open()
        #expect(try client.response().text == "x")
        #expect(try client.get("/").text == "x")
    }

    @Test func `Connections are counted`() async throws {
        var clients = try (0..<5).map { _ in try RawClient(server.port) }
        for client in clients { _ = try client.get("/") }
        #expect(server.openConnectionCount == 5)
        clients.removeLast(3)
        #expect(await server.wait { $0.openConnections == 2 })
        clients.append(try RawClient(server.port))
        #expect(try clients[2].get("/").status == 200)
        #expect(server.connectionCount == 6)
        #expect(server.peakOpenConnectionCount == 5)
    }

    @Test func `The server answers 300 requests at the same time`() async throws {
        let gate = Gate()
        server.serve("/g", .text("x").gated(by: gate))
        let clients = try (0..<300).map { _ in try RawClient(server.port) }
        for client in clients { try client.request("/g") }
        #expect(await gate.waitForArrival(count: 300))
        gate.open()
        for client in clients { #expect(try client.response().text == "x") }
        #expect(server.peakConcurrentRequestCount == 300)
        #expect(server.peakOpenConnectionCount == 300)
        #expect(server.counters.concurrentRequests == 0)
    }

    @Test(arguments: [ScriptedResponse.text("x"), .text("x").chunked(), .text("x").closing(), .text("x").untilClose()])
    func `A client that does one thing after another is never seen to do two`(response: ScriptedResponse) throws {
        server.serve("/one", response)
        for _ in 0..<300 {
            let client = try RawClient(server.port)
            #expect(try client.get("/one").text == "x")
            client.hangUp()
        }
        #expect(server.peakConcurrentRequestCount == 1)
        #expect(server.peakOpenConnectionCount == 1)
    }

    @Test func `A client that gives up and begins anew is not seen to do two things`() async throws {
        server.serve("/s", .generated(size: 1 << 30))
        for _ in 0..<50 {
            let client = try RawClient(server.port)
            try client.request("/s")
            _ = try client.readHead()
            client.hangUp()
        }
        #expect(server.peakConcurrentRequestCount == 1)
        #expect(server.peakOpenConnectionCount == 1)
    }

    @Test func `Many clients at once get all their answers`() async throws {
        let port = server.port
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    guard let client = try? RawClient(port) else { return 0 }
                    return (0..<200).count { _ in (try? client.get("/many"))?.text == "x" }
                }
            }
            #expect(await group.reduce(0, +) == 1600)
        }
        #expect(server.requestCount("/many") == 1600)
        #expect(server.requests.map(\.sequence) == Array(0..<1600))
    }

    @Test func `Stopping the server closes everything, twice as well as once`() async throws {
        let client = try RawClient(server.port)
        #expect(try client.get("/").text == "x")
        let listener = try #require(try ListeningSocket(at: server.port))
        server.stop()
        server.stop()
        #expect(try client.readToEnd().isEmpty)
        #expect(try ListeningSocket(at: server.port) != listener)
        #expect(server.requestCount("/") == 1)
        #expect(server.openConnectionCount == 0)
    }

    @Test func `A server without references stops`() throws {
        var server: LoopbackServer? = try LoopbackServer()
        let port = try #require(server?.port)
        let client = try RawClient(port)
        #expect(try client.get("/").status == 404)
        let listener = try #require(try ListeningSocket(at: port))
        server = nil
        #expect(try client.readToEnd().isEmpty)
        #expect(try ListeningSocket(at: port) != listener)
    }

    @Test func `A handler may stop the server`() async throws {
        server.serve("/stop") { [weak server] _ in
            server?.stop()
            return .text("never seen")
        }
        let client = try RawClient(server.port)
        try client.request("/stop")
        #expect(try client.readToEnd().isEmpty)
        #expect(await server.wait { $0.openConnections == 0 })
    }

    @Test func `Waiting for counts ends with its timeout`() async {
        #expect(await server.wait(timeout: .milliseconds(1)) { $0.requests > 0 } == false)
        #expect(await server.wait { $0.requests == 0 })
    }
}
