/// Bytes as HTTP sees them.
extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }

    /// Optional white space (RFC 9110, section 5.6.3).
    var isFieldSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether the byte may stand in a token, such as a method or a field's name (RFC 9110, section 5.6.2).
    var isTokenCharacter: Bool {
        if isLetter || isDigit { return true }
        return switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether the byte ends a field line or is forbidden in one (RFC 9110, section 5.5).
    var isForbiddenInValue: Bool { self == 0 || self == 10 || self == 13 }

    /// The byte, or the small letter of a capital one.
    var lowercasedASCII: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}

extension Sequence<UInt8> {
    /// The bytes with the capital letters of ASCII made small.
    var asciiLowercased: [UInt8] { map(\.lowercasedASCII) }

    /// The text with the capital letters of ASCII made small. Bytes that are not UTF-8 become U+FFFD.
    var lowercasedText: String { String(decoding: asciiLowercased, as: UTF8.self) }
}
