import Foundation

extension ScriptedResponse {
    /// What a response sends.
    public enum Content: Sendable {
        /// A body of no bytes.
        case empty
        /// These bytes.
        case data(Data)
        /// Pseudo-random bytes of any size.
        case generated(GeneratedContent)
        /// The request as the server received it, as the JSON of an ``Echo``.
        case echo
        /// These bytes in place of status line, headers and body. Offsets of ending, gates and pace count from the
        /// first.
        case raw(Data)
    }

    /// How the end of the body is marked.
    public enum Framing: Sendable {
        /// By `Content-Length`.
        case contentLength
        /// By chunks of at most `size` bytes of content, then the trailers.
        case chunked(size: Int, trailers: ReceivedHeaders)
        /// By closing the connection.
        case untilClose
    }

    /// What the `Content-Length` header says.
    public enum DeclaredLength: Sendable, Hashable {
        /// A number of bytes, shorter or longer than what is sent.
        case bytes(Int64)
        /// Any text, such as `-5`, `abc` or a number of 30 digits.
        case text(String)
    }

    /// How a response ends. HEAD, 204 and 304 always end completely.
    public enum Ending: Sendable, Hashable {
        /// With the last byte.
        case complete
        /// Silence after so many bytes of body, until the client hangs up or the server stops.
        case stall(after: Int64)
        /// The connection is dropped after so many bytes of body.
        case drop(after: Int64, HangUp)
    }

    /// How a connection is dropped.
    public enum HangUp: Sendable, Hashable {
        /// In order, with a FIN.
        case finish
        /// With an RST, once the client's side has received what was sent.
        case reset
    }

    /// How a request with the method HEAD is answered.
    public enum HeadBehavior: Sendable {
        /// Like GET, without the body.
        case likeGET
        /// With this status, such as 403, 405 or 501, and no length.
        case refused(status: Int)
        /// With another response, whose body is not sent.
        indirect case response(ScriptedResponse)
    }

    /// An interim response.
    public struct Interim: Sendable, Hashable {
        /// The status code, 100 to 199.
        public var status: Int
        /// Its header fields.
        public var headers: ReceivedHeaders

        /// Makes an interim response, by default without headers.
        public init(status: Int, headers: ReceivedHeaders = [:]) {
            self.status = status
            self.headers = headers
        }
    }

    /// A point in the life of a request at which a ``Gate`` can stand.
    public enum GatePoint: Sendable, Hashable {
        /// The request's head has been read; neither its body nor `100 Continue` have been touched.
        case beforeRequestBody
        /// The request has been read; nothing of the head has been sent but interim responses.
        case beforeHead
        /// The head has been sent, and no byte of the body. Not reached by HEAD, 204 and 304, which have no body.
        case afterHead
        /// So many bytes of body have been sent, or all if it has fewer. Not reached without a body either.
        case afterBody(Int64)
    }
}

extension ScriptedResponse.DeclaredLength: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A number of bytes.
    public init(integerLiteral value: Int64) { self = .bytes(value) }

    /// Any text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// The header's value.
    var headerValue: String {
        switch self {
        case .bytes(let count): String(count)
        case .text(let text): text
        }
    }
}
