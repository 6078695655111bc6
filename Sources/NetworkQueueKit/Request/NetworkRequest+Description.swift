import Foundation

/// Texts without name and password of the URL, header fields and credential.
extension NetworkRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL, such as `GET https://example.com/file`.
    public var description: String {
        "\(method) \(lacksURL ? "no URL" : url.printable)"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// What `dump` shows: everything that is not secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method,
                "url": lacksURL ? "no URL" : url.printable,
                "body": body as Any,
                "destination": destination,
                "expectedDownloadSize": expectedDownloadSize as Any,
                "priority": priority,
                "tag": tag as Any,
            ], displayStyle: .struct)
    }
}
