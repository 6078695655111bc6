import Foundation

/// A parsed `Set-Cookie` field (RFC 6265, section 5.2), before it is checked against the origin that sent it.
struct SetCookie: Equatable {
    /// The maximum length of a field in bytes; RFC 6265, section 6.1, requires support for at least this.
    static let maximumLength = 4096
    /// The maximum number of cookies in a response.
    static let maximumCount = 50

    let name: String
    let value: String
    /// The domain in lower case, without a leading dot; `nil` if the cookie is only for its host.
    private(set) var domain: String?
    /// The path, which begins with a slash; `nil` if it is derived from the URL.
    private(set) var path: String?
    /// The `Max-Age` in seconds.
    private(set) var maximumAge: Int64?
    private(set) var expires: Date?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false

    /// Parses a field. Returns `nil` if it has neither name nor value, or has a control character (RFC 6265bis, section
    /// 5.4).
    init?(_ field: String) {
        guard !field.utf8.contains(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7f }) else { return nil }
        let parts = Array(field.utf8).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let (name, value) = Self.pair(first)
        // Without an equals sign, the whole text is the value.
        self.name = value == nil ? "" : Self.text(name)
        self.value = Self.text(value ?? name)
        guard !self.name.isEmpty || !self.value.isEmpty else { return nil }
        for part in parts.dropFirst() {
            let (name, value) = Self.pair(part)
            take(attribute: name.lowercasedText, value: value ?? [])
        }
    }

    private mutating func take(attribute: String, value: ArraySlice<UInt8>) {
        switch attribute {
        case "expires": if let date = CookieDate.date(from: value) { expires = date }
        case "max-age": if let age = Self.age(value) { maximumAge = age }
        case "domain":
            let domain = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
            self.domain = domain.isEmpty ? nil : domain.lowercasedText
        case "path": path = value.first == UInt8(ascii: "/") ? Self.text(value) : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }

    /// Parses an optional minus sign and digits. Negative numbers become 0; numbers that are too large become the
    /// maximum.
    private static func age(_ value: ArraySlice<UInt8>) -> Int64? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return isNegative ? 0 : Int64(text(digits)) ?? .max
    }

    /// Splits text at the first equals sign, and removes white space around both parts.
    private static func pair(_ bytes: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(bytes), nil) }
        return (trimmed(bytes[..<equals]), trimmed(bytes[(equals + 1)...]))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let front = bytes.drop(while: \.isFieldSpace)
        return front.lastIndex { !$0.isFieldSpace }.map { front[...$0] } ?? []
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
