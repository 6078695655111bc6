import Foundation

/// Reads URLs from what people type and lists hold.
enum URLText {
    /// The URL; `nil` unless it is one of `http` or `https` with a host.
    static func url(_ text: String) -> URL? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else { return nil }
        return url
    }
}
