/// Reads a field's value byte by byte, from its beginning to its end.
///
/// What comes from the network is never read as Swift characters: one of those may be several bytes, as with a letter and the
/// accent that is combined with it, and a parser that expects the letter alone misses it.
struct ByteScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Calls `body` with a scanner at the beginning of `text`, which is valid during the call only.
    static func scan<Result>(_ text: String, _ body: (inout ByteScanner) throws -> Result) rethrows -> Result {
        var text = text
        return try text.withUTF8 { bytes in
            var scanner = ByteScanner(bytes: bytes)
            return try body(&scanner)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The next byte, which is not taken; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Takes the next byte.
    mutating func pop() -> UInt8? {
        guard let byte = next else { return nil }
        position += 1
        return byte
    }

    /// Takes the next byte if it is this one; returns whether it was.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Takes the next bytes if they are these, letter by letter; returns whether they were.
    mutating func skip(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { expected in
            guard bytes.count - position >= expected.count else { return false }
            for index in 0..<expected.count where bytes[position + index] != expected[index] { return false }
            position += expected.count
            return true
        }
    }

    /// Takes bytes as long as they are of a kind.
    @discardableResult
    mutating func take(while isTaken: (UInt8) -> Bool) -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = position
        while position < bytes.count, isTaken(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// Takes the number that `count` decimal digits stand for.
    mutating func takeNumber(digits count: Int) -> Int? {
        guard bytes.count - position >= count else { return nil }
        var number = 0
        for byte in bytes[position..<(position + count)] {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += count
        return number
    }
}

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

    /// The byte, or the small letter of a capital one.
    var lowercasedASCII: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}

extension Sequence<UInt8> {
    /// The text with the capital letters of ASCII made small. Bytes that are not UTF-8 become U+FFFD.
    var lowercasedText: String { String(decoding: map(\.lowercasedASCII), as: UTF8.self) }
}
