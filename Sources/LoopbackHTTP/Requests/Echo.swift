import Foundation

/// What ``ScriptedResponse/echo`` answers with, as JSON: the request as the server received it.
public struct Echo: Codable, Sendable, Hashable {
    /// The largest body that ``body`` repeats: 64 KiB.
    public static let largestBody = 64 << 10

    /// The method, as it was sent.
    public var method: String
    /// The request target, as it was sent.
    public var target: String
    /// The target's path.
    public var path: String
    /// The target's query; `nil` without one.
    public var query: String?
    /// The header fields in order, each an array of name and value.
    public var headers: [[String]]
    /// The number of body bytes.
    public var bodyLength: Int64
    /// The ``ContentChecksum`` of the body, as 16 hexadecimal digits (JSON numbers lose bits).
    public var checksum: String
    /// The body if it is UTF-8 of at most ``largestBody`` bytes, else `nil`.
    public var body: String?
    /// Which accepted connection the request came in on, counted from 0.
    public var connection: Int

    /// Describes a request.
    public init(_ request: ReceivedRequest) {
        method = request.method
        target = request.target
        path = request.path
        query = request.query
        headers = request.headers.map { [$0.name, $0.value] }
        bodyLength = request.bodyLength
        checksum = Echo.hexadecimal(request.bodyChecksum)
        body = request.bodyLength <= Echo.largestBody ? String(data: request.body, encoding: .utf8) : nil
        connection = request.connection
    }

    /// A checksum written as in ``checksum``.
    public static func hexadecimal(_ checksum: UInt64) -> String {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The JSON of the description, keys sorted.
    var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and integers always encode.
        return (try? encoder.encode(self)) ?? Data()
    }
}
