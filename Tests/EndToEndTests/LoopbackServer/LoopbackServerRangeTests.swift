import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerRangeTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer()
        client = try RawClient(server.port)
        server.serve(
            "/r", .text("0123456789").acceptingRanges(etag: "\"e\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
    }

    @Test(arguments: [
        ("bytes=0-0", "0", "bytes 0-0/10"), ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=7-99", "789", "bytes 7-9/10"), ("bytes=-3", "789", "bytes 7-9/10"),
        ("bytes=-99", "0123456789", "bytes 0-9/10"),
        ("Bytes=5-9223372036854775807", "56789", "bytes 5-9/10"),
    ])
    func `A satisfiable range gets 206 and its part`(range: String, part: String, contentRange: String) throws {
        let response = try client.get("/r", headers: "Range: \(range)\r\n")
        #expect(response.status == 206)
        #expect(response.text == part)
        #expect(response["Content-Range"] == contentRange)
        #expect(response["Content-Length"] == String(part.count))
    }

    @Test(arguments: ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999-"])
    func `An unsatisfiable range gets 416 and the size`(range: String) throws {
        let response = try client.get("/r", headers: "Range: \(range)\r\n")
        #expect(response.status == 416)
        #expect(response["Content-Range"] == "bytes */10")
        #expect(response.body.isEmpty)
    }

    @Test(arguments: ["bytes=4-2", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=", "bytes=-", "bytes=1-2-3"])
    func `Malformed, multiple and foreign ranges are ignored`(range: String) throws {
        let response = try client.get("/r", headers: "Range: \(range)\r\n")
        #expect(response.status == 200)
        #expect(response.text == "0123456789")
        #expect(response["Accept-Ranges"] == "bytes")
    }

    @Test(arguments: [
        ("\"e\"", 206), ("Sun, 06 Nov 1994 08:49:37 GMT", 206), ("\"f\"", 200), ("W/\"e\"", 200),
        ("Mon, 07 Nov 1994 08:49:37 GMT", 200),
    ])
    func `If-Range decides between the part and the whole`(condition: String, status: Int) throws {
        #expect(try client.get("/r", headers: "Range: bytes=1-1\r\nIf-Range: \(condition)\r\n").status == status)
    }

    @Test func `Ranges are ignored if they are not accepted, and by HEAD`() throws {
        server.serve("/n", .text("0123456789"))
        #expect(try client.get("/n", headers: "Range: bytes=1-1\r\n").status == 200)
        let head = try client.get("/r", method: "HEAD", headers: "Range: bytes=1-1\r\n")
        #expect(head.status == 200)
        #expect(head["Content-Length"] == "10")
        #expect(head["ETag"] == "\"e\"")
    }

    @Test func `A range of generated content is the same part of the whole`() throws {
        let content = GeneratedContent(size: 5_000_000_000, seed: 9)
        server.serve("/g", .generated(size: content.size, seed: 9).acceptingRanges())
        let response = try client.get("/g", headers: "Range: bytes=4999990000-4999999999\r\n")
        #expect(response.status == 206)
        #expect(response.body == content.bytes(in: 4_999_990_000..<5_000_000_000))
    }
}
