import Foundation

/// Texts without name and password of the URL, header fields that carry credentials, and content.
extension HTTPExchange: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL, such as `GET https://example.com/file`.
    public var description: String { "\(method) \(url.printable)" }

    /// The same with the header fields.
    public var debugDescription: String { "\(description) \(headers.debugDescription)" }

    /// What `dump` shows: the content as its length.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": url.printable, "headers": headers,
                "proxyAuthorization": proxyAuthorization.map { _ in "<hidden>" } as Any,
                "body": body.map { "\($0.length) bytes" } as Any,
                "idleTimeout": idleTimeout as Any, "totalTimeout": totalTimeout as Any,
            ], displayStyle: .struct)
    }
}
