extension String {
    /// A text from bytes. Each one that does not belong to UTF-8 becomes its percent-encoding, as servers with files
    /// from older systems expect it in a URL, where decoding alone would replace it with a character that no server
    /// knows.
    init(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
            return
        }
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
