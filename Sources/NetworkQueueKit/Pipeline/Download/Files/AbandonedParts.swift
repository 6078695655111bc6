import Foundation

/// The parts of unique names, `.UUID.nqk.part`, that killed processes have left in a folder.
///
/// No later run looks for them, so the first download into a folder removes them, beside its own work: once in a process, since a
/// folder may have many files, and get many. A part in use has a lock, or is young where the file system has no locks.
enum AbandonedParts {
    /// The folders that have been looked through; forgotten when there are too many to remember.
    private static let seen = Guarded<Set<String>>([])
    private static let maximumCount = 1_000

    /// Looks through a folder on another thread, unless this process has done so.
    static func removeOnce(in folder: String) {
        let isNew = seen.withLock { seen in
            if seen.count >= maximumCount { seen = [] }
            return seen.insert(folder).inserted
        }
        if isNew { FileSink.queue.async { remove(in: folder) } }
    }

    /// Removes the parts in a folder that no download uses, and the sidecars of parts that are gone.
    static func remove(in folder: String, lock: PartLock = .system) {
        // Name by name: a list of a million would take a hundred megabytes.
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            guard entry.pointee.d_name.0 == CChar(bitPattern: UInt8(ascii: ".")) else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let part = PartNames.uniquePart(of: name) else { continue }
            if part == name { remove(folder + part, lock) } else { removeSidecar(folder + name, of: folder + part) }
        }
    }

    private static func remove(_ path: String, _ lock: PartLock) {
        guard let found = POSIXFile.status(path), found.isOwnFile else { return }
        let descriptor = POSIXFile.open(path, O_RDWR | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let state = lock.take(descriptor)
        guard state != .busy, let opened = POSIXFile.status(descriptor), opened.identity == found.identity,
            state == .taken || PartLock.isIdle(opened)
        else { return }
        unlink(PartNames.info(of: path))
        unlink(PartNames.draft(of: path))
        unlink(path)
    }

    /// One without a part may be on its way to the part's other name.
    private static func removeSidecar(_ path: String, of part: String) {
        guard POSIXFile.status(part) == nil, let found = POSIXFile.status(path), found.isOwnFile,
            PartLock.isIdle(found)
        else { return }
        unlink(path)
    }
}
