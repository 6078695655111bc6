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

    /// Whether a response to HEAD describes this file; `nil` where it cannot be told from that.
    func isCurrent(accordingTo head: ResponseHead) -> Bool? {
        guard (200..<300).contains(head.statusCode), !head.headers.contains("Content-Encoding"),
            let length = head.expectedContentLength
        else { return nil }
        guard let date = head.headers["Last-Modified"].flatMap({ HTTPDate.date(from: $0) }) else { return false }
        return length == size && date == modificationDate
    }

    /// Throws unless the file is what a request expects. Reads all of it.
    func verify(_ check: ContentCheck) throws(NetworkError) {
        var check = check
        let descriptor = POSIXFile.open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .fileSystem(errno, path: path) }
        defer { close(descriptor) }
        let code = try POSIXFile.forEachChunk(of: descriptor, upTo: .max) { bytes throws(NetworkError) in
            try check.update(bytes)
        }
        guard code == 0 else { throw .fileSystem(code, path: path) }
        try check.verify()
    }
}

extension NetworkRequest {
    /// Whether a file that is there and current takes the place of a response. With conditions or a part of its own the author of the request
    /// decides what a response means.
    var mayKeepFile: Bool {
        guard destination.mayKeepFile, method == "GET", !hasBody else { return false }
        return headers.isEmpty
            || !["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
                .contains { headers.contains($0) }
    }
}
