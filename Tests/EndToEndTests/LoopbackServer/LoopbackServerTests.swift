import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer()
        client = try RawClient(server.port)
    }

    @Test func `A scripted path answers with its response`() throws {
        server.serve("/hello", .text("Hello").header("X-A", "1").header("x-a", "2").status(201, reason: "Made"))
        let response = try client.get("/hello")
        #expect(response.status == 201)
        #expect(response.reason == "Made")
        #expect(response.text == "Hello")
        #expect(response["content-length"] == "5")
        #expect(response.headers.values(for: "X-A") == ["1", "2"])
    }

    @Test func `A path that is not scripted gets the fallback`() throws {
        #expect(try client.get("/nowhere").status == 404)
        let other = try LoopbackServer(fallback: .text("any"))
        #expect(try RawClient(other.port).get("/nowhere").text == "any")
    }

    @Test func `URLs name the server's address`() {
        #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)/")
        #expect(server.url("a/b?c=1").absoluteString == "http://127.0.0.1:\(server.port)/a/b?c=1")
        #expect(server.url("/a") == server.url("a"))
    }

    @Test func `A sequence gives each request the next response and repeats the last`() throws {
        server.serve("/s", sequence: [.status(503), .text("1"), .text("2")])
        #expect(try (0..<4).map { _ in try client.get("/s").status } == [503, 200, 200, 200])
        #expect(try client.get("/s").text == "2")
    }

    @Test func `HEAD sees a sequence without advancing it`() throws {
        server.serve("/s", sequence: [.status(503), .text("ok")])
        #expect(try client.get("/s", method: "HEAD").status == 503)
        #expect(try client.get("/s").status == 503)
        #expect(try client.get("/s", method: "HEAD")["Content-Length"] == "2")
        #expect(try client.get("/s").text == "ok")
    }

    @Test func `A handler computes the response from the request`() throws {
        server.serve("/h") { request in .text("\(request.method) \(request.query ?? "-") \(request.body.count)") }
        #expect(try client.get("/h?x=1").text == "GET x=1 0")
        try client.send("PUT /h HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
        #expect(try client.response().text == "PUT - 3")
    }

    @Test func `A key with a query wins over its path, a path over a prefix, a long prefix over a short one`() throws {
        server.serve("/a", .text("path"))
        server.serve("/a?q=1", .text("query"))
        server.serve("/*", .text("short"))
        server.serve("/files/*", .text("long"))
        server.serve("/files/one", .text("exact"))
        let targets = ["/a", "/a?q=2", "/a?q=1", "/b", "/files/two", "/files/one"]
        let answers = try targets.map { try client.get($0).text }
        #expect(answers == ["path", "path", "query", "short", "long", "exact"])
    }

    @Test(arguments: OddName.twins) func `Paths of other bytes are other paths`(one: String, other: String) throws {
        server.serve("/\(one)", .text("exact"))
        server.serve("/\(one)/*", .text("prefix"))
        #expect(try client.get("/\(one)").text == "exact" && client.get("/\(one)/\u{301}").text == "prefix")
        #expect(try client.get("/\(other)").status == 404 && client.get("/\(other)/a").status == 404)
        #expect(server.requestCount("/\(one)") == 1 && server.requestCount("/\(other)") == 1)
    }

    @Test func `Scripting a path again replaces its response`() throws {
        server.serve("/a", .text("1"))
        #expect(try client.get("/a").text == "1")
        server.serve("/a", .text("2"))
        #expect(try client.get("/a").text == "2")
    }

    @Test func `Requests are recorded in order of arrival with all that was sent`() throws {
        _ = try client.get("/a?x=%20y", headers: "X-One: 1\r\nx-one:  2 \r\n")
        try client.send("POST http://127.0.0.1/b HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody")
        _ = try client.response()
        let requests = server.requests
        #expect(requests.map(\.target) == ["/a?x=%20y", "http://127.0.0.1/b"])
        #expect(requests.map(\.path) == ["/a", "/b"])
        #expect(requests.map(\.query) == ["x=%20y", nil])
        #expect(requests.map(\.sequence) == [0, 1])
        #expect(requests.map(\.connection) == [0, 0])
        #expect(requests[0].headers.values(for: "X-ONE") == ["1", "2"])
        #expect(requests[0].headers.map(\.name) == ["Host", "X-One", "x-one"])
        #expect(requests[1].body == Data("body".utf8))
        #expect(requests.map(\.isComplete) == [true, true])
        #expect(requests[0].receivedAt < requests[1].receivedAt)
    }

    @Test func `Requests are counted by path, target and method`() throws {
        _ = try client.get("/a")
        _ = try client.get("/a?x")
        _ = try client.get("/a", method: "HEAD")
        #expect(server.requestCount("/a") == 3)
        #expect(server.requestCount("/a", method: "HEAD") == 1)
        #expect(server.requestCount("/a?x") == 1)
        #expect(server.requestCount("/b") == 0)
        #expect(server.counters.requests == 3)
        server.forgetRequests()
        #expect(server.requestCount("/a") == 0)
        #expect(server.requests.isEmpty)
        _ = try client.get("/a")
        #expect(server.requests.map(\.sequence) == [3])
    }

    @Test func `A server that records nothing still counts`() throws {
        let server = try LoopbackServer(recordsRequests: false)
        let client = try RawClient(server.port)
        try client.send("POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody")
        _ = try client.response()
        #expect(server.requests.isEmpty)
        #expect(server.requestCount("/a", method: "POST") == 1)
    }

    @Test func `The echo describes the request`() throws {
        server.serve("/echo", .echo)
        try client.send("POST /echo?a=1 HTTP/1.1\r\nHost: h\r\nA: 1\r\na: 2\r\nContent-Length: 5\r\n\r\nh\"llo")
        let echo = try JSONDecoder().decode(Echo.self, from: Data(client.response().body))
        #expect(echo.method == "POST")
        #expect(echo.target == "/echo?a=1")
        #expect(echo.headers == [["Host", "h"], ["A", "1"], ["a", "2"], ["Content-Length", "5"]])
        #expect(echo.body == "h\"llo")
        #expect(echo.bodyLength == 5)
        #expect(echo.checksum == Echo.hexadecimal(ContentChecksum.of(Data("h\"llo".utf8))))
    }
}
