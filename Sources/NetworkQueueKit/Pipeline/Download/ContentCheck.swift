/// Compares content, piece by piece, with what its request expects. Copies share the hash, so use only one of them.
struct ContentCheck: Sendable {
    private let expected: NetworkRequest.Checksum?
    /// The size that the content must have; `nil` accepts any size.
    let expectedSize: Int64?
    private var hash: (any StreamHash)?
    private var size: Int64 = 0

    /// Fails if the request expects nothing of its content. A malformed checksum fails the request before it is sent.
    ///
    /// - Parameter checksSize: whether to compare the size as well.
    init?(_ request: NetworkRequest, ofSize checksSize: Bool = true) {
        expected = request.expectedChecksum
        expectedSize = checksSize ? request.expectedDownloadSize : nil
        if expected == nil, expectedSize == nil { return nil }
        hash = expected?.algorithm.makeHash()
    }

    /// Whether the check needs the bytes themselves and not only their number.
    var isOfBytes: Bool { hash != nil }

    /// Counts bytes that are already stored and need not be seen.
    mutating func skip(_ count: Int64) { size += count }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        size += Int64(bytes.count)
        if let expectedSize, size > expectedSize { throw .mismatch(.size(expected: expectedSize, actual: size)) }
        hash?.update(bytes)
    }

    /// Checks the complete content. The last call.
    mutating func verify() throws(NetworkError) {
        if let expectedSize, size != expectedSize { throw .mismatch(.size(expected: expectedSize, actual: size)) }
        guard let expected, let digits = hash?.finish().hexadecimal else { return }
        if digits != expected.digits { throw .mismatch(.checksum(expected: expected, actual: digits)) }
    }
}

extension NetworkRequest {
    /// Whether the request expects a certain size or checksum.
    var expectsContent: Bool { expectedDownloadSize != nil || expectedChecksum != nil }
}

extension NetworkRequest.Checksum {
    fileprivate var algorithm: HashAlgorithm {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        case .sha1: .sha1
        case .md5: .md5
        }
    }
}

extension NetworkError {
    static func mismatch(_ mismatch: ContentMismatch) -> NetworkError {
        NetworkError(.contentMismatch, underlying: mismatch)
    }
}
