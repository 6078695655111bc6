import Foundation
import NetworkQueueKit

/// A file to compare with its known size and checksum.
struct FileCheck: Sendable {
    let name: String
    let path: String
    private let size: Int64?
    let checksum: NetworkRequest.Checksum?
    /// The file's lines in a list of URLs; if only a checksum list has it, its line there.
    let lines: FailedList.Line?

    /// Creates a check of a download's file.
    init(_ download: Download) {
        name = download.name
        path = download.path ?? ""
        size = download.entry.size
        checksum = download.entry.checksum
        lines = .entry(download.entry)
    }

    /// Creates a check of a file in a checksum list.
    init(_ name: String, of checksums: ChecksumBook, in folder: String) {
        self.name = name
        path = folder + "/" + name
        size = nil
        checksum = checksums[name]
        lines = checksum.map { .text(ChecksumList.line(name, $0)) }
    }

    /// Whether anything is known about the file besides that it should exist.
    var isComparable: Bool { size != nil || checksum != nil }

    /// Compares the file and returns the failure, or `nil` if there is none. `isWanted` gets the number of bytes just
    /// read, and returns false to stop.
    func fault(while isWanted: (Int) -> Bool) -> JobFailure? {
        if POSIXFile.isFolder(path) || POSIXFile.isSpecial(path) { return failure("is not a regular file") }
        if let error = POSIXFile.obstacle(to: path) {
            return failure(error.code == .ENOENT ? "missing" : "cannot be read: \(error.reason)")
        }
        if let size, case let actual = POSIXFile.size(following: path), actual != size {
            return .size(actual ?? 0, insteadOf: size, source: name, lines: lines)
        }
        do throws(NetworkError) {
            try checksum?.verify(contentsOf: URL(filePath: path, directoryHint: .notDirectory), while: isWanted)
            return nil
        } catch {
            if error.code == .fileSystem, let reason = (error.underlying as? POSIXError)?.reason {
                return failure("cannot be read: \(reason)")
            }
            var failure = JobFailure(source: name, error)
            failure.lines = lines
            return failure
        }
    }

    private func failure(_ reason: String) -> JobFailure {
        JobFailure(source: name, reason: reason, lines: lines, code: .file)
    }
}
