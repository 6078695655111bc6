import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// The contract of ``Transport``, for every transport of the library over a real connection.
///
/// Serial, so that measured times mean something and a failure is easy to read; what must run side by side does so
/// within one test. `EventRecorder` checks order, seriality and count of the calls in each of them. What Foundation
/// makes impossible is listed in `KnownLimitation`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TransportConformanceTests {
    @Test(arguments: TransportKind.allCases)
    func `GET delivers status, headers, content and URL`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/a", .text("Hello", status: 203))
        let transcript = await bench.get("/a?q=%20x#fragment")
        #expect(transcript.hasSucceeded)
        #expect(transcript.head?.statusCode == 203)
        #expect(transcript.head?.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(transcript.head?.expectedContentLength == 5)
        #expect(transcript.head?.url == bench.server.url("/a?q=%20x#fragment"))
        #expect(transcript.text == "Hello")
        #expect(transcript.sent.isEmpty)
        let request = try #require(bench.server.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/a?q=%20x")
        #expect(request.headers["Content-Length"] == nil)
        #expect(request.headers["Transfer-Encoding"] == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `HEAD has a length and no content, and the connection stays usable`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .generated(size: 1000))
        for method in ["HEAD", "GET", "HEAD", "HEAD", "GET"] {
            let transcript = await bench.run(bench.exchange(method: method))
            #expect(transcript.hasSucceeded)
            #expect(transcript.head?.expectedContentLength == 1000)
            #expect(transcript.bodyLength == (method == "GET" ? 1000 : 0))
        }
        #expect(bench.server.requests.map(\.method) == ["HEAD", "GET", "HEAD", "HEAD", "GET"])
        #expect(bench.server.connectionCount == 1)
    }

    @Test(arguments: TransportKind.allCases, ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"])
    func `Methods work without a body`(kind: TransportKind, method: String) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        let transcript = await bench.run(bench.exchange(method: method))
        #expect(transcript.hasSucceeded)
        #expect(transcript.text == "done")
        let request = try #require(bench.server.requests.first)
        #expect(request.method == method)
        #expect(request.bodyLength == 0)
        #expect(request.headers["Transfer-Encoding"] == nil)
        // RFC 9110, section 8.6: methods that define a meaning for content say that its length is 0.
        if ["POST", "PUT", "PATCH"].contains(method) {
            #expect(request.headers.values(for: "Content-Length") == ["0"])
        }
    }

    @Test(
        arguments: TransportKind.allCases,
        [("POST", 64 << 10), ("PUT", 10 << 20), ("PATCH", 1), ("DELETE", 1000), ("PURGE", 5), ("POST", 0), ("PUT", 0)])
    func `Bodies arrive intact`(kind: TransportKind, request: (method: String, size: Int)) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        let body = TestBody(size: request.size)
        let transcript = await bench.run(bench.exchange(method: request.method, body: body))
        #expect(transcript.hasSucceeded)
        #expect(transcript.text == "done")
        #expect(transcript.sent == transcript.sent.sorted())
        #expect(transcript.sent.last == (request.size == 0 ? nil : Int64(request.size)))
        let received = try #require(bench.server.requests.first)
        #expect(received.method == request.method)
        #expect(received.isComplete)
        #expect(received.bodyLength == Int64(request.size))
        #expect(received.bodyChecksum == ContentChecksum.of(body.bytes))
        #expect(received.headers.values(for: "Content-Length") == ["\(request.size)"])
        #expect(received.headers["Transfer-Encoding"] == nil)
        // Of much content it is asked first whether it is wanted.
        let isAsked = kind.rawValue == "CurlTransport" && body.length > 1 << 20
        #expect(received.headers["Expect"] == (isAsked ? "100-continue" : nil))
    }

    @Test(arguments: TransportKind.allCases)
    func `A GET may have a body`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        let transcript = await bench.run(bench.exchange(body: TestBody("content")))
        kind.expect(unless: .refusesBodyOfGET) {
            #expect(transcript.hasSucceeded)
            #expect(bench.server.requests.first?.body == Data("content".utf8))
        }
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `A body that cannot be read fails the exchange with its error`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        for (error, code) in [
            (URLError(.noPermissionsToReadFile) as any Error, URLError.Code.noPermissionsToReadFile),
            (POSIXError(.EIO), .requestBodyStreamExhausted), (nil, .requestBodyStreamExhausted),
        ] as [((any Error)?, URLError.Code)] {
            let transcript = await bench.run(bench.exchange(method: "PUT", body: BrokenBody(error: error)))
            #expect(transcript.error?.code == code)
            #expect(transcript.head == nil)
        }
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `One exchange leaves nothing behind for the next`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("done"))
        let first = bench.exchange(
            method: "POST", headers: ["X-Once": "1", "Authorization": "secret"], body: TestBody("content"))
        for exchange in [first, bench.exchange(), bench.exchange(method: "HEAD"), bench.exchange(method: "POST")] {
            #expect(await bench.run(exchange).hasSucceeded)
        }
        for request in bench.server.requests.dropFirst() {
            #expect(request.headers["X-Once"] == nil)
            #expect(request.headers["Authorization"] == nil)
            #expect(request.bodyLength == 0)
        }
        #expect(bench.server.requests.map(\.method) == ["POST", "GET", "HEAD", "POST"])
    }
}
