extension String {
    /// The text of bytes in UTF-8, with U+FFFD in the place of what is not: the same text as `String(decoding:as:)` makes.
    ///
    /// That one throws and catches an error for each fault. A process that looks at all errors, as that of a test does, needs 13 µs
    /// for each of them, and a server may send hundreds of thousands.
    init(repairing bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
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
