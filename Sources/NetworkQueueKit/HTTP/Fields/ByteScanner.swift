/// Reads the value of a field byte by byte.
///
/// Data from the network is never read as Swift characters: one character can span several bytes, such as a letter with
/// a combining accent, and a parser that expects the letter alone would miss it.
struct ByteScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Calls `body` with a scanner at the start of `text`; the scanner is valid only during the call.
    static func scan<Result>(_ text: String, _ body: (inout ByteScanner) throws -> Result) rethrows -> Result {
        var text = text
        return try text.withUTF8 { bytes in
            var scanner = ByteScanner(bytes: bytes)
            return try body(&scanner)
        }
    }

    /// Calls `body` with a scanner for a value as received, which need not be UTF-8.
    static func scan<Result>(_ value: [UInt8], _ body: (inout ByteScanner) throws -> Result) rethrows -> Result {
        try value.withUnsafeBufferPointer { bytes in
            var scanner = ByteScanner(bytes: bytes)
            return try body(&scanner)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The next byte, without consuming it; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Consumes and returns the next byte.
    mutating func pop() -> UInt8? {
        guard let byte = next else { return nil }
        position += 1
        return byte
    }

    /// Consumes the next byte if it equals `byte`; returns whether it did.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Consumes the next bytes if they equal `text`, including case; returns whether they did.
    mutating func skip(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { expected in
            guard bytes.count - position >= expected.count else { return false }
            for index in 0..<expected.count where bytes[position + index] != expected[index] { return false }
            position += expected.count
            return true
        }
    }

    /// Consumes bytes while they satisfy the predicate.
    @discardableResult
    mutating func take(while isTaken: (UInt8) -> Bool) -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = position
        while position < bytes.count, isTaken(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// Consumes a number with exactly `count` decimal digits; returns `nil` if there is none.
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
