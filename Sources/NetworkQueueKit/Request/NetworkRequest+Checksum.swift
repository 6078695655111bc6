extension NetworkRequest {
    /// What the content of a response has to add up to.
    public enum Checksum: Sendable, Hashable {
        /// A SHA-256 (FIPS 180-4) in 64 hexadecimal digits of either case.
        case sha256(String)
        /// An MD5 (RFC 1321) in 32 hexadecimal digits of either case. It finds mistakes, not forgeries.
        case md5(String)
    }
}

extension NetworkRequest.Checksum: CustomStringConvertible {
    /// Name and digits, such as `MD5 d41d8cd98f00b204e9800998ecf8427e`.
    public var description: String { "\(name) \(digits)" }

    var name: String {
        switch self {
        case .sha256: "SHA-256"
        case .md5: "MD5"
        }
    }

    var digits: String {
        switch self {
        case .sha256(let digits), .md5(let digits): digits.lowercased()
        }
    }

    var digitCount: Int {
        switch self {
        case .sha256: 64
        case .md5: 32
        }
    }

    /// Whether any content can have it.
    var isSound: Bool {
        digits.utf8.count == digitCount && digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
