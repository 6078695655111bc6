/// Compares content, piece by piece, with what its request expects.
struct ContentCheck: Sendable {
    private enum Stream: Sendable {
        case sha256(SHA256)
        case sha512(SHA512)
        case sha1(SHA1)
        case md5(MD5)
    }

    private let expected: NetworkRequest.Checksum?
    /// The size that the content must have; `nil` accepts any size.
    let expectedSize: Int64?
    private var hasher: Stream?
    private var size: Int64 = 0

    /// Fails if the request expects nothing of its content. A malformed checksum fails the request before it is sent.
    ///
    /// - Parameter checksSize: whether to compare the size as well.
    init?(_ request: NetworkRequest, ofSize checksSize: Bool = true) {
        expected = request.expectedChecksum
        expectedSize = checksSize ? request.expectedDownloadSize : nil
        if expected == nil, expectedSize == nil { return nil }
        hasher =
            switch expected {
            case .sha256: .sha256(SHA256())
            case .sha512: .sha512(SHA512())
            case .sha1: .sha1(SHA1())
            case .md5: .md5(MD5())
            case nil: nil
            }
    }

    /// Whether the check needs the bytes themselves and not only their number.
    var isOfBytes: Bool { hasher != nil }

    /// Counts bytes that are already stored and need not be seen.
    mutating func skip(_ count: Int64) { size += count }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        size += Int64(bytes.count)
        if let expectedSize, size > expectedSize { throw .mismatch(.size(expected: expectedSize, actual: size)) }
        switch hasher {
        case nil: break
        case .sha256(var stream):
            // Replace `hasher` first: a second reference to its buffer would make every update copy it.
            hasher = .sha256(SHA256())
            stream.update(bytes)
            hasher = .sha256(stream)
        case .sha512(var stream):
            hasher = .sha512(SHA512())
            stream.update(bytes)
            hasher = .sha512(stream)
        case .sha1(var stream):
            hasher = .sha1(SHA1())
            stream.update(bytes)
            hasher = .sha1(stream)
        case .md5(var stream):
            hasher = .md5(MD5())
            stream.update(bytes)
            hasher = .md5(stream)
        }
    }

    /// Checks the complete content.
    func verify() throws(NetworkError) {
        if let expectedSize, size != expectedSize { throw .mismatch(.size(expected: expectedSize, actual: size)) }
        guard let expected, let hasher else { return }
        let digits =
            switch hasher {
            case .sha256(let stream): stream.hexDigest
            case .sha512(let stream): stream.hexDigest
            case .sha1(let stream): stream.hexDigest
            case .md5(let stream): stream.hexDigest
            }
        if digits != expected.digits { throw .mismatch(.checksum(expected: expected, actual: digits)) }
    }
}

extension NetworkRequest {
    /// Whether the request expects a certain size or checksum.
    var expectsContent: Bool { expectedDownloadSize != nil || expectedChecksum != nil }
}

extension NetworkError {
    static func mismatch(_ mismatch: ContentMismatch) -> NetworkError {
        NetworkError(.contentMismatch, underlying: mismatch)
    }
}
