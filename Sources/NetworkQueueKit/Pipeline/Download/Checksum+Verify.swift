import Foundation

extension NetworkRequest.Checksum {
    /// Reads a file and compares its content with this checksum.
    ///
    /// Runs on the calling thread in O(size of the file) and reads the file in pieces.
    ///
    /// - Parameters:
    ///   - file: the URL of a file. A symbolic link is followed.
    ///   - isWanted: called with the number of bytes of each piece that was read; return `false` to stop.
    /// - Throws: `.contentMismatch` with a ``ContentMismatch`` if the content has another checksum, `.fileSystem` if
    ///   the file cannot be read, `.resourceShortage` if no descriptor is free, `.cancelled` if `isWanted` returns
    ///   `false`, and `.validation` if the checksum is malformed.
    public func verify(
        contentsOf file: URL, while isWanted: (_ byteCount: Int) -> Bool = { _ in true }
    ) throws(NetworkError) {
        guard isSound else { throw NetworkError(.validation, underlying: ContentMismatch.malformedChecksum(self)) }
        var request = NetworkRequest(file)
        request.expectedChecksum = self
        guard var check = ContentCheck(request) else { return }
        try Self.read(file) { bytes throws(NetworkError) in
            guard isWanted(bytes.count) else { throw .cancelled }
            try check.update(bytes)
        }
        try check.verify()
    }

    /// The SHA-256 checksum of a file's content.
    ///
    /// Runs on the calling thread in O(size of the file), and throws what ``verify(contentsOf:while:)`` throws if the
    /// file cannot be read.
    package static func sha256(contentsOf file: URL) throws(NetworkError) -> NetworkRequest.Checksum {
        var hash = HashAlgorithm.sha256.makeHash()
        try read(file) { hash.update($0) }
        return .sha256(hash.finish().hexadecimal)
    }

    private static func read(
        _ file: URL, _ body: (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    ) throws(NetworkError) {
        guard file.isFileURL else { throw .notAFile(file) }
        let path = file.path(percentEncoded: false)
        let descriptor = POSIXFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw .fileSystem(errno, path: path) }
        defer { close(descriptor) }
        let code = try POSIXFile.forEachChunk(of: descriptor, upTo: .max, body)
        guard code == 0 else { throw .fileSystem(code, path: path) }
    }
}
