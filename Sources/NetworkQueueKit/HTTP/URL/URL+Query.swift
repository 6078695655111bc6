import Foundation

extension URL {
    /// Returns the URL with items appended to its query.
    ///
    /// Everything except letters, digits, `-`, `.`, `_` and `~` is encoded, because servers interpret other characters
    /// differently; many read `+` as a space.
    func withQuery(_ items: [URLQueryItem]) -> URL {
        guard !items.isEmpty else { return self }
        let text = absoluteString
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let base = text[..<end]
        let isOpen = base.ends(withBytesOf: "?") || base.ends(withBytesOf: "&")
        let separator = !base.contains(byte: "?") ? "?" : isOpen ? "" : "&"
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
