import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

extension Fault {
    static let all =
        connections + halves + heads + cuts + kept + lengths + ranges + chunks + protocols + contentless + uploads
        + redirects + codings + handshakes + closings + proxies + partings + resets + frames

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = "\(ok)Transfer-Encoding: chunked\r\n\r\n"

    private static let connections = [
        Fault("The connection is refused", .cannotConnectToHost) { _ in
            Scene(url: try ClosedPort.shared.url("/"))
        },
        Fault("The connection ends before a byte", .connectionLost, .hangUp),
        Fault("The connection is reset before the head", .connectionLost, .raw("").dropping(after: 0, .reset)),
        Fault("Nothing comes", .timedOut, .silence),
    ]

    private static let heads = [
        Fault("The head is cut in its status line", .connectionLost, raw: "HTTP/1.1 20"),
        Fault("The head is cut between two fields", .connectionLost, raw: "\(ok)Content-Length: 5\r\n"),
        Fault(
            "The head is cut in a field", .connectionLost, limitation: .endsTheProcess,
            raw: "\(ok)Content-Length: 5\r\nX-A"),
        Fault("The head stops in its middle", .timedOut, .raw("\(ok)Content-Le").stalling(after: 20)),
        Fault("Only an interim response comes", .connectionLost, raw: "HTTP/1.1 103 Early Hints\r\n\r\n"),
        Fault(
            "101 interim responses come", .badServerResponse,
            raw: String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 101) + "\(ok)Content-Length: 0\r\n\r\n"),
        Fault(
            "The fields have more than 300 KB", .badServerResponse,
            raw: ok + (0..<400).map { "X-\($0): \(String(repeating: "x", count: 1015))\r\n" }.joined() + "\r\n"),
        Fault(
            "4,000 fields come", nil, raw: "\(ok)\(String(repeating: "X: y\r\n", count: 4000))Content-Length: 0\r\n\r\n"
        ),
        Fault("A field has no colon", .badServerResponse, raw: "\(ok)X-A\r\nContent-Length: 2\r\n\r\nok"),
        Fault("A field contains a NUL", .badServerResponse, raw: "\(ok)X-A: a\0b\r\nContent-Length: 2\r\n\r\nok"),
        Fault("The status is not a number", .badServerResponse, raw: "HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok"),
        Fault("The version is unknown", .badServerResponse, raw: "HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\nok"),
    ]

    /// Each way of ending, at each place of the content.
    private static let cuts = [("first", 0), ("second", 1), ("middle", 500), ("last", 999)].flatMap { place, offset in
        let response = ScriptedResponse.generated(size: 1000)
        let offset = Int64(offset)
        return [
            Fault(
                "The connection ends before the \(place) byte of the content", .connectionLost,
                response.dropping(after: offset)),
            Fault(
                "The connection is reset before the \(place) byte of the content", .connectionLost,
                response.dropping(after: offset, .reset)),
            Fault(
                "Nothing comes from the \(place) byte of the content on", .timedOut, response.stalling(after: offset)),
        ]
    }

    private static let lengths = [
        Fault("The length is negative", .badServerResponse, raw: "\(ok)Content-Length: -5\r\n\r\nHello"),
        Fault("The length is not a number", .badServerResponse, raw: "\(ok)Content-Length: abc\r\n\r\nHello"),
        Fault(
            "The length is 4 EiB, of which five bytes come", .connectionLost,
            raw: "\(ok)Content-Length: 4611686018427387904\r\n\r\nHello"),
        Fault("The content is longer than its length", nil, raw: "\(ok)Content-Length: 5\r\n\r\nHello, world"),
        Fault(
            "A length and a transfer coding are given", nil,
            raw: "\(ok)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n"),
    ]

    private static let ranges = [
        Fault(
            "A 206 comes although no range was asked for", .badServerResponse,
            raw: "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-4/5\r\nContent-Length: 3\r\n\r\nllo"),
        Fault(
            "A part begins after its end", .badServerResponse,
            raw: "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-2/5\r\nContent-Length: 3\r\n\r\nllo"),
        Fault(
            "A part ends at the largest number", .badServerResponse,
            raw: "HTTP/1.1 206 P\r\nContent-Range: bytes 0-9223372036854775807/*\r\nContent-Length: 3\r\n\r\nllo"),
        Fault(
            "A 416 comes without a requested range", .httpStatus(416),
            raw: "HTTP/1.1 416 No\r\nContent-Range: bytes */5\r\nContent-Length: 0\r\n\r\n"),
    ]

    private static let chunks = [
        Fault("A chunk is cut", .connectionLost, raw: "\(chunked)5\r\nHel"),
        Fault("The last chunk is missing", .connectionLost, raw: "\(chunked)5\r\nHello\r\n"),
        Fault("A chunk has no size", .connectionLost, raw: "\(chunked)5\r\nHello\r\nzz\r\nx\r\n"),
        Fault(
            "A chunk has an absurd size", .connectionLost, raw: "\(chunked)5\r\nHello\r\nffffffffffffffffffff\r\nx\r\n"),
        Fault(
            "Trailers come", nil, limitation: .endsTheProcess,
            raw: "\(chunked)5\r\nHello\r\n0\r\nX-A: b\r\nContent-Length: 9\r\n\r\n"),
        Fault(
            "The trailers have more than 300 KB", .badServerResponse, limitation: .endsTheProcess,
            raw: "\(chunked)5\r\nHello\r\n0\r\n"
                + (0..<400).map { "X-\($0): \(String(repeating: "x", count: 1015))\r\n" }.joined() + "\r\n"),
    ]

    private static let protocols = [
        Fault("A text comes without a head", .badServerResponse, raw: "Hello there, no head here"),
        Fault("The greeting of an SSH server comes", .badServerResponse, raw: "SSH-2.0-OpenSSH_9.2p1\r\n"),
        Fault("A TLS alert comes", .badServerResponse, .raw(Data([0x15, 3, 1, 0, 2, 2, 0x50]))),
        Fault(
            "Bytes of no protocol come", .badServerResponse,
            .raw(Data((0..<1024).map { UInt8(truncatingIfNeeded: $0 * 7) }))),
    ]

    private static let contentless = [
        Fault("The response to HEAD has content", nil, job: .head, raw: "\(ok)Content-Length: 5\r\n\r\nHello"),
        Fault("A 204 has content", .httpStatus(204), raw: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nHello"),
        Fault("A 304 comes without a condition", .httpStatus(304), raw: "HTTP/1.1 304 Not Modified\r\n\r\n"),
    ]

    private static let uploads = [
        Fault(
            "The response comes before the content was sent, and is a success", nil, job: .upload,
            .status(201).ignoringBody().closing()),
        Fault(
            "The response comes before the content was sent, and is a refusal", .httpStatus(413), job: .upload,
            .status(413).ignoringBody().closing()),
        Fault("The connection ends while the content is being sent", .connectionLost, job: .upload, .hangUp),
    ]

    private static let redirects = [
        Fault("A redirect leads to itself", .tooManyRedirects, .redirect(to: "/fault")),
        Fault("A redirect leads to a `file:` URL", .httpStatus(302), .redirect(to: "file:///etc/passwd")),
        Fault(
            "A redirect leads nowhere", .httpStatus(302), limitation: .dropsBodyOfRedirect, .status(302)),
        Fault("A redirect leads to a server that refuses the connection", .cannotConnectToHost) { server in
            server.serve("/fault", .redirect(to: try ClosedPort.shared.url("/").absoluteString))
            return Scene()
        },
    ]

    private static let codings = [
        Fault(
            "Compressed content is cut", .badServerResponse, limitation: .decodesContent,
            coded(CompressedSamples.gzip.dropLast(20))),
        Fault("Compressed content is damaged", .badServerResponse, coded(Data("no gzip at all".utf8))),
        Fault("Compressed content grows beyond the limit", .responseTooLarge, coded(CompressedSamples.gzippedZeros)),
    ]

    private static func coded(_ content: Data) -> ScriptedResponse {
        .data(content).header("Content-Encoding", "gzip")
    }
}

extension ClosedPort {
    /// For all rows; it is refused as long as the process lives.
    fileprivate static var shared: ClosedPort {
        get throws { try closedPort.get() }
    }
}

private let closedPort = Result { try ClosedPort() }
