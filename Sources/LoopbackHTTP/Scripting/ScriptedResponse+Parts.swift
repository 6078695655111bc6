import Foundation

extension ScriptedResponse {
    /// The content of a response.
    public enum Content: Sendable {
        /// An empty body.
        case empty
        /// These bytes.
        case data(Data)
        /// Pseudo-random bytes of any size.
        case generated(GeneratedContent)
        /// The request as the server received it, as the JSON of an ``Echo``.
        case echo
        /// These bytes in place of status line, headers and body. The offsets of endings, gates and pacing count from
        /// the first byte.
        case raw(Data)
    }

    /// How the end of the body is indicated.
    public enum Framing: Sendable {
        /// By `Content-Length`.
        case contentLength
        /// By chunks of at most `size` bytes of content, followed by the trailers.
        case chunked(size: Int, trailers: ReceivedHeaders)
        /// By closing the connection.
        case untilClose
    }

    /// The value of the `Content-Length` header.
    public enum DeclaredLength: Sendable, Hashable {
        /// A number of bytes, which may be smaller or larger than the number sent.
        case bytes(Int64)
        /// Any text, such as `-5`, `abc` or a number with 30 digits.
        case text(String)
    }

    /// How a response ends. Responses without a body (HEAD, 204, 304) are always complete.
    public enum Ending: Sendable, Hashable {
        /// The whole body is sent.
        case complete
        /// The server falls silent after this many bytes of body, until the client hangs up or the server stops.
        case stall(after: Int64)
        /// The server drops the connection after this many bytes of body.
        case drop(after: Int64, HangUp)
    }

    /// How a connection is dropped.
    public enum HangUp: Sendable, Hashable {
        /// With a FIN.
        case finish
        /// With an RST, after the client's system has acknowledged all sent bytes.
        case reset
    }

    /// How a HEAD request is answered.
    public enum HeadBehavior: Sendable {
        /// With the head of the answer to GET.
        case likeGET
        /// With this status, such as 403, 405 or 501, and `Content-Length: 0`.
        case refused(status: Int)
        /// With the head of another response.
        indirect case response(ScriptedResponse)
    }

    /// An interim response.
    public struct Interim: Sendable, Hashable {
        /// The status code, 100 to 199.
        public var status: Int
        /// Its header fields.
        public var headers: ReceivedHeaders

        /// Creates an interim response; without headers by default.
        public init(status: Int, headers: ReceivedHeaders = [:]) {
            self.status = status
            self.headers = headers
        }
    }

    /// A point in the exchange at which a ``Gate`` can hold a request.
    public enum GatePoint: Sendable, Hashable {
        /// The request's head has been read; its body has not been read and `100 Continue` has not been sent.
        case beforeRequestBody
        /// The request has been read; only interim responses have been sent.
        case beforeHead
        /// The head has been sent, but no byte of the body. Not reached by responses without a body (HEAD, 204, 304).
        case afterHead
        /// This many bytes of body have been sent, or all if it is shorter. Not reached by responses without a body.
        case afterBody(Int64)
    }
}

extension ScriptedResponse.DeclaredLength: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Declares a number of bytes.
    public init(integerLiteral value: Int64) { self = .bytes(value) }

    /// Declares a text that need not be a number.
    public init(stringLiteral value: String) { self = .text(value) }

    /// The header's value.
    var headerValue: String {
        switch self {
        case .bytes(let count): String(count)
        case .text(let text): text
        }
    }
}
