import Foundation
import NetworkQueueKit

/// A request as the server received it.
public struct ReceivedRequest: Sendable {
    /// The maximum number of bytes kept in ``body``: 1 MiB.
    public static let keptBodySize = 1 << 20

    /// The method as it was sent.
    public let method: String
    /// The target of the request line as it was sent.
    public let target: String
    /// The target's path without the query, still percent-encoded.
    public let path: String
    /// The target's query, without the `?`; `nil` if it has none.
    public let query: String?
    /// The HTTP version of the request line, such as `HTTP/1.1`.
    public let version: String
    /// The header fields in order.
    public let headers: ReceivedHeaders
    /// The first ``keptBodySize`` bytes of the body.
    public internal(set) var body = Data()
    /// The number of body bytes received, without chunk framing.
    public internal(set) var bodyLength: Int64 = 0
    /// The ``ContentChecksum`` of all received body bytes, including those that ``body`` does not keep.
    public internal(set) var bodyChecksum = ContentChecksum().value
    /// Whether the whole body has arrived; true for a request without a body. Stays false if the response does not read
    /// the body.
    public internal(set) var isComplete = false
    /// The index of the connection that the request arrived on, counted from 0.
    public let connection: Int
    /// The request's position among all requests to the server, counted from 0.
    public internal(set) var sequence = 0
    /// The time at which the request's head was complete.
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

    /// Splits a target in origin form, or in the absolute form that proxies receive, into path and query.
    private static func split(_ target: String) -> (path: String, query: String?) {
        var rest = Substring(target)
        if target.utf8.first != UInt8(ascii: "/"), let authority = target.index(afterBytesOf: "://") {
            rest = Substring(target.utf8[authority...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        }
        let parts = rest.parts(separatedBy: "?", maxSplits: 1).map(String.init)
        return (parts[0], parts.count == 2 ? parts[1] : nil)
    }
}
