import Foundation

extension URL {
    /// The URL with more in its query, behind what is there.
    ///
    /// Everything is encoded but letters, digits, `-`, `.`, `_` and `~`: servers differ in what they make of the rest,
    /// `+` above all, which many take for a space.
    func withQuery(_ items: [URLQueryItem]) -> URL {
        guard !items.isEmpty else { return self }
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let base = text[..<end]
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        let query = items.map { item in
            item.name.queryEncoded + (item.value.map { "=" + $0.queryEncoded } ?? "")
        }
        let whole = base + separator + query.joined(separator: "&") + text[end...]
        return URL(string: String(whole), encodingInvalidCharacters: false) ?? self
    }
}

extension String {
    fileprivate var queryEncoded: String {
        String(decoding: Array(utf8)[...].percentEncoded(allowing: .unreserved, isEncoded: false), as: UTF8.self)
    }
}
