import Foundation
import NetworkQueueKit

/// A file that is compared with what is known of it.
struct FileCheck: Sendable {
    let name: String
    let path: String
    private let size: Int64?
    let checksum: NetworkRequest.Checksum?
    /// Its line in a list; `nil` where only a list of checksums has it.
    let lines: String?

    /// The file of a download.
    init(_ download: Download) {
        name = download.name
        path = download.path ?? ""
        size = download.entry.size
        checksum = download.entry.checksum
        lines = download.entry.line
    }

    /// A file that a list of checksums names.
    init(_ name: String, of checksums: ChecksumBook, in folder: String) {
        self.name = name
        path = folder + "/" + name
        size = nil
        checksum = checksums[name]
        lines = nil
    }

    /// Whether more is known of it than that it should be there.
    var isComparable: Bool { size != nil || checksum != nil }

    /// What is wrong with the file; `nil` where nothing is. `isWanted` is called with the bytes that have been read.
    func fault(while isWanted: (Int) -> Bool) -> JobFailure? {
        if SystemFile.isFolder(path) || SystemFile.isSpecial(path) { return failure("is no regular file") }
        if let error = SystemFile.obstacle(to: path) {
            return failure(error.code == .ENOENT ? "missing" : "cannot be read: \(error.reason)")
        }
        if let size, case let actual = SystemFile.size(following: path), actual != size {
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
