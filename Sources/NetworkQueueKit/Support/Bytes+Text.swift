import Foundation

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

extension UnsafeRawBufferPointer {
    /// Where the byte is first found, as fast as the C library finds it.
    func position(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, CInt(byte), count) else { return nil }
        return UnsafeRawPointer(found) - start
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Puts `other` in the place of each `byte`.
    func replaceAll(_ byte: UInt8, with other: UInt8) {
        var rest = self
        while let index = UnsafeRawBufferPointer(rest).position(of: byte) {
            rest[index] = other
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[(index + 1)...])
        }
    }
}

extension String {
    /// The text of bytes in UTF-8, with U+FFFD in the place of what is not: the same text as `String(decoding:as:)`
    /// makes.
    ///
    /// That one throws and catches an error for each fault. A process that looks at all errors, as that of a test does,
    /// needs 13 µs for each of them, and a server may send hundreds of thousands.
    init(repairing bytes: some Collection<UInt8>) {
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            self = String(decoding: bytes, as: UTF8.self)
            return
        }
        var repaired: [UInt8] = []
        repaired.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        var decoder = UTF8()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): repaired.append(contentsOf: String(scalar).utf8)
            case .error: repaired.append(contentsOf: "\u{FFFD}".utf8)
            case .emptyInput:
                self = String(decoding: repaired, as: UTF8.self)
                return
            }
        }
    }
}

extension String {
    /// The text for one line of a log: without control characters, each of which becomes a space.
    var singleLine: String {
        guard unicodeScalars.contains(where: \.breaksLine) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.breaksLine ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or a separator of lines, or turns the direction of the text around it.
    fileprivate var breaksLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: true
        default: false
        }
    }
}
