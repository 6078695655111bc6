extension String {
    /// Creates a text from bytes. Bytes that are not valid UTF-8 are percent-encoded, as servers with files from older
    /// systems expect them in a URL. Decoding alone would replace them with U+FFFD, which no server would recognize.
    init(bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
            return
        }
        self = ""
        var (parser, iterator, rest) = (UTF8.ForwardParser(), bytes.makeIterator(), bytes[...])
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                unicodeScalars.append(UTF8.decode(scalar))
                rest = rest.dropFirst(scalar.count)
            case .error(let length):
                // They are never ASCII, so each has two digits.
                for byte in rest.prefix(length) { self += "%" + String(byte, radix: 16, uppercase: true) }
                rest = rest.dropFirst(length)
            case .emptyInput: return
            }
        }
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
