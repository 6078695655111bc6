extension NetworkRequest {
    /// The checksum that the content of a response must have.
    public enum Checksum: Sendable, Hashable, Codable {
        /// A SHA-256 checksum (FIPS 180-4) as 64 hexadecimal digits in either case.
        case sha256(String)
        /// A SHA-512 checksum (FIPS 180-4) as 128 hexadecimal digits in either case.
        case sha512(String)
        /// A SHA-1 checksum (FIPS 180-4) as 40 hexadecimal digits in either case. It detects errors, but not forgeries.
        case sha1(String)
        /// An MD5 checksum (RFC 1321) as 32 hexadecimal digits in either case. It detects errors, but not forgeries.
        case md5(String)
    }
}

extension NetworkRequest.Checksum: CustomStringConvertible {
    /// The name and the digits, such as `MD5 d41d8cd98f00b204e9800998ecf8427e`.
    public var description: String { "\(name) \(digits)" }

    /// The name of the hash algorithm, such as `SHA-256`.
    public var name: String {
        switch self {
        case .sha256: "SHA-256"
        case .sha512: "SHA-512"
        case .sha1: "SHA-1"
        case .md5: "MD5"
        }
    }

    /// The hexadecimal digits in lower case, whether or not they are valid.
    public var digits: String {
        switch self {
        case .sha256(let digits), .sha512(let digits), .sha1(let digits), .md5(let digits): digits.lowercased()
        }
    }

    /// The number of hexadecimal digits that a checksum of this kind must have.
    public var digitCount: Int {
        switch self {
        case .sha256: 64
        case .sha512: 128
        case .sha1: 40
        case .md5: 32
        }
    }

    /// Whether the digits are well formed: hexadecimal, and of the right count.
    var isSound: Bool {
        digits.utf8.count == digitCount && digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
