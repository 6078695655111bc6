import Foundation

/// The files that the operations of a queue have stored, so that none of them replaces or keeps another's.
///
/// A file is recognized by its device, inode and change time, not by its path: a folder may ignore case, and a symbolic
/// link may lead to another folder. A file that another program has changed or put in its place is not recognized.
final class StoredFiles: Sendable {
    private struct Record {
        /// The numbers of the files in the order in which they were stored. The keys are hashes, because a million
        /// files then take a third of the memory.
        var numbers: [Int: UInt32] = [:]
        var latest: UInt32 = 0
        /// The count at which to look for files that no operation asks about any more.
        var limit = 1024
    }

    /// Those that are flushed later.
    let unflushed: UnflushedFiles

    private let record = Guarded(Record())
    /// Taken by folder while a file gets its name, so that of two operations that want the same name the second finds
    /// the first one's file. The system also changes a folder for one caller at a time.
    private let turns = (0..<16).map { _ in Guarded(()) }

    init(unflushed: UnflushedFiles = UnflushedFiles()) {
        self.unflushed = unflushed
    }

    /// The number of the file stored last, and whether the caller should call ``forget(upTo:)``.
    var latest: (number: UInt32, isLong: Bool) {
        record.withLock { ($0.latest, $0.numbers.count >= $0.limit) }
    }

    /// Forgets the files with numbers up to `number`.
    func forget(upTo number: UInt32 = .max) {
        if number == .max { unflushed.closeVolumes() }
        record.withLock { record in
            record.numbers = number == .max ? [:] : record.numbers.filter { $0.value > number }
            record.limit = max(1024, 2 * record.numbers.count)
        }
    }

    private func note(_ status: stat) {
        let key = status.stamp
        record.withLock { record in
            record.latest &+= 1
            record.numbers[key] = record.latest
        }
    }

    private func number(of status: stat) -> UInt32? {
        let key = status.stamp
        return record.withLock { $0.numbers[key] }
    }

    /// The stored files as one operation sees them.
    struct View: Sendable {
        /// `nil` for an operation in no queue.
        var files: StoredFiles?
        /// The number of the last file that concerns the operation no more than a file of another program;
        /// `UInt32.max` if none does.
        var former: UInt32 = 0
        var durability = Durability.eachFile

        /// When a file of `size` bytes, if that is known, is flushed.
        func flushTime(in folder: String, size: Int64?) -> FlushTime {
            guard durability != .never else { return .never }
            guard let files = files?.unflushed else { return .atOnce(.system) }
            guard durability == .atEnd, let size, size <= UnflushedFiles.maximumSize,
                let volume = files.volume(of: folder)
            else { return .atOnce(files.calls) }
            return .later(files, volume)
        }

        /// Whether another operation has stored the file at `path`.
        func contains(_ path: String) -> Bool {
            guard files != nil, former != .max, let found = POSIXFile.status(path) else { return false }
            return contains(found)
        }

        func contains(_ status: stat) -> Bool {
            guard former != .max, let number = files?.number(of: status) else { return false }
            return number > former
        }

        /// Calls `take`, which gives a file the name `path` and returns 0 or an `errno` code, and notes the file.
        func place(
            at path: String, in folder: String, _ take: () throws(NetworkError) -> Int32
        ) throws(NetworkError) -> Int32 {
            guard let files else { return try take() }
            return try files.turn(in: folder).withLock { _ throws(NetworkError) in
                let code = try take()
                if code == 0, let status = POSIXFile.status(path) { files.note(status) }
                return code
            }
        }
    }

    private func turn(in folder: String) -> Guarded<Void> {
        // Looked up each time: a folder may have several paths, and a path may lead to another folder by now.
        var status = stat()
        let hash = stat(folder, &status) == 0 ? status.identity.hashValue : 0
        return turns[Int(UInt(bitPattern: hash) % UInt(turns.count))]
    }
}

extension stat {
    /// A hash of the file's identity and the time of its last change.
    fileprivate var stamp: Int {
        var hasher = Hasher()
        hasher.combine(identity)
        hasher.combine(Int(changeTime.tv_sec))
        hasher.combine(Int(changeTime.tv_nsec))
        return hasher.finalize()
    }
}
