import Foundation

/// Texts without name and password of the URL, header fields that carry credentials, and content.
extension HTTPExchange: CustomStringConvertible, CustomDebugStringConvertible {
    /// Method and URL, such as `GET https://example.com/file`.
    public var description: String { "\(method) \(url.printable)" }

    /// The same with the header fields.
    public var debugDescription: String { "\(description) \(headers.debugDescription)" }
}
