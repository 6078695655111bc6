import Foundation

/// What a `Set-Cookie` field says (RFC 6265, section 5.2), read byte by byte, before it is compared with who says it.
struct SetCookie: Equatable {
    /// The most bytes of a field that is looked at (RFC 6265, section 6.1, asks for as many).
    static let maximumLength = 4096
    /// The most cookies of a response.
    static let maximumCount = 50

    let name: String
    let value: String
    /// In lower case, without a leading dot; `nil` when the cookie is for its host alone.
    private(set) var domain: String?
    /// Begins with a slash; `nil` when it follows from the URL.
    private(set) var path: String?
    /// In seconds.
    private(set) var maximumAge: Int64?
    private(set) var expires: Date?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false

    /// `nil` when the field has neither name nor value, or a control character (section 5.4 of RFC 6265bis).
    init?(_ field: String) {
        guard !field.utf8.contains(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7f }) else { return nil }
        let parts = Array(field.utf8).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let (name, value) = Self.pair(first)
        // Without an equals sign all of it is the value.
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

    /// An optional minus sign and digits. What is beyond any number means the largest or the smallest.
    private static func age(_ value: ArraySlice<UInt8>) -> Int64? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return isNegative ? 0 : Int64(text(digits)) ?? .max
    }

    /// What stands before and after the first equals sign, without the white space around it.
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
