/// Reads a field's value byte by byte, from its beginning to its end.
///
/// What comes from the network is never read as Swift characters: one of those may be several bytes, as with a letter
/// and the accent that is combined with it, and a parser that expects the letter alone misses it.
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

    /// The same for a value as it came over the wire, which need not be UTF-8.
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
