import Foundation

extension URL {
    /// A name for the file that the URL leads to, harmless whatever server or list the URL is from.
    ///
    /// The last segment of the path, percent-decoded. It is never empty, `.` or `..`, has no slash, backslash, NUL or other
    /// control character, no space at either end, and none of the endings that the library gives its own files
    /// (`.nqk.part` and what follows it). It has at most 240 bytes of UTF-8; a longer one is cut before its extension.
    ///
    /// - A slash, a backslash, a control character, or one that turns the reading direction around becomes `_`.
    /// - What is not UTF-8 after decoding stays percent-encoded.
    /// - Where nothing is left, as for a path that ends with a slash, the name is `index.html`.
    ///
    /// Two URLs may have the same name; see ``Destination/ConflictPolicy``. O(length).
    public var safeFileName: String {
        let path = pathBytes
        let segment = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
        return SafeFileName.name(ofSegment: segment) ?? "index.html"
    }

    /// The segments of the path as names of folders and, at the end, of the file: each is harmless as ``safeFileName`` is, and dot
    /// segments, also percent-encoded ones, are resolved (RFC 3986, section 5.2.4). At least one; a path that ends in a folder
    /// ends in `index.html` here. O(length).
    public var safePathComponents: [String] {
        var components: [String] = []
        var endsInFile = false
        for segment in pathBytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let depth = Self.dotCount(segment)
            endsInFile = depth == nil
            if endsInFile {
                components.append(SafeFileName.name(ofSegment: segment) ?? "_")
            } else if depth == 2 {
                components = components.dropLast()
            }
        }
        return endsInFile ? components : components + ["index.html"]
    }

    /// How many dots a segment of a path consists of, percent-encoded or not; `nil` when it is no dot segment and not empty.
    private static func dotCount(_ segment: ArraySlice<UInt8>) -> Int? {
        guard segment.count <= "%2e%2e".utf8.count else { return nil }
        if let first = segment.first, first != UInt8(ascii: "."), first != UInt8(ascii: "%") { return nil }
        let decoded = segment.percentDecoded
        return decoded.count <= 2 && decoded.allSatisfy { $0 == UInt8(ascii: ".") } ? decoded.count : nil
    }

    /// The path as it is written. Foundation's takes the text apart and puts it together again.
    private var pathBytes: ArraySlice<UInt8> {
        let text = Array(absoluteString.utf8)
        var start = 0
        if let colon = text.firstIndex(where: { $0 == UInt8(ascii: ":") || Self.endsAuthority($0) }),
            text[colon...].starts(with: "://".utf8)
        {
            start = colon + 3
            while start < text.count, !Self.endsAuthority(text[start]) { start += 1 }
        }
        return text[start...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}
