import Foundation

/// A header field as it is written on a command line or in a list: `Name: value`.
struct HeaderLine: Hashable, Sendable {
    let name: String
    let value: String

    /// `nil` where there is no name before a colon, or what would be more than one line.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), !text.contains(where: \.isNewline) else { return nil }
        name = text[..<colon].trimmingCharacters(in: .whitespaces)
        value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        // The characters of a token (RFC 9110, section 5.6.2).
        let others = "!#$%&'*+-.^_`|~"
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) })
        else { return nil }
    }
}
