extension String {
    /// Creates a text from bytes. Bytes that are not valid UTF-8 are percent-encoded, as servers with files from older
    /// systems expect them in a URL. Decoding alone would replace them with U+FFFD, which no server would recognize.
    init(bytes: some Collection<UInt8>) {
        if let text = bytes.withContiguousStorageIfAvailable({ String(validating: $0, as: UTF8.self) }) ?? nil {
            self = text
            return
        }
        let bytes = Array(bytes)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + 16)
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var place = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                encoded += scalar
                place += scalar.count
            case .error(let length):
                for byte in bytes[place..<place + length] { encoded += Self.percentEncoded(byte) }
                place += length
            case .emptyInput:
                self = String(decoding: encoded, as: UTF8.self)
                return
            }
        }
    }

    private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}

extension String {
    /// The text in at most about `length` bytes: an ellipsis replaces the rest.
    func shortened(to length: Int) -> String {
        guard utf8.count > length else { return self }
        let ends = (utf8.prefix(length * 2 / 3), utf8.suffix(length / 3))
        return String(decoding: ends.0, as: UTF8.self) + "…" + String(decoding: ends.1, as: UTF8.self)
    }
}

extension Collection<UInt8> {
    /// Whether a text is UTF-16, as Windows writes it: it begins with a byte order mark or with ASCII characters of two
    /// bytes.
    var isUTF16: Bool {
        let bytes = Array(prefix(4))
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        guard bytes.count == 4 else { return false }
        let isZero = bytes.map { $0 == 0 }
        return isZero == [false, true, false, true] || isZero == [true, false, true, false]
    }
}
