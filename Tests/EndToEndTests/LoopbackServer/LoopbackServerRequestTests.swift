import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerRequestTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer(fallback: .text("done"))
        client = try RawClient(server.port)
    }

    @Test func `A chunked body is put together`() throws {
        try client.send(
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nX: y\r\n\r\n")
        #expect(try client.response().text == "done")
        #expect(server.requests.first?.body == Data("abc0123456789".utf8))
        #expect(try client.get("/").text == "done")
    }

    @Test func `The beginning of a large body is kept, and the checksum covers all of it`() throws {
        let content = GeneratedContent(size: 3_000_003, seed: 4)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: \(content.size)\r\n\r\n")
        try client.send(content.bytes(in: 0..<content.size))
        #expect(try client.response().text == "done")
        let request = try #require(server.requests.first)
        #expect(request.bodyLength == content.size)
        #expect(request.body == Data(content.bytes(in: 0..<Int64(ReceivedRequest.keptBodySize))))
        #expect(request.bodyChecksum == ContentChecksum.of(content.bytes(in: 0..<content.size)))
    }

    @Test func `The server sends 100 Continue when the client expects it`() throws {
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n")
        #expect(try client.response().status == 100)
        try client.send("ab")
        #expect(try client.response().text == "done")
    }

    @Test func `An expectation can be ignored`() throws {
        server.serve("/i", .text("x").ignoringExpect())
        try client.send("PUT /i HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab")
        #expect(try client.response().status == 200)
    }

    @Test func `An answer that ignores the body closes the connection and arrives whole`() throws {
        server.serve("/i", .text("no", status: 413).ignoringBody())
        try client.send("PUT /i HTTP/1.1\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n")
        try client.send([UInt8](repeating: 0, count: 1_000_000))
        let response = try client.response()
        #expect(response.status == 413)
        #expect(response["Connection"] == "close")
        #expect(try client.readToEnd().isEmpty)
        #expect(server.requests.map(\.isComplete) == [false])
    }

    @Test func `A body that breaks off is recorded as far as it came`() async throws {
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc")
        client.hangUp()
        #expect(await server.wait { $0.requests == 1 && $0.openConnections == 0 })
        #expect(server.requests.map(\.bodyLength) == [3])
        #expect(server.requests.map(\.isComplete) == [false])
    }

    @Test(arguments: [
        "garbage\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nA : b\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "\0\0\u{FFFD}\r\n\r\n",
    ])
    func `Garbage gets 400, and the connection closes`(garbage: String) throws {
        try client.send(garbage)
        let response = try client.response()
        #expect(response.status == 400)
        #expect(response["Connection"] == "close")
        #expect(try client.readToEnd().isEmpty)
        #expect(server.counters.malformedRequests == 1)
        #expect(try RawClient(server.port).get("/").status == 200)
    }

    @Test func `A head without an end gets 431`() throws {
        try client.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 300_000))
        #expect(try client.response().status == 431)
    }

    @Test func `Random bytes do not bring the server down`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        for index in 0..<50 {
            let client = try RawClient(server.port)
            // What the server makes of it is its business; it may close while this is still sending.
            try? client.send(GeneratedContent(size: 400, seed: seed &+ UInt64(index)).bytes(in: 0..<400))
        }
        #expect(try RawClient(server.port).get("/").status == 200, "seed \(seed)")
    }

    @Test func `Requests arrive whole, however they are cut`() throws {
        let bytes = Array("POST /cut HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /next HTTP/1.1\r\n\r\n".utf8)
        for byte in bytes { try client.send([byte]) }
        _ = try client.response()
        _ = try client.response()
        #expect(server.requests.map(\.target) == ["/cut", "/next"])
        #expect(server.requests.first?.body == Data("abc".utf8))
    }
}
