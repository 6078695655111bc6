import Foundation

/// A request as the server received it.
public struct ReceivedRequest: Sendable {
    /// The number of body bytes that are kept in ``body``: 1 MiB.
    public static let keptBodySize = 1 << 20

    /// The method, spelled as it was sent.
    public let method: String
    /// The request target of the request line, as it was sent.
    public let target: String
    /// The target's path without the query, percent-encoding untouched.
    public let path: String
    /// What follows the target's `?`; `nil` without one.
    public let query: String?
    /// The protocol of the request line, such as `HTTP/1.1`.
    public let version: String
    /// The header fields in order.
    public let headers: ReceivedHeaders
    /// The first ``keptBodySize`` bytes of the body.
    public internal(set) var body = Data()
    /// The number of body bytes received; chunk framing does not count.
    public internal(set) var bodyLength: Int64 = 0
    /// The ``ContentChecksum`` of the whole body, also of what ``body`` does not keep.
    public internal(set) var bodyChecksum = ContentChecksum().value
    /// Whether the body has arrived to its end (true without a body). A response that does not read it leaves this
    /// false.
    public internal(set) var isComplete = false
    /// Which accepted connection it came in on, counted from 0.
    public let connection: Int
    /// Its place among all requests of the server, counted from 0.
    public internal(set) var sequence = 0
    /// When its head had arrived.
    public let receivedAt: ContinuousClock.Instant

    init(head: RequestHead, connection: Int, receivedAt: ContinuousClock.Instant) {
        method = head.method
        target = head.target
        (path, query) = ReceivedRequest.split(head.target)
        version = head.version
        headers = head.headers
        self.connection = connection
        self.receivedAt = receivedAt
    }

    /// Path and query of a target in origin form, or in the absolute form that proxies get.
    private static func split(_ target: String) -> (path: String, query: String?) {
        var rest = Substring(target)
        if target.utf8.first != UInt8(ascii: "/"), let authority = target.range(of: "://") {
            rest = target[authority.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(rest), nil) }
        return (String(rest[..<mark]), String(rest[rest.index(after: mark)...]))
    }
}
