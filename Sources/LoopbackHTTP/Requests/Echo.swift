import Foundation

/// The JSON content of ``ScriptedResponse/echo``: the request as the server received it.
public struct Echo: Codable, Sendable, Hashable {
    /// The largest body that ``body`` repeats, in bytes: 64 KiB.
    public static let largestBody = 64 << 10

    /// The method as it was sent.
    public var method: String
    /// The request target as it was sent.
    public var target: String
    /// The target's path.
    public var path: String
    /// The target's query; `nil` if it has none.
    public var query: String?
    /// The header fields in order, each as an array of name and value.
    public var headers: [[String]]
    /// The number of body bytes.
    public var bodyLength: Int64
    /// The body's ``ContentChecksum`` as 16 hexadecimal digits, because JSON numbers lose bits.
    public var checksum: String
    /// The body if it is valid UTF-8 of at most ``largestBody`` bytes; otherwise `nil`.
    public var body: String?
    /// The index of the connection that the request arrived on, counted from 0.
    public var connection: Int

    /// Creates the echo of a request.
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

    /// Formats a checksum like ``checksum``.
    public static func hexadecimal(_ checksum: UInt64) -> String {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The echo as JSON with sorted keys.
    var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and integers cannot fail.
        return (try? encoder.encode(self)) ?? Data()
    }
}
