import Foundation

/// A part that this operation alone writes, with its sidecar.
///
/// A lock of the system (`flock`) on the part keeps off every other download of the same destination, in this process or
/// another; it ends with the process, however that ends. Who does not get it works on a file of a unique name, which cannot
/// be continued later.
final class PartFile: @unchecked Sendable {  // belongs to its sink, or to the run before there is one
    let names: PartNames
    /// Whether the part has the name under which a later run looks for it.
    let isFindable: Bool
    private let path: String
    private(set) var descriptor: Int32
    private(set) var length: Int64
    /// Up to where the system has been asked to write the part to the disk.
    private var submittedLength: Int64 = 0

    private init(_ descriptor: Int32, path: String, names: PartNames, isFindable: Bool, length: Int64) {
        self.descriptor = descriptor
        self.path = path
        self.names = names
        self.isFindable = isFindable
        self.length = length
    }

    deinit { close() }

    var isOpen: Bool { descriptor >= 0 }

    // MARK: Opening

    /// The part that an earlier attempt has left; `nil` when there is none that is only a part, or another download has it.
    static func existing(_ names: PartNames) -> PartFile? {
        try? locked(names, flags: 0)
    }

    /// A part to begin with, and its folder: the usual one, or else one with a unique name. What is in it means nothing.
    static func make(_ names: PartNames) throws(NetworkError) -> PartFile {
        do {
            return try opened(names)
        } catch {
            guard (error.underlying as? POSIXError)?.code == .ENOENT else { throw error }
        }
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: names.folder, directoryHint: .isDirectory), withIntermediateDirectories: true)
        } catch {
            throw NetworkError(.fileSystem, underlying: error)
        }
        return try opened(names)
    }

    private static func opened(_ names: PartNames) throws(NetworkError) -> PartFile {
        if let part = try locked(names, flags: O_CREAT) { return part }
        let path = names.makeUniquePart()
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .fileSystem(errno) }
        return PartFile(descriptor, path: path, names: names, isFindable: false, length: 0)
    }

    /// `nil` when somebody else has the lock, the file system has none, or what is there cannot be a part.
    ///
    /// A file that has another name, too, is none: its process ended before it could take the part's name from a whole file, or
    /// somebody has kept a link. Writing to it would change what is not ours, so it loses the part's name.
    private static func locked(_ names: PartNames, flags: Int32) throws(NetworkError) -> PartFile? {
        var hasUnlinked = false
        while true {
            let descriptor = open(names.part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0o666)
            guard descriptor >= 0 else { throw .fileSystem(errno) }
            var opened = stat()
            var named = stat()
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0,
                opened.st_mode & S_IFMT == S_IFREG
            else {
                _ = Foundation.close(descriptor)
                return nil
            }
            // Whoever had the lock before may have moved the file to its place, or removed it.
            let isNamed =
                lstat(names.part, &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
            // There are file systems that do not count.
            if isNamed, named.st_nlink <= 1 {
                return PartFile(
                    descriptor, path: names.part, names: names, isFindable: true, length: Int64(opened.st_size))
            }
            let isInTheWay = isNamed && (hasUnlinked || !remove(names))
            hasUnlinked = isNamed
            _ = Foundation.close(descriptor)
            if isInTheWay { return nil }
        }
    }

    /// Takes away what stands under the part's name, and the sidecar before; returns whether that could be done.
    private static func remove(_ names: PartNames) -> Bool {
        if unlink(names.info) == 0 { synchronize(names) }
        unlink(names.draft)
        return unlink(names.part) == 0
    }

    // MARK: Content

    /// Makes the part empty, the beginning of what `sidecar` describes. Returns whether it can be continued later.
    func restart(as sidecar: Sidecar?) throws(NetworkError) -> Bool {
        // There must be no moment at which a sidecar stands beside bytes that it does not describe, not even one that only
        // a crash of the system makes visible.
        if isFindable, unlink(names.info) == 0, length > 0 { Self.synchronize(names) }
        try truncate(to: 0)
        return sidecar.map(describe) ?? false
    }

    /// Cuts the part and goes on writing from there.
    func truncate(to length: Int64) throws(NetworkError) {
        if length != self.length {
            guard ftruncate(descriptor, off_t(length)) == 0 else { throw .fileSystem(errno) }
        }
        guard lseek(descriptor, off_t(length), SEEK_SET) >= 0 else { throw .fileSystem(errno) }
        self.length = length
        submittedLength = length
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .fileSystem(errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            length += Int64(count)
        }
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
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < length {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .fileSystem(count < 0 ? errno : EIO) }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// Writes the sidecar in one step; returns whether the part can be continued later.
    func describe(_ sidecar: Sidecar) -> Bool {
        guard isFindable else { return false }
        // It has the URL, which may have secrets in its query.
        let draft = open(names.draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard draft >= 0 else { return false }
        var text = sidecar.text
        let isWritten = text.withUTF8 { write(draft, $0.baseAddress, $0.count) == $0.count }
        // One that speaks of bytes on the disk must be there itself.
        let isWhole = isWritten && (sidecar.synced == 0 || Self.synchronize(draft))
        _ = Foundation.close(draft)
        if isWhole, rename(names.draft, names.info) == 0 { return true }
        unlink(names.draft)
        return false
    }

    // MARK: The end

    /// Moves the part to its destination in one step and lets go of it; returns where it is.
    func publish(_ policy: Destination.ConflictPolicy) throws(NetworkError) -> String {
        defer { close() }
        guard Self.synchronize(descriptor) else {
            let code = errno
            remove()
            throw .fileSystem(code)
        }
        // Before the move: after a crash between the two there is a part that is fetched again, and no litter for ever.
        removeSidecar()
        do {
            let place = try FileMove.move(path, to: names.destination, onConflict: policy)
            Self.synchronize(names)
            return place
        } catch {
            remove()
            throw error
        }
    }

    /// Leaves the part for a later attempt, which finds `sidecar` beside it.
    func keep(_ sidecar: Sidecar) {
        var sidecar = sidecar
        // Less than that is sooner fetched than waited for.
        if length - sidecar.synced >= 1 << 20, Self.synchronize(descriptor) {
            sidecar.synced = length
            _ = describe(sidecar)
        }
        close()
    }

    /// Removes the part and its sidecar.
    func remove() {
        guard descriptor >= 0 else { return }
        removeSidecar()
        unlink(path)
        // For the same reason as the lock: the room on the disk is free at once.
        _ = ftruncate(descriptor, 0)
        close()
    }

    /// Removes what stands beside the part, and what a process left there that ended while it wrote it.
    private func removeSidecar() {
        guard isFindable else { return }
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

    /// Brings what has been done to names in the folder to the disk.
    private static func synchronize(_ names: PartNames) {
        let folder = open(names.folder, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = synchronize(folder)
        _ = Foundation.close(folder)
    }

    /// Returns whether what was written is on the disk, or on a file system that knows no such thing.
    private static func synchronize(_ descriptor: Int32) -> Bool {
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { return errno == EINVAL || errno == EROFS || errno == ENOTSUP }
        }
        return true
    }
}
