import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

/// Connections that end in one direction only, or between two requests.
extension Fault {
    /// Sends a text, ends its own direction, and goes on reading.
    private static let halfCloser = """
        def serve(connection):
            connection.recv(65536)
            connection.sendall(bytes.fromhex(sys.argv[2]))
            connection.shutdown(socket.SHUT_WR)
            try:
                while connection.recv(65536): pass
            except OSError: pass
        """

    static let halves = [
        half("before a byte", .connectionLost, ""),
        half("in the head", .connectionLost, "HTTP/1.1 200 OK\r\nContent-Le"),
        half("after the head", .connectionLost, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        half("in the middle of the content", .connectionLost, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHel"),
        half("after content without a length", nil, "HTTP/1.1 200 OK\r\n\r\nHello"),
        half("before a byte", .connectionLost, job: .upload, ""),
        half("after an early success", nil, job: .upload, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"),
        half("after an early refusal", .httpStatus(413), job: .upload, "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n"),
    ]

    private static func half(
        _ place: String, _ code: NetworkError.Code?, job: Job = .download, _ text: String
    ) -> Fault {
        Fault(
            "The server closes its sending side \(place), and goes on reading", code, job: job,
            limitation: text.hasSuffix("-Le") ? .endsTheProcess : nil, needsPrograms: true
        ) { _ in
            let server = try PythonServer(halfCloser, arguments: [text.hexadecimal])
            return Scene(url: URL(string: "http://127.0.0.1:\(server.port)/"), others: [server])
        }
    }

    private static let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
    private static let half = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
    private static let reset = ScriptedResponse.raw("").dropping(after: 0, .reset)

    static let kept = [
        keeping("ends after its first response", nil, .raw(first), .text("second")),
        keeping("ends after its first response", nil, job: .post, .raw(first), .text("second")),
        keeping("ends instead of a response", nil, .text("first"), .hangUp, .text("second")),
        keeping("ends instead of a response", nil, job: .post, .text("first"), .hangUp, .text("second")),
        keeping("is reset instead of a response", nil, .text("first"), reset, .text("second")),
        keeping("is reset instead of a response", nil, job: .post, .text("first"), reset, .text("second")),
        keeping("ends instead of a response, and so does the next one", .connectionLost, .text("first"), .hangUp),
        keeping(
            "ends in a status line", nil, job: .post, .text("first"), .raw("HTTP/1.1 20"), .text("second")),
        keeping("ends in a head", nil, .text("first"), .raw(half), .text("second")),
        keeping("ends in a head", .connectionLost, job: .post, .text("first"), .raw(half), .text("second")),
        keeping(
            "has an unasked 408", nil,
            .raw("\(first)HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", closes: false), .text("second")),
    ]

    private static func keeping(
        _ end: String, _ code: NetworkError.Code?, job: Job = .download, _ responses: ScriptedResponse...
    ) -> Fault {
        Fault(
            "A connection that was kept \(end)", code, job: job,
            limitation: .resendsLess
        ) { server in
            server.serve("/fault", sequence: responses)
            return Scene(hasKeptConnection: true)
        }
    }
}
