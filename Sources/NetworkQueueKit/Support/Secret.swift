import Foundation

/// Removes user names and passwords from URLs in text for people.
///
/// It works on bytes and without a parser: an error in a URL must not decide whether its password is shown.
extension String {
    /// The text of one URL without user name and password.
    ///
    /// If `//` is followed by a host and, after a colon, by digits alone, an `@` in the path stays. In any other text
    /// everything up to the last `@` is removed, because parsers differ in how they read a URL without `//`, or a
    /// password with a `/`, `?` or `#` in it.
    var withoutUserInformation: String {
        withoutUserInformation(hasPath: true)
    }

    /// The same for a proxy, whose path has no meaning: everything up to the last `@` is removed.
    var withoutProxyUserInformation: String {
        withoutUserInformation(hasPath: false)
    }

    /// The text without the user name and password of each URL in it.
    var withoutUserInformationInURLs: String {
        let bytes = Array(utf8)
        guard bytes.contains(UInt8(ascii: "@")) else { return self }
        var result: [UInt8] = []
        for part in bytes.split(omittingEmptySubsequences: false, whereSeparator: \.endsURL) {
            // A quotation mark before a URL is not part of it, but may be part of a password.
            let word = part.drop { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "(") }
            result += part[..<word.startIndex]
            if word.containsAuthorityMark, word.contains(UInt8(ascii: "@")) {
                result += Array(String(decoding: word, as: UTF8.self).withoutUserInformation.utf8)
            } else {
                result += word
            }
            if word.endIndex < bytes.endIndex { result.append(bytes[word.endIndex]) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func withoutUserInformation(hasPath: Bool) -> String {
        let bytes = Array(utf8)
        guard let lastSign = bytes.lastIndex(of: UInt8(ascii: "@")) else { return self }
        // A path alone and a file URL have no authority.
        if bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/") { return self }
        if bytes.starts(with: "file:///".utf8) { return self }
        let start = bytes.authorityStart
        if hasPath, start.isMarked {
            let authority = bytes[start.index...].prefix { !$0.endsAuthority }
            let sign = authority.lastIndex(of: UInt8(ascii: "@"))
            let place = authority[(sign.map { $0 + 1 } ?? start.index)...]
            if place.isHostAndPort {
                guard let sign else { return self }
                return String(decoding: bytes[..<start.index] + bytes[(sign + 1)...], as: UTF8.self)
            }
        }
        guard lastSign >= start.index else { return self }
        return String(decoding: bytes[..<start.index] + bytes[(lastSign + 1)...], as: UTF8.self)
    }
}

extension [UInt8] {
    /// The start of the authority, and whether `//` marks it.
    fileprivate var authorityStart: (index: Int, isMarked: Bool) {
        let scheme = prefix { $0.isInScheme }.count
        let colon = scheme < count && self[scheme] == UInt8(ascii: ":") ? scheme + 1 : 0
        let slashes = self[colon...].prefix { $0 == UInt8(ascii: "/") }.count
        // Without a slash, what looks like a scheme may be a user name.
        return slashes == 0 ? (0, false) : (colon + slashes, slashes == 2)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var containsAuthorityMark: Bool {
        zip(self, dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/") }
    }

    /// Whether it is a host and, if there is a colon, a port in digits.
    fileprivate var isHostAndPort: Bool {
        let bracket = lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? startIndex
        let host = self[..<(self[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? endIndex)]
        return !host.isEmpty && self[host.endIndex...].dropFirst().allSatisfy { $0.isDigit }
    }
}

extension UInt8 {
    fileprivate var isInScheme: Bool {
        isLetter || isDigit || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self)
    }

    fileprivate var endsAuthority: Bool {
        [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")].contains(self)
    }

    /// Whether the byte ends a URL within text: white space, double quotation marks, angle brackets.
    fileprivate var endsURL: Bool {
        self <= 0x20
            || [UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">")].contains(self)
    }
}

extension URL {
    /// The URL without user name and password; `file:///` if Foundation does not accept the rest as a URL.
    var withoutUserInformation: URL {
        guard mayHaveUserInformation else { return self }
        let text = absoluteString
        let rest = text.withoutUserInformation
        guard rest != text else { return self }
        return URL(string: rest, encodingInvalidCharacters: false) ?? URL(string: rest) ?? URL(filePath: "/")
    }

    /// The URL as text to show, without user name and password.
    package var printable: String { withoutUserInformation.absoluteString }

    /// Whether the URL may have a user name or a password, found by a quick search for `@`.
    var mayHaveUserInformation: Bool {
        var text = absoluteString
        return text.withUTF8 { UnsafeRawBufferPointer($0).position(of: UInt8(ascii: "@")) != nil }
    }
}

/// A stored value that no text shows: `print`, `dump` and mirrors show `<hidden>` instead.
///
/// A type that stores its secrets this way needs no mirror of its own. Content that may be a password, and users'
/// objects that may hold tokens, are secrets too. So are URLs, which may have a user name and a password, if the type's
/// description shows the rest of them.
struct Secret<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    var description: String { "<hidden>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Sendable where Value: Sendable {}

extension Secret: Equatable where Value: Equatable {}

extension Secret: Hashable where Value: Hashable {}

extension URL {
    /// The user name and the password in the URL.
    var credential: URLCredential? {
        guard mayHaveUserInformation, let user = user(percentEncoded: false) else {
            return nil
        }
        return URLCredential(user: user, password: password(percentEncoded: false) ?? "", persistence: .none)
    }
}
