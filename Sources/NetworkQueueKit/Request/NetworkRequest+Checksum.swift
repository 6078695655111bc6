extension NetworkRequest {
    /// What the content of a response has to add up to.
    public enum Checksum: Sendable, Hashable, Codable {
        /// A SHA-256 (FIPS 180-4) in 64 hexadecimal digits of either case.
        case sha256(String)
        /// A SHA-512 (FIPS 180-4) in 128 hexadecimal digits of either case.
        case sha512(String)
        /// A SHA-1 (FIPS 180-4) in 40 hexadecimal digits of either case. It finds mistakes, not forgeries.
        case sha1(String)
        /// An MD5 (RFC 1321) in 32 hexadecimal digits of either case. It finds mistakes, not forgeries.
        case md5(String)
    }
}

extension NetworkRequest.Checksum: CustomStringConvertible {
    /// Name and digits, such as `MD5 d41d8cd98f00b204e9800998ecf8427e`.
    public var description: String { "\(name) \(digits)" }

    /// The name of the hash, such as `SHA-256`.
    public var name: String {
        switch self {
        case .sha256: "SHA-256"
        case .sha512: "SHA-512"
        case .sha1: "SHA-1"
        case .md5: "MD5"
        }
    }

    /// The hexadecimal digits, in lower case.
    public var digits: String {
        switch self {
        case .sha256(let digits), .sha512(let digits), .sha1(let digits), .md5(let digits): digits.lowercased()
        }
    }

    /// How many digits such a hash has.
    public var digitCount: Int {
        switch self {
        case .sha256: 64
        case .sha512: 128
        case .sha1: 40
        case .md5: 32
        }
    }

    /// Whether any content can have it.
    var isSound: Bool {
        digits.utf8.count == digitCount && digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
