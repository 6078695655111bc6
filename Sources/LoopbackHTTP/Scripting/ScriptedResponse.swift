import Foundation

/// The server's answer to a request: an ordinary response by default, or one with any of the faults that clients meet.
///
/// Create one with a factory (``text(_:status:)``, ``generated(size:seed:)``, ``raw(_:closes:)-(String,_)``, …) and refine it with
/// modifiers, which set its properties:
///
/// ```swift
/// .text("hello").header("Vary", "Accept").chunked().dropping(after: 3)
/// ```
///
/// The order of events for one request:
///
/// ```text
/// head of the request
/// ├─ gates at .beforeRequestBody · 100 Continue · body of the request      (unless readsBody is false)
/// ├─ interim responses
/// ├─ delayBeforeHead · gates at .beforeHead · status line and headers
/// ├─ delayBeforeBody · gates at .afterHead
/// ├─ body, at bytesPerSecond, with gates at .afterBody(n)
/// └─ ending: complete · stall · drop
/// ```
public struct ScriptedResponse: Sendable {
    /// The status code, 200 by default.
    public var status: Int
    /// The reason phrase; `nil` (default) sends the registered phrase.
    public var reason: String?
    /// Header fields, sent in this order before those that the server adds (framing, ranges, `Connection`).
    public var headers: ReceivedHeaders
    /// The content; empty by default.
    public var content: Content
    /// How the end of the body is indicated; by `Content-Length` by default.
    public var framing: Framing = .contentLength
    /// A `Content-Length` that may be false; `nil` (default) sends the true one. After a false length the server closes
    /// the connection, unless the body is chunked or the response has none.
    public var declaredLength: DeclaredLength?
    /// Interim (1xx) responses sent before the final one, in order.
    public var interim: [Interim] = []

    /// The delay before the head; zero by default.
    public var delayBeforeHead: Duration = .zero
    /// The delay between head and body; zero by default.
    public var delayBeforeBody: Duration = .zero
    /// The rate of the body in bytes of content per second; `nil` (default) means unlimited.
    public var bytesPerSecond: Int64?
    /// The gates that hold the request, with their points.
    public var gates: [(gate: Gate, point: GatePoint)] = []
    /// How the response ends; complete by default, and always complete without a body (HEAD, 204, 304).
    public var ending: Ending = .complete
    /// Whether the server closes the connection after the response, announced by `Connection: close`; false by default.
    public var closesConnection = false

    /// How HEAD is answered; by default with the head of the answer to GET.
    public var headBehavior: HeadBehavior = .likeGET
    /// Whether a GET with a single byte range is answered with 206 or 416, and `Accept-Ranges` is sent; false by
    /// default.
    public var acceptsRanges = false
    /// The `ETag`, quotes included, to compare with `If-Range`; `nil` (default) sends none.
    public var etag: String?
    /// The `Last-Modified` date, sent unchanged; `nil` (default) sends none. It is compared with `If-Range`, and a GET
    /// whose `If-Modified-Since` equals it is answered with 304.
    public var lastModified: String?

    /// Whether the server reads the request's body before it answers; true by default. If false and the request has a
    /// body, the connection is closed after the response.
    public var readsBody = true
    /// Whether `Expect: 100-continue` is answered with `100 Continue`; true by default.
    public var answersExpect = true

    /// Creates a response; by default 200 without content.
    public init(status: Int = 200, headers: ReceivedHeaders = [:], content: Content = .empty) {
        self.status = status
        self.headers = headers
        self.content = content
    }
}
