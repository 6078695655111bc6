import Foundation

/// A part with its sidecar, which only this run writes. `PartFile+Opening.swift` explains how that is ensured.
final class PartFile: @unchecked Sendable {  // confined to its sink, or to the run before there is one
    /// What protects the part from other downloads.
    enum Claim {
        case lock
        /// The part's unique name and modification date, on a file system without locks.
        case name
        /// Nothing; the part has a unique name, and no later run looks for it.
        case rename
    }

    /// The destination may change, because a response may suggest another name.
    var names: PartNames
    let claim: Claim
    /// Whether the part may have a sidecar, from an earlier run or this one.
    private var mayHaveSidecar: Bool
    private let path: String
    private let identity: FileIdentity
    private var descriptor: Int32
    private(set) var length: Int64
    /// Whether the file system stores a file on `close`, even after it was removed. A mount of rclone without a cache
    /// does.
    private var isStoredOnClose = false
    /// The offset up to which the system was asked to write the part to disk.
    private var submittedLength: Int64 = 0
    /// How many bytes gather before the system is asked again.
    static let flushInterval: Int64 = 8 << 20

    /// - Parameters:
    ///   - status: the status of the open file, which is positioned at its beginning.
    ///   - path: the usual path, or a unique one.
    ///   - isNew: whether the part was just created and has no sidecar.
    init(_ descriptor: Int32, _ status: stat, path: String, names: PartNames, claim: Claim, isNew: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.names = names
        self.claim = claim
        mayHaveSidecar = claim != .rename && !isNew
        identity = status.identity
        length = Int64(status.st_size)
    }

    deinit { close() }

    var isOpen: Bool { descriptor >= 0 }

    /// The path of its sidecar.
    var info: String { PartNames.info(of: path) }
    private var draft: String { PartNames.draft(of: path) }

    // MARK: Content

    /// Empties the part so that it can hold what `sidecar` describes. Returns whether it can be continued later.
    func restart(as sidecar: Sidecar?) throws(NetworkError) -> Bool {
        // A sidecar must never be beside bytes that it does not describe, not even in a state that only a system crash
        // reveals.
        if mayHaveSidecar {
            if unlink(info) == 0, length > 0 { POSIXFile.synchronize(folder: names.folder) }
            try truncate(to: 0)
        }
        return sidecar.map(describe) ?? false
    }

    /// Cuts the part to `length` and continues writing there.
    func truncate(to length: Int64) throws(NetworkError) {
        // Truncate an empty part, too: a mount of rclone without a cache accepts writes to an existing file only after
        // this.
        if length != self.length || length == 0 {
            guard ftruncate(descriptor, off_t(length)) == 0 else { throw fault(errno) }
        }
        guard lseek(descriptor, off_t(length), SEEK_SET) >= 0 else { throw fault(errno) }
        self.length = length
        submittedLength = length
    }

    /// Whether bytes can be written after the first `offset` bytes (at least one). Removes the part if they cannot.
    ///
    /// Call this before requesting the rest. A mount of rclone without a cache writes files only from their beginning
    /// (`EPERM` and `ESPIPE`, and `EBADF` under load). Any other failure is reported when the rest is written.
    func canContinue(at offset: Int64) -> Bool {
        switch POSIXFile.rewriteByte(at: offset - 1, of: descriptor) {
        case EPERM, ESPIPE, EBADF, EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS:
            isStoredOnClose = true
            remove()
            return false
        default: return true
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        // This process may have been stopped for so long that another one has claimed the part.
        if claim == .name, !isInPlace { throw lost }
        guard POSIXFile.write(bytes, to: descriptor, written: { length += Int64($0) }) else { throw fault(errno) }
        submit()
    }

    /// Writes bytes at an offset while others write elsewhere. The caller records the range under its own lock.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(NetworkError) {
        guard POSIXFile.write(bytes, to: descriptor, at: offset) else { throw fault(errno) }
    }

    /// Notes that bytes up to `end` were written.
    func noteLength(_ end: Int64) {
        length = max(length, end)
    }

    /// Asks the system to start writing a range to disk.
    func beginFlush(_ range: Range<Int64>) {
        POSIXFile.beginFlush(of: descriptor, from: range.lowerBound, count: Int64(range.count))
    }

    /// Asks the system to start writing the gathered bytes to disk, so that little is left to wait for at the end.
    private func submit() {
        let gathered = length - submittedLength
        guard gathered >= Self.flushInterval else { return }
        POSIXFile.beginFlush(of: descriptor, from: submittedLength, count: gathered)
        submittedLength = length
    }

    /// Reads a range of written bytes, while others may write elsewhere.
    func forEachChunk(
        in range: Range<Int64>, _ body: (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    ) throws(NetworkError) {
        let code = try POSIXFile.forEachChunk(of: descriptor, from: range.lowerBound, upTo: range.upperBound, body)
        guard code == 0 else { throw fault(code) }
    }

    /// Replaces the sidecar in one step; returns whether the part can be continued later.
    func describe(_ sidecar: Sidecar) -> Bool {
        guard claim != .rename else { return false }
        mayHaveSidecar = true
        // Unlink without opening: the name may belong to a link to another file, a FIFO, or the draft of a process that
        // ended.
        unlink(draft)
        // Readable only by its owner, because the URL's query may contain secrets.
        let file = POSIXFile.create(draft, mode: 0o600)
        guard file >= 0 else { return false }
        var text = sidecar.text
        let isWritten = text.withUTF8 { POSIXFile.write(UnsafeRawBufferPointer($0), to: file) }
        // A sidecar that reports bytes as synced must itself be on disk.
        let isWhole = isWritten && (sidecar.synced == 0 || POSIXFile.synchronize(file))
        _ = Foundation.close(file)
        if isWhole, rename(draft, info) == 0 { return true }
        unlink(draft)
        return false
    }

    /// Appends a line to the sidecar; returns whether that succeeded. This is far cheaper than replacing it, because
    /// some file systems flush a file that replaces another.
    func amendSidecar(_ line: String) -> Bool {
        let file = POSIXFile.open(info, O_WRONLY | O_APPEND | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { _ = Foundation.close(file) }
        guard POSIXFile.status(file)?.isOwnFile == true else { return false }
        var line = line
        return line.withUTF8 { POSIXFile.write(UnsafeRawBufferPointer($0), to: file) }
    }

    // MARK: The end

    /// Moves the part to its destination in one step, closes it, and returns its place.
    ///
    /// - Parameters:
    ///   - modified: the modification date, if known. The download succeeds even if the file system cannot set it.
    ///   - keepsTwin: whether to keep a file with the same content that has appeared at the destination.
    ///   - stored: what the other operations of the run have stored.
    ///   - flush: when the file is flushed to the disk.
    func publish(
        _ policy: Destination.ConflictPolicy, modified: Date? = nil, keepsTwin: Bool = false,
        beside stored: StoredFiles.View = StoredFiles.View(), _ flush: FlushTime = .atOnce(.system)
    ) throws(NetworkError) -> FilePlace {
        defer { close() }
        if let modified { POSIXFile.setModificationDate(modified, of: descriptor) }
        let code = flush.flush(descriptor)
        guard code == 0 else {
            remove()
            throw fault(code)
        }
        guard isInPlace else {
            remove()
            throw lost
        }
        // Before the move: a crash between the two then leaves a part that is fetched again, not a sidecar that stays
        // forever.
        removeSidecar()
        do {
            let place = try FileMove().move(path, to: names, onConflict: policy, beside: stored) { [self] twin in
                keepsTwin && hasContent(of: twin)
            }
            guard !place.isKept else {
                remove()
                return place
            }
            flush.leave(descriptor, in: names.folder)
            // Close first: this descriptor may be the last one available, and the folder needs one.
            close()
            flush.flush(folder: names.folder)
            return place
        } catch {
            remove()
            throw error
        }
    }

    /// Whether a file has the same bytes as the part. Reads both.
    private func hasContent(of file: String) -> Bool {
        var own: [UInt8] = []
        return POSIXFile.hasFile(file, size: length) { [descriptor] bytes, offset in
            if own.count < bytes.count { own = [UInt8](repeating: 0, count: bytes.count) }
            return pread(descriptor, &own, bytes.count, off_t(offset)) == bytes.count
                && own.withUnsafeBytes {
                    POSIXFile.areEqual(bytes, UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]))
                }
        }
    }

    private func fault(_ code: Int32) -> NetworkError { .fileSystem(code, path: names.destination) }

    private var lost: NetworkError {
        .fileSystem(
            ENOENT, path: path, advice: "Make sure that no other program removes or replaces partial downloads.")
    }

    /// Leaves the part and `sidecar` for a later attempt.
    func keep(_ sidecar: Sidecar) {
        guard mayChangeFiles else { return close() }
        var sidecar = sidecar
        let beginning = sidecar.ranges.map { $0.first?.lowerBound == 0 ? $0[0].upperBound : 0 } ?? length
        // Fetching fewer bytes than this again is faster than syncing them.
        let isSynced = beginning - sidecar.synced >= 1 << 20 && POSIXFile.synchronize(descriptor)
        if isSynced { sidecar.synced = beginning }
        if isSynced || sidecar.ranges != nil { _ = describe(sidecar) }
        close()
    }

    /// Removes the part and its sidecar.
    func remove() {
        guard descriptor >= 0 else { return }
        guard mayChangeFiles else { return close() }
        removeSidecar()
        let isRemoved = isInPlace && unlink(path) == 0
        // Free the disk space at once, because a child process may still have the descriptor (see `close()`). rclone
        // refuses to truncate a file that has been written to.
        if !isStoredOnClose, ftruncate(descriptor, 0) != 0 { isStoredOnClose = true }
        close()
        if isRemoved, isStoredOnClose, POSIXFile.status(path)?.isOwnFile == true { unlink(path) }
    }

    /// Whether the part still has its name. A file that has replaced it must be neither published nor removed.
    private var isInPlace: Bool {
        POSIXFile.status(path)?.identity == identity
    }

    /// Whether the part and its sidecar are certainly this run's. Without a lock another run may have claimed them.
    private var mayChangeFiles: Bool { claim != .name || isInPlace }

    /// Removes the sidecar, and a draft that a process left when it ended while writing.
    private func removeSidecar() {
        guard mayHaveSidecar else { return }
        unlink(info)
        unlink(draft)
    }

    /// Releases the part and its lock.
    func close() {
        guard descriptor >= 0 else { return }
        if claim == .name, isInPlace { release() }
        // A child process between `fork` and `exec` has the descriptor, too, and would keep the lock.
        _ = flock(descriptor, LOCK_UN)
        _ = Foundation.close(descriptor)
        descriptor = -1
    }

    /// Leaves a part without a lock to others: under the usual name if that is free, and dated so that no run has to
    /// wait.
    private func release() {
        if path != names.part, !Self.giveBack(path, names) {
            unlink(info)
            unlink(path)
            return
        }
        // Set the date last, because another run may claim the part afterwards.
        POSIXFile.setModificationDate(Date(timeIntervalSince1970: 0), of: descriptor)
    }
}
