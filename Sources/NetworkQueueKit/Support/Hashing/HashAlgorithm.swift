/// A hash function. The hash itself comes from the system's library, which uses the processor's instructions; without
/// such a library it comes from ``PlainHash``.
enum HashAlgorithm: String, Sendable, CaseIterable {
    // The raw values are OpenSSL's names.
    /// RFC 1321. It detects errors, not forgeries.
    case md5 = "MD5"
    /// FIPS 180-4. It detects errors, not forgeries.
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    func makeHash() -> any StreamHash { SystemHash(self) ?? makePlainHash() }

    func makePlainHash() -> any StreamHash {
        switch self {
        case .md5: PlainHash<MD5Blocks>()
        case .sha1: PlainHash<SHA1Blocks>()
        case .sha256: PlainHash<SHA256Blocks>()
        case .sha512: PlainHash<SHA512Blocks>()
        }
    }

    func hexDigest(of text: String) -> String {
        var (hash, text) = (makeHash(), text)
        text.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
        return hash.finish().hexadecimal
    }
}

/// Hashes a stream of bytes, in chunks of any size. Copies may share their state, so use only one of them.
protocol StreamHash: Sendable {
    /// Processes the next bytes of the stream. O(n).
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// The digest of the whole stream. The last call.
    mutating func finish() -> [UInt8]
}

extension Sequence<UInt8> {
    /// Two lowercase hexadecimal digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
