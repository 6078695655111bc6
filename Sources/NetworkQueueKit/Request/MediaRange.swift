/// A media type, or a range of them (RFC 9110, section 12.5.1).
struct MediaRange: Sendable, Hashable {
    private let type: String
    private let subtype: String

    init(_ text: String) {
        let parts = Self.essence(of: text).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        type = parts.first.map(String.init) ?? ""
        subtype = parts.count > 1 ? String(parts[1]) : "*"
    }

    /// Whether a `Content-Type` is in the range.
    func contains(_ contentType: String?) -> Bool {
        guard let contentType else { return type == "*" }
        let other = MediaRange(contentType)
        return (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// Type and subtype in lower case, without parameters.
    private static func essence(of text: String) -> String {
        let essence = text.prefix { $0 != ";" && $0 != "," }
        return essence.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
