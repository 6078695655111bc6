/// A media type, or a range of them (RFC 9110, section 12.5.1).
struct MediaRange: Sendable, Hashable {
    private let type: String
    private let subtype: String

    init(_ text: String) {
        let parts = Self.essence(of: text).split(
            separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        type = parts.first?.lowercasedText ?? ""
        subtype = parts.count > 1 ? parts[1].lowercasedText : "*"
    }

    /// Type and subtype in lower case.
    var text: String { "\(type)/\(subtype)" }

    /// Whether a `Content-Type` is in the range.
    func contains(_ contentType: String?) -> Bool {
        guard let contentType else { return type == "*" }
        let other = MediaRange(contentType)
        return (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// Type and subtype without parameters.
    private static func essence(of text: String) -> [UInt8] {
        text.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.filter { !$0.isFieldSpace }
    }
}
