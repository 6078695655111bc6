import Foundation

/// Makes names of files out of parts of URLs.
enum SafeFileName {
    /// Most file systems take 255 bytes, and a number may have to be added.
    static let maximumLength = 240
    /// A longer extension is cut like any other part of a name.
    private static let longestExtension = 20
    /// What the names of a download's own files end in; see `PartNames`.
    private static let reservedSuffixes = [".nqk.part", ".nqk.part.info", ".nqk.part.info.new"]

    /// The name for a segment of a URL's path; `nil` where nothing is left of it, or only a dot segment.
    ///
    /// See ``Foundation/URL/safeFileName`` for what it is like.
    static func name(ofSegment segment: ArraySlice<UInt8>) -> String? {
        if isPlain(segment) { return String(decoding: segment, as: UTF8.self) }
        // What is not UTF-8 stays encoded.
        return name(
            of: String(validating: segment.percentDecoded, as: UTF8.self) ?? String(decoding: segment, as: UTF8.self))
    }

    /// The name for a text that is not encoded; `nil` where nothing is left of it, or only dots.
    static func name(of text: String) -> String? {
        let harmless = text.unicodeScalars.map { $0.isHarmfulInFileName ? "_" : $0 }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: harmless)
        let safe = unreserved(shortened(trimmed(Substring(String(scalars))), to: maximumLength))
        return ["", ".", ".."].contains(safe) ? nil : safe
    }

    /// Whether the segment is a name as it is: most are, and a list may have a million of them.
    private static func isPlain(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.count <= maximumLength && segment.allSatisfy { ByteSet.host.contains($0) }
            && !segment.allSatisfy { $0 == UInt8(ascii: ".") }
            && !reservedSuffixes.contains { suffix in
                segment.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { $0 | 0x20 == $1 }
            }
    }

    /// The name and its extension with the dot. A dot at the beginning makes no extension.
    static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.index(after: dot) != name.endIndex else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private static func shortened(_ name: String, to length: Int) -> String {
        guard name.utf8.count > length else { return name }
        let (stem, suffix) = split(name)
        return suffix.isEmpty || suffix.utf8.count > longestExtension
            ? trimmed(prefix(name, length)) : prefix(stem, length - suffix.utf8.count) + suffix
    }

    private static func prefix(_ name: String, _ length: Int) -> Substring {
        var end = name.utf8.index(name.startIndex, offsetBy: min(length, name.utf8.count))
        // Not in the middle of a scalar.
        while end > name.startIndex, end.samePosition(in: name.unicodeScalars) == nil {
            end = name.utf8.index(before: end)
        }
        return name[..<end]
    }

    private static func trimmed(_ name: Substring) -> String {
        var scalars = name.unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }

    private static func unreserved(_ name: String) -> String {
        let lowercased = name.lowercased()
        guard reservedSuffixes.contains(where: { lowercased.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }) else {
            return name
        }
        return prefix(name, maximumLength - 1) + "_"
    }
}

extension Unicode.Scalar {
    /// Whether the character has a meaning in paths or for a terminal, or turns the reading direction around.
    fileprivate var isHarmfulInFileName: Bool {
        // The properties are looked up in tables.
        if isASCII { return self == "/" || self == "\\" || value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}

extension URL {
    /// A name for the file that the URL leads to, harmless whatever server or list the URL is from.
    ///
    /// The last segment of the path, percent-decoded. It is never empty, `.` or `..`, has no slash, backslash, NUL or
    /// other control character, no space at either end, and none of the endings that the library gives its own files
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

    /// The segments of the path as names of folders and, at the end, of the file: each is harmless as ``safeFileName``
    /// is, and dot segments, also percent-encoded ones, are resolved (RFC 3986, section 5.2.4). At least one; a path
    /// that ends in a folder ends in `index.html` here. O(length).
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

    /// How many dots a segment of a path consists of, percent-encoded or not; `nil` when it is no dot segment and not
    /// empty.
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
