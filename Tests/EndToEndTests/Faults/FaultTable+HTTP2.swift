import NetworkQueueKit
import TestSupport

/// What a server may do over HTTP/2 (RFC 9113), and what it may not.
extension Fault {
    private typealias Frame = HTTP2Frame

    private static let whole = [Frame.head(), .data("hello")]

    private static func http2(
        _ fault: String, _ code: NetworkError.Code?, job: Job = .download, offersHTTP1: Bool = false,
        isKept: Bool = false, _ answers: [HTTP2Frame]...
    ) -> Fault {
        Fault(
            "HTTP/2: \(fault)", code, job: job, limitation: .trustsSystemAuthoritiesAlone, needsPrograms: true
        ) { _ in
            var scene = try HTTP2Server(answers, offersHTTP1: offersHTTP1).scene
            scene.hasKeptConnection = isKept
            return scene
        }
    }

    static let partings = [
        http2("GOAWAY excludes the request once", nil, [.goAway(last: 0), .hangUp], whole),
        http2("GOAWAY excludes the request again and again", .connectionLost, [.goAway(last: 0), .hangUp]),
        http2(
            "GOAWAY demands HTTP/1.1, which is spoken", nil, offersHTTP1: true, [.goAway(last: 0, 13), .hangUp]),
        http2(
            "GOAWAY demands HTTP/1.1, which is not spoken", .connectionLost, [.goAway(last: 0, 13), .hangUp]),
        http2(
            "GOAWAY comes in place of a response on a connection that was kept", nil, isKept: true, whole,
            [.goAway(last: 1), .hangUp], whole),
        http2("GOAWAY includes the request, and the response follows", nil, [.goAway(last: 1)] + whole + [.hangUp]),
        http2("GOAWAY names the largest stream, and the response follows", nil, [.goAway(last: .max >> 1)] + whole),
        http2("GOAWAY includes the request, and the connection ends", .connectionLost, [.goAway(last: 1), .hangUp]),
        http2(
            "GOAWAY comes after the head, and the content follows", nil,
            [.head(), .whenRead, .goAway(last: 1), .data("hello")]),
        http2(
            "GOAWAY comes after the head, and the connection ends", .connectionLost,
            [.head(), .whenRead, .goAway(last: 1), .hangUp]),
        http2(
            "GOAWAY excludes the request after its head", .connectionLost,
            [.head(), .whenRead, .goAway(last: 0), .data("hello"), .hangUp]),
        http2("GOAWAY with PROTOCOL_ERROR comes before the head", .connectionLost, [.goAway(last: 1, 1), .hangUp]),
        http2("GOAWAY with ENHANCE_YOUR_CALM comes before the head", .connectionLost, [.goAway(last: 1, 11), .hangUp]),
    ]

    private static let codes = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    static let resets =
        codes.enumerated().flatMap { number, name in
            [
                http2("The stream is reset with \(name) before the head", .connectionLost, [.reset(UInt32(number))]),
                http2(
                    "The stream is reset with \(name) in the middle of the content", .connectionLost,
                    [.head(), .data("he", ends: false), .whenRead, .reset(UInt32(number))]),
            ]
        } + [
            http2("The stream is refused once", nil, [.reset(7)], whole),
            http2("The stream is refused once", nil, job: .post, [.reset(7)], whole),
            http2("The stream demands HTTP/1.1, which is spoken", nil, offersHTTP1: true, [.reset(13)]),
            http2("The stream is reset after the whole response", nil, whole + [.reset(0)]),
            http2("The stream is reset before the head", .connectionLost, job: .post, [.reset(2)]),
        ]

    static let frames = [
        http2("The connection ends before the head", .connectionLost, [.hangUp]),
        http2(
            "The connection ends in the content", .connectionLost,
            [.head(), .data("he", ends: false), .whenRead, .hangUp]),
        http2(
            "The connection ends in a frame", .connectionLost,
            [.head(), .whenRead, Frame(0, length: 5, [0x68]), .hangUp]),
        http2("Nothing comes", .timedOut, []),
        http2("Nothing comes after the head", .timedOut, [.head()]),
        http2("The content is shorter than its length", .connectionLost, [.head(), .data("hel")]),
        http2("The content is longer than its length", .connectionLost, [.head(), .data("hello, world")]),
        http2("The length is not a number", .connectionLost, [.head(length: "abc"), .data("hello")]),
        http2("The status is not a number", .connectionLost, [.head("abc"), .data("hello")]),
        http2("Content comes before the head", .connectionLost, [.data("hello")]),
        http2("A head refers to a field that was never sent", .connectionLost, [Frame(1, flags: 5, [0xFF, 0x70])]),
        http2("A frame is longer than the client allows", .connectionLost, [.head(), Frame(0, length: 1 << 20)]),
        http2(
            "A response is pushed unasked", .connectionLost,
            [Frame(5, flags: 4, [0, 0, 0, 2, 0x82, 0x84, 0x87])] + whole),
        http2("A response comes for a stream that does not exist", .connectionLost, [.head(stream: 99)]),
        http2(
            "A text of HTTP/1.1 comes", .connectionLost,
            [Frame(bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8))]),
    ]
}
