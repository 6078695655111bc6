import Foundation

/// A regular file at a destination, which may be what the server has.
struct ExistingFile: Sendable {
    let path: String
    let size: Int64
    /// When it was last modified, in whole seconds: HTTP knows no others.
    let modificationDate: Date

    /// The file at a destination; `nil` where there is none.
    ///
    /// A symbolic link is not followed: it is not a file that could be kept. Asks the file system, once.
    init?(_ names: PartNames) {
        guard let found = POSIXFile.status(names.destination), found.kind == S_IFREG else { return nil }
        path = names.destination
        size = Int64(found.st_size)
        modificationDate = Date(timeIntervalSince1970: TimeInterval(found.modificationSeconds))
    }

    var url: URL { URL(filePath: path, directoryHint: .notDirectory) }

    /// What a head says about a file.
    enum Comparison {
        case same
        case hasOtherDate
        case hasOtherSize
        /// It says too little.
        case unknown
    }

    /// Compares the file with the head of a response to GET or HEAD.
    ///
    /// - Parameter isWhole: whether the head describes the whole content. That of a 304 has a date at most.
    func comparison(with head: ResponseHead, isWhole: Bool) -> Comparison {
        let date = head.headers["Last-Modified"].flatMap { HTTPDate.date(from: $0) }
        if let date, !isModified(at: date) { return .hasOtherDate }
        guard isWhole else { return date == nil ? .unknown : .same }
        guard (200..<300).contains(head.statusCode), head.statusCode != 206 else { return .unknown }
        let isCoded = ContentCoding.name(in: head.headers) != nil
        let length = isCoded ? nil : head.expectedContentLength
        // Some servers answer HEAD with a length of 0 whatever the file has.
        if let length, length != size, length > 0 { return .hasOtherSize }
        return length == size && date != nil ? .same : .unknown
    }

    /// Whether the file has the date of the server's, within what its file system can keep: FAT has even seconds alone,
    /// and others move what is before their first date, or after their last one, to that.
    private func isModified(at date: Date) -> Bool {
        let (own, other) = (Int64(modificationDate.timeIntervalSince1970), Int64(date.timeIntervalSince1970))
        if own == other || own == other - 1 && own.isMultiple(of: 2) { return true }
        let day: Int64 = 86_400
        // FAT counts in local time.
        let (firstOfFAT, lastOfFAT, last32Bit): (Int64, Int64, Int64) = (315_532_800, 4_354_819_199, 2_147_483_647)
        return other < 0 && own == 0 || other < firstOfFAT && abs(own - firstOfFAT) <= day
            || other > last32Bit && own == last32Bit || other > lastOfFAT && abs(own - lastOfFAT) <= day
    }

    /// Throws unless the file is what a request expects. Reads all of it, as long as it is wanted.
    func verify(_ check: ContentCheck, while isWanted: () -> Bool) throws(NetworkError) {
        var check = check
        let descriptor = POSIXFile.open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .fileSystem(errno, path: path) }
        defer { close(descriptor) }
        let code = try POSIXFile.forEachChunk(of: descriptor, upTo: .max) { bytes throws(NetworkError) in
            guard isWanted() else { throw .cancelled }
            try check.update(bytes)
        }
        guard code == 0 else { throw .fileSystem(code, path: path) }
        try check.verify()
    }
}

extension NetworkRequest {
    /// Whether a file that is there and current takes the place of a response. With conditions or a part of its own the
    /// author of the request decides what a response means.
    var mayKeepFile: Bool {
        guard destination.mayKeepFile, method == "GET", !hasBody else { return false }
        return headers.isEmpty
            || !["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
                .contains { headers.contains($0) }
    }
}
