import Foundation

/// Texts without name and password of the URL, header fields and credential.
extension NetworkRequest: CustomStringConvertible {
    /// Method and URL, such as `GET https://example.com/file`.
    public var description: String {
        "\(method) \(lacksURL ? "no URL" : url.printable)"
    }
}
