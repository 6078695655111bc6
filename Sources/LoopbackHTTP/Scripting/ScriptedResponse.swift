import Foundation

/// What the server answers with: an ordinary response by default, or one with any of the faults that clients meet.
///
/// Make one with a factory (``text(_:status:)``, ``generated(size:seed:)``, ``raw(_:closes:)``, …) and refine it with
/// the modifiers, each of which sets the property that it names:
///
///     .text("hello").header("Vary", "Accept").chunked().dropping(after: 3)
///
/// The order of events for one request:
///
///     head of the request
///     ├─ gates at .beforeRequestBody · 100 Continue · body of the request      (unless readsBody is false)
///     ├─ interim responses
///     ├─ delayBeforeHead · gates at .beforeHead · status line and headers
///     ├─ delayBeforeBody · gates at .afterHead
///     ├─ body, at bytesPerSecond, with gates at .afterBody(n)
///     └─ ending: complete · stall · drop
public struct ScriptedResponse: Sendable {
    /// The status code, 200 by default.
    public var status: Int
    /// The reason phrase; `nil` (default) is the registered one.
    public var reason: String?
    /// Header fields sent in this order before those that the server adds (framing, ranges, `Connection`).
    public var headers: ReceivedHeaders
    /// What is sent; nothing by default.
    public var content: Content
    /// How the body's end is marked; by its length by default.
    public var framing: Framing = .contentLength
    /// A `Content-Length` that need not be true; `nil` (default) is the true one. One that is not true makes the
    /// server close the connection afterwards.
    public var declaredLength: DeclaredLength?
    /// Responses with 1xx statuses sent before the real one, in order.
    public var interim: [Interim] = []

    /// Waited before the head is sent; zero by default.
    public var delayBeforeHead: Duration = .zero
    /// Waited between head and body; zero by default.
    public var delayBeforeBody: Duration = .zero
    /// The pace of the body in bytes of content per second; `nil` (default) is as fast as it goes.
    public var bytesPerSecond: Int64?
    /// Where the server waits for the test.
    public var gates: [(gate: Gate, point: GatePoint)] = []
    /// How the response ends; completely by default, and without a body (HEAD, 204, 304) in any case.
    public var ending: Ending = .complete
    /// Whether the connection is closed afterwards, announced by `Connection: close`; false by default.
    public var closesConnection = false

    /// How HEAD is answered; like GET without the body by default.
    public var headBehavior: HeadBehavior = .likeGET
    /// Whether a GET with a single byte range gets 206 or 416; false by default. `Accept-Ranges` is sent if true.
    public var acceptsRanges = false
    /// The `ETag`, quotes included, which `If-Range` may name; `nil` (default) sends none.
    public var etag: String?
    /// The `Last-Modified` date as it is sent, which `If-Range` may name, and an `If-Modified-Since` of a
    /// GET, which is answered with 304 then; `nil` (default) sends none.
    public var lastModified: String?

    /// Whether the request's body is read before the answer; true by default. If false and the request has a body, the
    /// connection is closed after the response.
    public var readsBody = true
    /// Whether `Expect: 100-continue` is answered with `100 Continue`; true by default.
    public var answersExpect = true

    /// Makes a response; by default 200 without content.
    public init(status: Int = 200, headers: ReceivedHeaders = [:], content: Content = .empty) {
        self.status = status
        self.headers = headers
        self.content = content
    }
}
