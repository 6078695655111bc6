import Foundation

/// A regular file at a destination, which may be identical to the server's.
struct ExistingFile: Sendable {
    let path: String
    let size: Int64
    /// The modification date in whole seconds, the resolution of HTTP dates.
    let modificationDate: Date

    /// Finds the file at a destination; fails if there is none. Makes one system call.
    ///
    /// A symbolic link is not followed, because only a regular file can be kept.
    init?(_ names: PartNames) {
        guard let found = POSIXFile.status(names.destination), found.kind == S_IFREG else { return nil }
        path = names.destination
        size = Int64(found.st_size)
        modificationDate = Date(timeIntervalSince1970: TimeInterval(found.modificationSeconds))
    }

    var url: URL { URL(filePath: path, directoryHint: .notDirectory) }

    /// What a response head says about a file.
    enum Comparison {
        case same
        case hasOtherDate
        case hasOtherSize
        /// The head says too little.
        case unknown
    }

    /// Compares the file with the head of a response to GET or HEAD.
    ///
    /// - Parameter isWhole: whether the head describes the whole content. The head of a 304 usually has at most a date.
    func comparison(with head: ResponseHead, isWhole: Bool) -> Comparison {
        let date = head.lastModified
        if let date, !isModified(at: date) { return .hasOtherDate }
        guard isWhole else {
            let isCoded = ContentCoding.name(in: head.headers) != nil
            // Some servers put a length of 0 into every 304.
            if !isCoded, let length = head.expectedContentLength, length != size, length > 0 { return .hasOtherSize }
            return date == nil ? .unknown : .same
        }
        guard (200..<300).contains(head.statusCode), head.statusCode != 206, head.mayDescribeContent else {
            return .unknown
        }
        let isCoded = ContentCoding.name(in: head.headers) != nil
        let length = isCoded ? nil : head.expectedContentLength
        // Some servers answer HEAD with a length of 0 whatever the file's size.
        if let length, length != size, length > 0 { return .hasOtherSize }
        return length == size && date != nil ? .same : .unknown
    }

    /// Whether the file is what a cut of power has left of the content with this head: a file that has its date but none
    /// of its bytes (file systems such as ext4 and XFS allocate blocks late).
    func isRemnant(of head: ResponseHead) -> Bool {
        guard size == 0, head.expectedContentLength != 0,
            let date = head.headers["Last-Modified"].flatMap({ HTTPDate.date(from: $0) })
        else { return false }
        return isModified(at: date)
    }

    /// Whether the file has the server's date, within what its file system can store. FAT stores only even seconds, and
    /// file systems replace dates outside their range with the first or last one.
    private func isModified(at date: Date) -> Bool {
        let (own, other) = (Int64(modificationDate.timeIntervalSince1970), Int64(date.timeIntervalSince1970))
        if own == other || own == other - 1 && own.isMultiple(of: 2) { return true }
        let day: Int64 = 86_400
        // FAT stores local time.
        let (firstOfFAT, lastOfFAT, last32Bit): (Int64, Int64, Int64) = (315_532_800, 4_354_819_199, 2_147_483_647)
        return other < 0 && own == 0 || other < firstOfFAT && abs(own - firstOfFAT) <= day
            || other > last32Bit && own == last32Bit || other > lastOfFAT && abs(own - lastOfFAT) <= day
    }

    /// Reads the whole file and throws if its content is not what the request expects, or if it is no longer wanted.
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
    /// Whether an existing, current file may replace a response. A request with its own conditions or range leaves the
    /// meaning of a response to its author.
    var mayKeepFile: Bool {
        guard destination.mayKeepFile, method == "GET", !hasBody else { return false }
        return headers.isEmpty
            || !["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
                .contains { headers.contains($0) }
    }
}
