import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerFramingTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer()
        client = try RawClient(server.port)
    }

    @Test func `A chunked body comes in chunks of the size asked for, with trailers`() throws {
        server.serve("/c", .text("Hello world").chunked(size: 4, trailers: ["X-Sum": "11", "X-Sum": "12"]))
        let response = try client.get("/c")
        #expect(response.text == "Hello world")
        #expect(response.chunkSizes == [4, 4, 3])
        #expect(response.trailers == ["X-Sum: 11", "X-Sum: 12"])
        #expect(response["Content-Length"] == nil)
        #expect(try client.get("/c").text == "Hello world")
    }

    @Test func `An empty chunked body is the last chunk alone`() throws {
        server.serve("/c", .status(200).chunked())
        let response = try client.get("/c")
        #expect(response.body.isEmpty)
        #expect(response.chunkSizes.isEmpty)
    }

    @Test func `A body without a length ends with the connection`() throws {
        server.serve("/c", .text("all").untilClose())
        let response = try client.get("/c")
        #expect(response.text == "all")
        #expect(response["Content-Length"] == nil)
        #expect(response["Connection"] == "close")
    }

    @Test(
        arguments: [(ScriptedResponse.DeclaredLength.bytes(50), "50"), (.bytes(2), "2"), (.bytes(0), "0")]
            + ["-5", "abc", "999999999999999999999999999999"].map { (.text($0), $0) })
    func `A declared length is sent whether true, nonsense or neither, and then the connection closes`(
        length: ScriptedResponse.DeclaredLength, text: String
    ) throws {
        server.serve("/lie", .text("short").declaring(length: length))
        try client.request("/lie")
        #expect(try RawResponse(head: client.readHead())["Content-Length"] == text)
        #expect(try client.readToEnd() == Array("short".utf8))
    }

    @Test func `Interim responses come before the final one`() throws {
        server.serve("/i", .text("x").interim(103, headers: ["Link": "</a>", "Link": "</b>"]).interim(100))
        let first = try client.get("/i")
        #expect(first.status == 103)
        #expect(first.headers.values(for: "Link") == ["</a>", "</b>"])
        #expect(try client.response().status == 100)
        #expect(try client.response().text == "x")
    }

    @Test(arguments: [204, 304])
    func `Statuses without a body get none, and the connection lives on`(status: Int) throws {
        server.serve("/n", .text("never sent").status(status))
        let response = try client.get("/n")
        #expect(response.status == status)
        #expect(response["Content-Length"] == nil)
        #expect(try client.get("/n").status == status)
    }

    @Test func `HEAD is answered like GET without the body`() throws {
        server.serve("/h", .text("Hello"))
        server.serve("/c", .text("Hello").chunked())
        let response = try client.get("/h", method: "HEAD")
        #expect(response.status == 200)
        #expect(response["Content-Length"] == "5")
        #expect(try client.get("/c", method: "HEAD")["Transfer-Encoding"] == "chunked")
        #expect(try client.get("/h").text == "Hello")
    }

    @Test(arguments: [
        ScriptedResponse.text("Hello").stalling(after: 2), .text("Hello").dropping(after: 2, .reset),
        .text("Hello").delayed(body: .seconds(3600)), .text("Hello").gated(by: Gate(), at: .afterHead),
    ])
    func `A fault in a body does not happen to HEAD`(response: ScriptedResponse) throws {
        server.serve("/h", response)
        #expect(try client.get("/h", method: "HEAD")["Content-Length"] == "5")
        #expect(try client.get("/h", method: "HEAD").status == 200)
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: [403, 405, 501])
    func `HEAD can be refused while GET works`(status: Int) throws {
        server.serve("/h", .text("Hello").refusingHEAD(status: status))
        #expect(try client.get("/h", method: "HEAD").status == status)
        #expect(try client.get("/h").text == "Hello")
    }

    @Test func `HEAD can lie`() throws {
        server.serve("/h", .text("Hello").head(.status(200).declaring(length: 1_000_000).header("X", "head")))
        let response = try client.get("/h", method: "HEAD")
        #expect(response["Content-Length"] == "1000000")
        #expect(response["X"] == "head")
        #expect(try client.get("/h").text == "Hello")
    }

    @Test func `Raw bytes are sent as they are, and then the connection closes`() throws {
        server.serve("/raw", .raw("HTTP/1.1 abc\r\n\r\n"))
        try client.request("/raw")
        #expect(try client.readToEnd() == Array("HTTP/1.1 abc\r\n\r\n".utf8))
    }

    @Test func `Raw bytes can leave the connection open`() throws {
        server.serve("/raw", .raw("HTTP/1.1 200 Fine\r\nContent-Length: 1\r\n\r\nx", closes: false))
        #expect(try client.get("/raw").text == "x")
        #expect(try client.get("/raw").reason == "Fine")
        #expect(server.connectionCount == 1)
    }

    @Test func `A megabyte of headers can be sent`() throws {
        let value = String(repeating: "v", count: 1 << 20)
        server.serve("/raw", .raw("HTTP/1.1 200 OK\r\nX: \(value)\r\nContent-Length: 0\r\n\r\n"))
        #expect(try client.get("/raw")["X"]?.count == 1 << 20)
    }

    @Test func `A large generated body arrives as it should`() throws {
        let content = GeneratedContent(size: 3_000_001, seed: 5)
        server.serve("/g", .generated(size: content.size, seed: content.seed))
        server.serve("/c", .generated(size: content.size, seed: content.seed).chunked(size: 100_000))
        for path in ["/g", "/c"] {
            var verifier = content.verifier()
            verifier.update(try client.get(path).body)
            #expect(verifier.isComplete)
        }
    }
}
