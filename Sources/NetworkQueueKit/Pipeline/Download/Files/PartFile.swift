import Foundation

/// A part that this operation alone writes, with its sidecar. `PartFile+Opening.swift` says how that is made sure of.
final class PartFile: @unchecked Sendable {  // belongs to its sink, or to the run before there is one
    /// Its destination may change: a response may suggest another.
    var names: PartNames
    /// Whether the part has the name under which a later run looks for it.
    let isFindable: Bool
    /// Whether there may be something beside the part: what a former run has left, or what this one has written.
    private var mayHaveSidecar: Bool
    private let path: String
    private let identity: FileIdentity
    private var descriptor: Int32
    private(set) var length: Int64
    /// Up to where the system has been asked to write the part to the disk.
    private var submittedLength: Int64 = 0

    /// - Parameters:
    ///   - status: of the open file, which stands at its beginning.
    ///   - isNew: whether the part has just been created, and nothing stands beside it.
    init(_ descriptor: Int32, _ status: stat, path: String, names: PartNames, isFindable: Bool, isNew: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.names = names
        self.isFindable = isFindable
        mayHaveSidecar = isFindable && !isNew
        identity = status.identity
        length = Int64(status.st_size)
    }

    deinit { close() }

    var isOpen: Bool { descriptor >= 0 }

    // MARK: Content

    /// Makes the part empty, the beginning of what `sidecar` describes. Returns whether it can be continued later.
    func restart(as sidecar: Sidecar?) throws(NetworkError) -> Bool {
        // There must be no moment at which a sidecar stands beside bytes that it does not describe, not even one that only
        // a crash of the system makes visible.
        if mayHaveSidecar {
            if unlink(names.info) == 0, length > 0 { POSIXFile.synchronize(folder: names.folder) }
            try truncate(to: 0)
        }
        return sidecar.map(describe) ?? false
    }

    /// Cuts the part and goes on writing from there.
    func truncate(to length: Int64) throws(NetworkError) {
        if length != self.length {
            guard ftruncate(descriptor, off_t(length)) == 0 else { throw fault(errno) }
        }
        guard lseek(descriptor, off_t(length), SEEK_SET) >= 0 else { throw fault(errno) }
        self.length = length
        submittedLength = length
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        guard POSIXFile.write(bytes, to: descriptor, written: { length += Int64($0) }) else { throw fault(errno) }
        submit()
    }

    /// Has the system begin to write what has gathered, so that little is left to wait for at the end.
    private func submit() {
        #if canImport(Glibc)
            let gathered = length - submittedLength
            guard gathered >= 8 << 20 else { return }
            // On Linux this begins to write pages that are not on the disk yet, and drops none of those.
            posix_fadvise(descriptor, off_t(submittedLength), off_t(gathered), POSIX_FADV_DONTNEED)
            submittedLength = length
        #endif
    }

    /// Reads the part from its beginning.
    func forEachChunk(_ body: (UnsafeRawBufferPointer) throws(NetworkError) -> Void) throws(NetworkError) {
        let code = try POSIXFile.forEachChunk(of: descriptor, upTo: length, body)
        guard code == 0 else { throw fault(code) }
    }

    /// Writes the sidecar in one step; returns whether the part can be continued later.
    func describe(_ sidecar: Sidecar) -> Bool {
        guard isFindable else { return false }
        mayHaveSidecar = true
        // What is there may be a link to another file, or a FIFO: it loses the name, unopened. It may also be a draft of a process
        // that has ended.
        unlink(names.draft)
        // For its owner alone: it has the URL, which may have secrets in its query.
        let draft = POSIXFile.create(names.draft, mode: 0o600)
        guard draft >= 0 else { return false }
        var text = sidecar.text
        let isWritten = text.withUTF8 { POSIXFile.write(UnsafeRawBufferPointer($0), to: draft) }
        // One that speaks of bytes on the disk must be there itself.
        let isWhole = isWritten && (sidecar.synced == 0 || POSIXFile.synchronize(draft))
        _ = Foundation.close(draft)
        if isWhole, rename(names.draft, names.info) == 0 { return true }
        unlink(names.draft)
        return false
    }

    // MARK: The end

    /// Moves the part to its destination in one step and lets go of it; returns where it is.
    ///
    /// - Parameter modified: the time of its last modification, if that is known. Where it cannot be set, that is no fault of the file.
    func publish(_ policy: Destination.ConflictPolicy, modified: Date? = nil) throws(NetworkError) -> String {
        defer { close() }
        if let modified { POSIXFile.setModificationDate(modified, of: descriptor) }
        guard POSIXFile.synchronize(descriptor) else {
            let code = errno
            remove()
            throw fault(code)
        }
        guard isInPlace else {
            remove()
            throw .fileSystem(
                ENOENT, path: path,
                advice: "Keep other programs from removing or replacing the parts of downloads.")
        }
        // Before the move: after a crash between the two there is a part that is fetched again, and no litter for ever.
        removeSidecar()
        do {
            let place = try FileMove().move(path, to: names.destination, onConflict: policy)
            // Its descriptor may be the last one, and the folder needs one.
            close()
            POSIXFile.synchronize(folder: names.folder)
            return place
        } catch {
            remove()
            throw error
        }
    }

    private func fault(_ code: Int32) -> NetworkError { .fileSystem(code, path: names.destination) }

    /// Leaves the part for a later attempt, which finds `sidecar` beside it.
    func keep(_ sidecar: Sidecar) {
        var sidecar = sidecar
        // Less than that is sooner fetched than waited for.
        if length - sidecar.synced >= 1 << 20, POSIXFile.synchronize(descriptor) {
            sidecar.synced = length
            _ = describe(sidecar)
        }
        close()
    }

    /// Removes the part and its sidecar.
    func remove() {
        guard descriptor >= 0 else { return }
        removeSidecar()
        if isInPlace { unlink(path) }
        // For the same reason as the lock: the room on the disk is free at once.
        _ = ftruncate(descriptor, 0)
        close()
    }

    /// Whether the part still has its name, rather than a file that has been put in its place: that one must neither become
    /// the finished file nor be removed.
    private var isInPlace: Bool {
        POSIXFile.status(path)?.identity == identity
    }

    /// Removes what stands beside the part, and what a process left there that ended while it wrote it.
    private func removeSidecar() {
        guard mayHaveSidecar else { return }
        unlink(names.info)
        unlink(names.draft)
    }

    /// Lets go of the part and its lock.
    func close() {
        guard descriptor >= 0 else { return }
        // A child process on its way to its own program has the descriptor, too, and would keep the lock.
        _ = flock(descriptor, LOCK_UN)
        _ = Foundation.close(descriptor)
        descriptor = -1
    }
}
