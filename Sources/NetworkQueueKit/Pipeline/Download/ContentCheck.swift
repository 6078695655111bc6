/// Compares content, as it comes, with what its request expects.
struct ContentCheck: Sendable {
    private enum Stream: Sendable {
        case sha256(SHA256)
        case md5(MD5)
    }

    private let expected: NetworkRequest.Checksum
    private let expectedSize: Int64?
    private var hasher: Stream
    private var size: Int64 = 0

    /// `nil` when the request expects no checksum. One that no content can have fails the request before it is sent.
    init?(_ request: NetworkRequest) {
        guard let expected = request.expectedChecksum else { return nil }
        self.expected = expected
        expectedSize = request.expectedDownloadSize
        switch expected {
        case .sha256: hasher = .sha256(SHA256())
        case .md5: hasher = .md5(MD5())
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        size += Int64(bytes.count)
        if let expectedSize, size > expectedSize { throw mismatch(.size(expected: expectedSize, actual: size)) }
        switch hasher {
        case .sha256(var stream):
            // Two owners of its buffer would make every update copy it.
            hasher = .sha256(SHA256())
            stream.update(bytes)
            hasher = .sha256(stream)
        case .md5(var stream):
            hasher = .md5(MD5())
            stream.update(bytes)
            hasher = .md5(stream)
        }
    }

    /// Judges the whole content.
    func verify() throws(NetworkError) {
        if let expectedSize, size != expectedSize { throw mismatch(.size(expected: expectedSize, actual: size)) }
        let digits =
            switch hasher {
            case .sha256(let stream): stream.hexDigest
            case .md5(let stream): stream.hexDigest
            }
        if digits != expected.digits { throw mismatch(.checksum(expected: expected, actual: digits)) }
    }

    private func mismatch(_ mismatch: ContentMismatch) -> NetworkError {
        NetworkError(.validation, underlying: mismatch)
    }
}
