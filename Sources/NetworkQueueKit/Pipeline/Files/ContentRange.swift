/// What `Content-Range` says (RFC 9110, section 14.4).
enum ContentRange: Equatable {
    /// The content is these bytes, first and last included, of so many in all where that is told.
    case part(first: Int64, last: Int64, total: Int64?)
    /// There is no such part; there are so many bytes in all.
    case unsatisfied(total: Int64)

    /// Reads `bytes a-b/total`, `bytes a-b/*` or `bytes */total`; `nil` for anything else, or if the numbers contradict
    /// each other.
    init?(_ value: String?) {
        guard let value else { return nil }
        let words = value.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Self.number(parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        if parts[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
