import Foundation

/// Texts without the values of header fields that carry credentials.
extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible {
    /// Version, status and URL, such as `HTTP/1.1 200 https://example.com/file`.
    public var description: String {
        "\(httpVersion) \(statusCode) \(url.printable)"
    }

    /// The same with the header fields.
    public var debugDescription: String { "\(description) \(headers.debugDescription)" }
}
