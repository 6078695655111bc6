import Foundation

extension URL {
    /// The URL without a name and password in it; `file:///` where Foundation does not take the rest for a URL.
    var withoutUserInformation: URL {
        guard mayHaveUserInformation else { return self }
        let text = absoluteString
        let rest = text.withoutUserInformation
        guard rest != text else { return self }
        return URL(string: rest, encodingInvalidCharacters: false) ?? URL(string: rest) ?? URL(filePath: "/")
    }

    /// Whether it is worth the time to look for a name and a password.
    var mayHaveUserInformation: Bool {
        var text = absoluteString
        return text.withUTF8 { UnsafeRawBufferPointer($0).position(of: UInt8(ascii: "@")) != nil }
    }
}

extension String {
    /// The text of a URL without a name and password in it.
    ///
    /// For what will be shown: where it cannot be told which part of the text they are, everything from the first colon to the
    /// last `@` is left out. O(length).
    package var withoutUserInformation: String {
        let bytes = Array(utf8)
        let secret = UserInformation.range(in: bytes)
        return secret.isEmpty
            ? self : String(decoding: bytes[..<secret.lowerBound] + bytes[secret.upperBound...], as: UTF8.self)
    }
}

/// Finds name and password in a URL's text, however damaged that is.
private enum UserInformation {
    /// Where they are, with the `@` behind them; empty when there are none.
    static func range(in text: [UInt8]) -> Range<Int> {
        guard let lastAt = text.lastIndex(of: UInt8(ascii: "@")) else { return 0..<0 }
        guard let start = startOfAuthority(in: text) else {
            let colon = text.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? text.count
            return colon <= lastAt ? colon..<(lastAt + 1) : 0..<0
        }
        let authority = text[start...].prefix { !"/?#".utf8.contains($0) }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
        // A slash, `?` or `#` within the password may have cut the authority short.
        guard isServer(text[host..<authority.endIndex]) || start == 7 && text.starts(with: "file:".utf8) else {
            return start..<max(host, lastAt + 1)
        }
        return start..<host
    }

    private static func startOfAuthority(in text: [UInt8]) -> Int? {
        if text.starts(with: "//".utf8) { return 2 }
        guard let colon = text.firstIndex(where: { ":/?#".utf8.contains($0) }),
            text[colon...].starts(with: "://".utf8)
        else { return nil }
        return colon + 3
    }

    /// Whether it is a host and nothing, or a number, behind a colon.
    private static func isServer(_ server: ArraySlice<UInt8>) -> Bool {
        let bracket = server.first == UInt8(ascii: "[") ? server.firstIndex(of: UInt8(ascii: "]")) : nil
        let colon = server[(bracket ?? server.startIndex)...].firstIndex(of: UInt8(ascii: ":")) ?? server.endIndex
        return colon > server.startIndex && server[colon...].dropFirst().allSatisfy(ByteSet.digits.contains)
    }
}
