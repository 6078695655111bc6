import Foundation

extension NetworkRequest.Checksum {
    /// Reads a file and compares its content with this checksum.
    ///
    /// O(size of the file), on the calling thread; never more than a piece of it is in memory.
    ///
    /// - Parameters:
    ///   - file: the URL of a file. A symbolic link is followed.
    ///   - isWanted: called with the number of bytes of each piece that has been read; `false` ends the reading.
    /// - Throws: `.contentMismatch` with a ``ContentMismatch`` where the content has another checksum, `.fileSystem`
    ///   where the file cannot be read, and `.cancelled` where it is not wanted any more.
    public func verify(
        contentsOf file: URL, while isWanted: (_ byteCount: Int) -> Bool = { _ in true }
    ) throws(NetworkError) {
        guard isSound else { throw NetworkError(.validation, underlying: ContentMismatch.malformedChecksum(self)) }
        var request = NetworkRequest(file)
        request.expectedChecksum = self
        guard file.isFileURL else { throw .notAFile(file) }
        guard var check = ContentCheck(request) else { return }
        let path = file.path(percentEncoded: false)
        let descriptor = POSIXFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw .fileSystem(errno, path: path) }
        defer { close(descriptor) }
        let code = try POSIXFile.forEachChunk(of: descriptor, upTo: .max) { bytes throws(NetworkError) in
            guard isWanted(bytes.count) else { throw .cancelled }
            try check.update(bytes)
        }
        guard code == 0 else { throw .fileSystem(code, path: path) }
        try check.verify()
    }
}
