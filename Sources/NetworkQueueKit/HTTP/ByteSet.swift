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

/// What may stand in the parts of a URL (RFC 3986, sections 2 and 3), apart from the `%` of what is encoded.
///
/// The WHATWG URL Standard leaves some more as they are, such as `[`, `]` and `|` in paths, which Foundation refuses; and in a
/// query it encodes `'`, which RFC 3986 allows.
extension ByteSet {
    static let scheme = ByteSet(letterCharacters + "0123456789+-.")
    static let unreserved = ByteSet(unreservedCharacters)
    static let host = ByteSet(unreservedCharacters + delimiters)
    static let ipv6Address = ByteSet("0123456789abcdef:.")
    static let userInformation = host
    static let path = ByteSet(unreservedCharacters + delimiters + ":@/")
    /// A fragment's, too.
    static let query = ByteSet(unreservedCharacters + delimiters + ":@/?")

    private static let letterCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let unreservedCharacters = letterCharacters + "0123456789-._~"
    private static let delimiters = "!$&'()*+,;="
}
