extension String {
    /// The text of bytes in UTF-8, with U+FFFD in the place of what is not: the same text as `String(decoding:as:)` makes.
    ///
    /// That one throws and catches an error for each fault. A process that looks at all errors, as that of a test does, needs 13 µs
    /// for each of them, and a server may send hundreds of thousands.
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
