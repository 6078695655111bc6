extension ArraySlice<UInt8> {
    /// Returns the bytes, with those not in `allowed` percent-encoded.
    ///
    /// - Parameter isEncoded: whether a `%` with two hexadecimal digits is already encoded and is kept.
    func percentEncoded(allowing allowed: ByteSet, isEncoded: Bool = true) -> [UInt8] {
        withUnsafeBufferPointer { source in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(source.count)
            for index in source.indices {
                let byte = source[index]
                if allowed.contains(byte) || isEncoded && source.beginsTriple(at: index) {
                    bytes.append(byte)
                } else {
                    bytes.append(UInt8(ascii: "%"))
                    bytes.append((byte >> 4).hexDigit)
                    bytes.append((byte & 15).hexDigit)
                }
            }
            return bytes
        }
    }

    /// The bytes, with every `%` and two hexadecimal digits decoded.
    var percentDecoded: [UInt8] {
        withUnsafeBufferPointer { source in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(source.count)
            var index = 0
            while index < source.count {
                if source.beginsTriple(at: index), let high = source[index + 1].hexValue,
                    let low = source[index + 2].hexValue
                {
                    bytes.append(high << 4 | low)
                    index += 3
                } else {
                    bytes.append(source[index])
                    index += 1
                }
            }
            return bytes
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a `%` with two hexadecimal digits starts at `index`.
    fileprivate func beginsTriple(at index: Int) -> Bool {
        self[index] == UInt8(ascii: "%") && index + 2 < count && self[index + 1].hexValue != nil
            && self[index + 2].hexValue != nil
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit; `nil` for any other byte.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}

/// A set of ASCII characters.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 == 1
    }
}

/// The characters allowed in the parts of a URL (RFC 3986, sections 2 and 3), apart from the `%` of encoded characters.
///
/// The WHATWG URL Standard keeps a few more, such as `[`, `]` and `|` in paths, which Foundation refuses. In queries it
/// encodes `'`, which RFC 3986 allows.
extension ByteSet {
    static let scheme = ByteSet(letterCharacters + "0123456789+-.")
    static let unreserved = ByteSet(unreservedCharacters)
    static let host = ByteSet(unreservedCharacters + delimiters)
    static let ipv6Address = ByteSet("0123456789abcdef:.")
    static let userInformation = host
    static let path = ByteSet(unreservedCharacters + delimiters + ":@/")
    /// Also for fragments.
    static let query = ByteSet(unreservedCharacters + delimiters + ":@/?")

    private static let letterCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let unreservedCharacters = letterCharacters + "0123456789-._~"
    private static let delimiters = "!$&'()*+,;="
}
