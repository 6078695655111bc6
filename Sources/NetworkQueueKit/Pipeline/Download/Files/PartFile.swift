import Foundation

/// A part that this operation alone writes, with its sidecar. `PartFile+Opening.swift` says how that is made sure of.
final class PartFile: @unchecked Sendable {  // belongs to its sink, or to the run before there is one
    /// What keeps other downloads from the part.
    enum Claim {
        case lock
        /// The file system has no locks: its name does, and the time of its last modification.
        case name
        /// Nothing needs to: it has a unique name, and no later run looks for it.
        case rename
    }

    /// Its destination may change: a response may suggest another.
    var names: PartNames
    let claim: Claim
    /// Whether there may be something beside the part: what a former run has left, or what this one has written.
    private var mayHaveSidecar: Bool
    private let path: String
    private let identity: FileIdentity
    private var descriptor: Int32
    private(set) var length: Int64
    /// Whether the file system stores a file when it is closed, even one that has been removed, as a mount of rclone
    /// without a cache does.
    private var isStoredOnClose = false
    /// Up to where the system has been asked to write the part to the disk.
    private var submittedLength: Int64 = 0
    /// How much gathers until the system is asked.
    static let flushInterval: Int64 = 8 << 20

    /// - Parameters:
    ///   - status: of the open file, which stands at its beginning.
    ///   - path: the usual one, or one of the part's own.
    ///   - isNew: whether the part has just been created, and nothing stands beside it.
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

    /// Makes the part empty, the beginning of what `sidecar` describes. Returns whether it can be continued later.
    func restart(as sidecar: Sidecar?) throws(NetworkError) -> Bool {
        // There must be no moment at which a sidecar stands beside bytes that it does not describe, not even one that
        // only a crash of the system makes visible.
        if mayHaveSidecar {
            if unlink(info) == 0, length > 0 { POSIXFile.synchronize(folder: names.folder) }
            try truncate(to: 0)
        }
        return sidecar.map(describe) ?? false
    }

    /// Cuts the part and goes on writing from there.
    func truncate(to length: Int64) throws(NetworkError) {
        // An empty one as well: a mount of rclone without a cache takes nothing for a file that was there, but after
        // this.
        if length != self.length || length == 0 {
            guard ftruncate(descriptor, off_t(length)) == 0 else { throw fault(errno) }
        }
        guard lseek(descriptor, off_t(length), SEEK_SET) >= 0 else { throw fault(errno) }
        self.length = length
        submittedLength = length
    }

    /// Whether bytes can be written behind the first `offset` ones, of which there is one at least; removes a part
    /// where they cannot.
    ///
    /// A mount of rclone without a cache writes files from their beginning alone (`EPERM` and `ESPIPE`). To be asked
    /// before the rest is requested. A failure of another kind is told when the rest is written.
    func canContinue(at offset: Int64) -> Bool {
        switch POSIXFile.rewriteByte(at: offset - 1, of: descriptor) {
        case EPERM, ESPIPE, EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS:
            isStoredOnClose = true
            remove()
            return false
        default: return true
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        // A process may have been stopped for so long that another one has taken its part.
        if claim == .name, !isInPlace { throw lost }
        guard POSIXFile.write(bytes, to: descriptor, written: { length += Int64($0) }) else { throw fault(errno) }
        submit()
    }

    /// Writes bytes somewhere in the part, beside others that do. It is for the caller to note it, who has a lock.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(NetworkError) {
        guard POSIXFile.write(bytes, to: descriptor, at: offset) else { throw fault(errno) }
    }

    /// Notes that something has been written up to there.
    func noteLength(_ end: Int64) {
        length = max(length, end)
    }

    /// Has the system begin to write what is in a range.
    func beginFlush(_ range: Range<Int64>) {
        POSIXFile.beginFlush(of: descriptor, from: range.lowerBound, count: Int64(range.count))
    }

    /// Has the system begin to write what has gathered, so that little is left to wait for at the end.
    private func submit() {
        let gathered = length - submittedLength
        guard gathered >= Self.flushInterval else { return }
        POSIXFile.beginFlush(of: descriptor, from: submittedLength, count: gathered)
        submittedLength = length
    }

    /// Reads the part from its beginning.
    func forEachChunk(_ body: (UnsafeRawBufferPointer) throws(NetworkError) -> Void) throws(NetworkError) {
        let code = try POSIXFile.forEachChunk(of: descriptor, upTo: length, body)
        guard code == 0 else { throw fault(code) }
    }

    /// Writes the sidecar in one step; returns whether the part can be continued later.
    func describe(_ sidecar: Sidecar) -> Bool {
        guard claim != .rename else { return false }
        mayHaveSidecar = true
        // What is there may be a link to another file, or a FIFO: it loses the name, unopened. It may also be a draft
        // of a process that has ended.
        unlink(draft)
        // For its owner alone: it has the URL, which may have secrets in its query.
        let file = POSIXFile.create(draft, mode: 0o600)
        guard file >= 0 else { return false }
        var text = sidecar.text
        let isWritten = text.withUTF8 { POSIXFile.write(UnsafeRawBufferPointer($0), to: file) }
        // One that speaks of bytes on the disk must be there itself.
        let isWhole = isWritten && (sidecar.synced == 0 || POSIXFile.synchronize(file))
        _ = Foundation.close(file)
        if isWhole, rename(draft, info) == 0 { return true }
        unlink(draft)
        return false
    }

    /// Adds a line to the sidecar; returns whether it is there. Far cheaper than to write it anew: some file systems bring a
    /// file to the disk that takes another one's place.
    func amendSidecar(_ line: String) -> Bool {
        let file = POSIXFile.open(info, O_WRONLY | O_APPEND | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { _ = Foundation.close(file) }
        guard POSIXFile.status(file)?.isOwnFile == true else { return false }
        var line = line
        return line.withUTF8 { POSIXFile.write(UnsafeRawBufferPointer($0), to: file) }
    }

    // MARK: The end

    /// Moves the part to its destination in one step and lets go of it; returns where it is.
    ///
    /// - Parameters:
    ///   - modified: the time of its last modification, if known. A file system that cannot set it does not fail the
    ///     download.
    ///   - keepsTwin: whether a file that has come to the destination meanwhile is kept if it has the same content.
    func publish(
        _ policy: Destination.ConflictPolicy, modified: Date? = nil, keepsTwin: Bool = false
    ) throws(NetworkError) -> FilePlace {
        defer { close() }
        if let modified { POSIXFile.setModificationDate(modified, of: descriptor) }
        guard POSIXFile.synchronize(descriptor) else {
            let code = errno
            remove()
            throw fault(code)
        }
        guard isInPlace else {
            remove()
            throw lost
        }
        // Before the move: after a crash between the two there is a part that is fetched again, and no litter for ever.
        removeSidecar()
        do {
            let place = try FileMove().move(path, to: names, onConflict: policy) { [self] twin in
                keepsTwin && hasContent(of: twin)
            }
            guard !place.isKept else {
                remove()
                return place
            }
            // Its descriptor may be the last one, and the folder needs one.
            close()
            POSIXFile.synchronize(folder: names.folder)
            return place
        } catch {
            remove()
            throw error
        }
    }

    /// Whether a file has the bytes of the part. Reads both.
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
            ENOENT, path: path, advice: "Keep other programs from removing or replacing the parts of downloads.")
    }

    /// Leaves the part for a later attempt, which finds `sidecar` beside it.
    func keep(_ sidecar: Sidecar) {
        guard mayChangeFiles else { return close() }
        var sidecar = sidecar
        let beginning = sidecar.ranges.map { $0.first?.lowerBound == 0 ? $0[0].upperBound : 0 } ?? length
        // Less than that is sooner fetched than waited for.
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
        // For the same reason as the lock: the room on the disk is free at once. rclone refuses it for what has been
        // written to.
        if !isStoredOnClose, ftruncate(descriptor, 0) != 0 { isStoredOnClose = true }
        close()
        if isRemoved, isStoredOnClose, POSIXFile.status(path)?.isOwnFile == true { unlink(path) }
    }

    /// Whether the part still has its name, rather than a file that has been put in its place: that one must neither
    /// become the finished file nor be removed.
    private var isInPlace: Bool {
        POSIXFile.status(path)?.identity == identity
    }

    /// Whether the part and its sidecar are certain to be this operation's. Without a lock they may have become another
    /// one's.
    private var mayChangeFiles: Bool { claim != .name || isInPlace }

    /// Removes what stands beside the part, and what a process left there that ended while it wrote it.
    private func removeSidecar() {
        guard mayHaveSidecar else { return }
        unlink(info)
        unlink(draft)
    }

    /// Lets go of the part and its lock.
    func close() {
        guard descriptor >= 0 else { return }
        if claim == .name, isInPlace { release() }
        // A child process on its way to its own program has the descriptor, too, and would keep the lock.
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
        // Last: from here on another run may take it.
        POSIXFile.setModificationDate(Date(timeIntervalSince1970: 0), of: descriptor)
    }
}
