import Foundation

/// The bytes of HTTP's grammar.
extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }

    /// Whether the byte is optional white space (RFC 9110, section 5.6.3).
    var isFieldSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether the byte may be part of a token, such as a method or a field name (RFC 9110, section 5.6.2).
    package var isTokenCharacter: Bool {
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

    /// The byte; if it is an ASCII capital, its lowercase letter.
    var lowercasedASCII: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}

extension Sequence<UInt8> {
    /// The bytes with ASCII capitals lowercased.
    var asciiLowercased: [UInt8] { map(\.lowercasedASCII) }

    /// The text with ASCII capitals lowercased. Bytes that are not UTF-8 become U+FFFD.
    var lowercasedText: String { String(decoding: asciiLowercased, as: UTF8.self) }
}

extension UnsafeRawBufferPointer {
    /// The position of the first such byte, found by the C library.
    func position(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, CInt(byte), count) else { return nil }
        return UnsafeRawPointer(found) - start
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Replaces each `byte` with `other`.
    func replaceAll(_ byte: UInt8, with other: UInt8) {
        var rest = self
        while let index = UnsafeRawBufferPointer(rest).position(of: byte) {
            rest[index] = other
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[(index + 1)...])
        }
    }
}

extension String {
    /// Decodes UTF-8 and replaces invalid bytes with U+FFFD, with the same result as `String(decoding:as:)`.
    ///
    /// `String(decoding:as:)` throws and catches an error for each invalid sequence. In a process that observes all
    /// errors, such as a test process, each takes 13 µs, and a server may send hundreds of thousands.
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
    /// The text for one line of a log. Control characters, line separators and format characters become spaces.
    var singleLine: String {
        guard unicodeScalars.contains(where: \.breaksLine) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.breaksLine ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, a line or paragraph separator, or a format character, such as one
    /// that changes the direction of text.
    fileprivate var breaksLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: true
        default: false
        }
    }
}
