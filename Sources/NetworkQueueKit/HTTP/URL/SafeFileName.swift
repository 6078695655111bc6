import Foundation

/// Creates safe file names from parts of URLs.
package enum SafeFileName {
    /// The length in bytes that most file systems allow.
    static let maximumLength = 255
    /// A longer extension is cut like any other part of the name.
    private static let longestExtension = 20
    /// The endings of a download's own files; see `PartNames`.
    private static let reservedSuffixes = [".nqk.part", ".nqk.part.info", ".nqk.part.info.new"]

    /// Returns the name for a path segment of a URL; `nil` if nothing or only a dot segment is left.
    ///
    /// The rules are those of ``Foundation/URL/safeFileName``.
    static func name(ofSegment segment: ArraySlice<UInt8>) -> String? {
        if isPlain(segment) { return String(decoding: segment, as: UTF8.self) }
        // A segment that is not UTF-8 stays percent-encoded.
        return name(
            of: String(validating: segment.percentDecoded, as: UTF8.self) ?? String(decoding: segment, as: UTF8.self))
    }

    /// Returns the name for text that is not encoded; `nil` if nothing or only dots are left.
    static func name(of text: String) -> String? {
        let harmless = text.unicodeScalars.map { $0.isHarmfulInFileName ? "_" : $0 }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: harmless)
        let safe = unreserved(shortened(trimmed(Substring(String(scalars))), to: maximumLength))
        return ["", ".", ".."].contains(safe) ? nil : safe
    }

    /// Returns the names for the path segments of a URL; see ``Foundation/URL/safePathComponents``.
    package static func components(ofURL text: String) -> [String] {
        let path = pathBytes(ofURL: text)
        var components: [String] = []
        var start = path.startIndex
        while true {
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            let segment = path[start..<end]
            let depth = dotCount(segment)
            if depth == nil {
                components.append(name(ofSegment: segment) ?? "_")
            } else if depth == 2 {
                components = components.dropLast()
            }
            if end == path.endIndex { return depth == nil ? components : components + ["index.html"] }
            start = end + 1
        }
    }

    /// Returns the number of dots that make up a segment, percent-encoded or not: 0 if it is empty, `nil` if it is not
    /// a dot segment.
    private static func dotCount(_ segment: ArraySlice<UInt8>) -> Int? {
        guard segment.count <= "%2e%2e".utf8.count else { return nil }
        if let first = segment.first, first != UInt8(ascii: "."), first != UInt8(ascii: "%") { return nil }
        let decoded = segment.percentDecoded
        return decoded.count <= 2 && decoded.allSatisfy { $0 == UInt8(ascii: ".") } ? decoded.count : nil
    }

    /// The path as written. Foundation's accessor would decompose and rebuild the URL.
    fileprivate static func pathBytes(ofURL text: String) -> ArraySlice<UInt8> {
        let text = Array(text.utf8)
        var start = 0
        if let colon = text.firstIndex(where: { $0 == UInt8(ascii: ":") || endsAuthority($0) }),
            text[colon...].starts(with: "://".utf8)
        {
            start = colon + 3
            while start < text.count, !endsAuthority(text[start]) { start += 1 }
        }
        return text[start...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether the segment is already a safe name. Most are, and a list may have a million of them.
    private static func isPlain(_ segment: ArraySlice<UInt8>) -> Bool {
        let allowed = ByteSet.host
        guard segment.count <= maximumLength, segment.allSatisfy({ allowed.contains($0) }),
            segment.contains(where: { $0 != UInt8(ascii: ".") })
        else { return false }
        // The last letters of the reserved endings.
        guard let last = segment.last, "tow".utf8.contains(last | 0x20) else { return true }
        return !reservedSuffixes.contains { suffix in
            segment.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { $0 | 0x20 == $1 }
        }
    }

    /// Splits a name into its stem and its extension with the dot. A leading dot does not start an extension.
    package static func split(_ name: String) -> (stem: String, suffix: String) {
        let bytes = name.utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex,
            bytes.index(after: dot) != bytes.endIndex
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private static func shortened(_ name: String, to length: Int) -> String {
        guard name.utf8.count > length else { return name }
        let (stem, suffix) = split(name)
        return suffix.isEmpty || suffix.utf8.count > longestExtension
            ? trimmed(prefix(name[...], length)) : prefix(stem[...], length - suffix.utf8.count) + suffix
    }

    /// Returns the beginning of a text, at most `length` bytes that end with a whole scalar.
    static func prefix(_ text: Substring, _ length: Int) -> String {
        let text = text.unicodeScalars
        var end = text.startIndex
        var count = 0
        while end < text.endIndex {
            count += UTF8.width(text[end])
            if count > length { break }
            end = text.index(after: end)
        }
        return String(text[..<end])
    }

    private static func trimmed(_ name: some StringProtocol) -> String {
        var scalars = Substring(name).unicodeScalars
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }

    private static func unreserved(_ name: String) -> String {
        let lowercased = name.lowercased()
        guard reservedSuffixes.contains(where: { lowercased.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }) else {
            return name
        }
        return prefix(name[...], maximumLength - 1) + "_"
    }
}

extension Unicode.Scalar {
    /// Whether the character has a meaning in paths or for a terminal, or changes the reading direction.
    fileprivate var isHarmfulInFileName: Bool {
        // Fast path: the properties below are looked up in tables.
        if isASCII { return self == "/" || self == "\\" || value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}

extension URL {
    /// A safe name for the file at the URL, even if the URL is from an untrusted server or list.
    ///
    /// It is the last path segment, percent-decoded. It is never empty, `.` or `..`. It has no slash, backslash or
    /// control character, no white space at either end, and none of the endings of the library's own files (`.nqk.part`
    /// and those derived from it). It has at most 255 bytes of UTF-8; a longer name is cut before its extension.
    ///
    /// - Slashes, backslashes, control characters, and characters that change the reading direction are replaced by
    ///   `_`.
    /// - A segment that is not UTF-8 after decoding stays percent-encoded.
    /// - If nothing is left, as for a path that ends with a slash, the name is `index.html`.
    ///
    /// Different URLs may have the same name; see ``Destination/ConflictPolicy``. O(length).
    public var safeFileName: String {
        let path = SafeFileName.pathBytes(ofURL: absoluteString)
        let segment = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
        return SafeFileName.name(ofSegment: segment) ?? "index.html"
    }

    /// The path segments as safe names for folders and, last, the file. O(length).
    ///
    /// Each is sanitized like ``safeFileName``, and dot segments, even if percent-encoded, are resolved (RFC 3986,
    /// section 5.2.4). There is at least one component; for a path that ends in a folder, the last is `index.html`.
    public var safePathComponents: [String] { SafeFileName.components(ofURL: absoluteString) }
}
