import Foundation
import LoopbackHTTP
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A way in which a server can get a response wrong, and the error that it must lead to.
struct TransportFault: Sendable, CustomTestStringConvertible {
    let name: String
    let response: ScriptedResponse
    /// The error; `nil` where the fault goes unnoticed.
    var code: URLError.Code?
    /// The content that is delivered before the error; `nil` where not even the head is.
    var content: String?
    /// Whether only the transports of ``TransportKind/forAnyResponse`` are tested with it.
    var isForSome = false

    var testDescription: String { name }

    private static func raw(
        _ name: String, _ text: String, _ code: URLError.Code?, content: String? = nil,
        isForSome: Bool = false
    ) -> TransportFault {
        TransportFault(name: name, response: .raw(text), code: code, content: content, isForSome: isForSome)
    }

    static let all: [TransportFault] = connections + heads + bodies + lengths

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = "\(ok)Transfer-Encoding: chunked\r\n\r\n"

    private static let connections: [TransportFault] = [
        TransportFault(name: "closed without a byte", response: .hangUp, code: .networkConnectionLost),
        TransportFault(
            name: "reset before the head", response: .raw("HTTP/1.1 2").dropping(after: 0, .reset),
            code: .networkConnectionLost),
        TransportFault(
            name: "reset in the content", response: .text("Hello").dropping(after: 2, .reset),
            code: .networkConnectionLost, content: "He"),
    ]

    private static let heads: [TransportFault] = [
        raw("status line cut off", "HTTP/1.1 20", .networkConnectionLost),
        raw("head cut off behind a length", "\(ok)Content-Length: 5\r\n", .networkConnectionLost),
        raw("head cut off in a field", "\(ok)Content-Le", .networkConnectionLost, isForSome: true),
        raw("head cut off behind the status line", "\(ok)", .networkConnectionLost, isForSome: true),
        raw("nothing behind an interim response", "HTTP/1.1 103 Early Hints\r\n\r\n", .networkConnectionLost),
        raw(
            "head cut off behind an interim response", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConte",
            .networkConnectionLost, isForSome: true),
        raw("HTTP/0.9", "Hello there, no head here", .badServerResponse),
        TransportFault(
            name: "bytes of no protocol", response: .raw(Data((0..<1024).map { UInt8(truncatingIfNeeded: $0 * 7) })),
            code: .badServerResponse),
        raw("status of letters", "HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok", .badServerResponse),
        raw("status of two digits", "HTTP/1.1 99 OK\r\nContent-Length: 2\r\n\r\nok", .badServerResponse),
        raw("negative status", "HTTP/1.1 -12 OK\r\nContent-Length: 2\r\n\r\nok", .badServerResponse),
        raw("no status", "HTTP/1.1\r\nContent-Length: 2\r\n\r\nok", .badServerResponse),
        raw("unknown version", "HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\nok", .badServerResponse),
        raw("field without a colon", "\(ok)X-A\r\nContent-Length: 2\r\n\r\nok", .badServerResponse),
        raw("NUL in a field", "\(ok)X-A: a\0b\r\nContent-Length: 2\r\n\r\nok", .badServerResponse),
    ]

    private static let bodies: [TransportFault] = [
        raw("content cut off", "\(ok)Content-Length: 50\r\n\r\nHello", .networkConnectionLost, content: "Hello"),
        raw("chunk cut off", "\(chunked)5\r\nHel", .networkConnectionLost, content: "Hel"),
        raw("last chunk missing", "\(chunked)5\r\nHello\r\n", .networkConnectionLost, content: "Hello"),
        raw("chunk without a size", "\(chunked)5\r\nHello\r\nzz\r\nx\r\n", .networkConnectionLost, content: "Hello"),
        raw(
            "chunk of an absurd size",
            "\(chunked)5\r\nHello\r\nffffffffffffffffffff\r\nx\r\n",
            .networkConnectionLost, content: "Hello"),
    ]

    private static let lengths: [TransportFault] = [
        raw("negative length", "\(ok)Content-Length: -5\r\n\r\nHello", .badServerResponse),
        raw("length of letters", "\(ok)Content-Length: abc\r\n\r\nHello", .badServerResponse),
        raw(
            "length of 30 digits", "\(ok)Content-Length: 999999999999999999999999999999\r\n\r\nHello",
            nil,
            content: "Hello"),
        raw(
            "length of 4 EiB", "\(ok)Content-Length: 4611686018427387904\r\n\r\nHello",
            .networkConnectionLost, content: "Hello"),
    ]
}
