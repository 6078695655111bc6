import Foundation

/// The system's calls on files, in the form in which no name in a folder that others write to can do harm.
///
/// As the calls themselves do, they return -1 or `false` and leave the reason in `errno`.
enum POSIXFile {
    /// Opens a file. Never waits for another process, which opening a FIFO or a device otherwise does.
    static func open(_ path: String, _ flags: Int32) -> Int32 {
        open(path, flags, mode: 0)
    }

    /// Whether an `errno` says that the process, or the system, has no descriptor to give.
    static func isShortage(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

    /// Whether the process and the system have so many descriptors to give.
    static func areDescriptorsFree(_ count: Int = 1) -> Bool {
        var taken: [Int32] = []
        defer { for descriptor in taken { _ = close(descriptor) } }
        while taken.count < count {
            let descriptor = open("/dev/null", O_RDONLY)
            guard descriptor >= 0 else { return !isShortage(errno) }
            taken.append(descriptor)
        }
        return true
    }

    /// Creates a file for reading and writing; fails (`EEXIST`) when there is anything under the name, a symbolic link
    /// included.
    static func create(_ path: String, mode: mode_t) -> Int32 {
        open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    }

    /// The same with the permissions of a file that this creates, less those that the process withholds.
    static func open(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 {
        while true {
            let descriptor = Foundation.open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    /// What is under a name, without following a symbolic link; `nil` when there is nothing, or it cannot be told.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// What an open descriptor leads to.
    static func status(_ descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Reads a file from its beginning, `length` bytes or to its end where that is `.max`; returns 0, or why it cannot
    /// be read, which is `EIO` where it is shorter.
    static func forEachChunk<Failure>(
        of descriptor: Int32, upTo length: Int64, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> Int32 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < length {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            if count == 0, length == .max { return 0 }
            guard count > 0 else { return count < 0 ? errno : EIO }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        return 0
    }

    /// Whether there is a regular file of that size at a path, and `isEqual` is true of each piece of its content.
    static func hasFile(
        _ path: String, size: Int64, _ isEqual: (_ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> Bool
    ) -> Bool {
        struct Difference: Error {}
        guard let found = status(path), found.kind == S_IFREG, Int64(found.st_size) == size else { return false }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        var offset: Int64 = 0
        let code = try? forEachChunk(of: descriptor, upTo: size) { bytes throws(Difference) in
            guard offset + Int64(bytes.count) <= size, isEqual(bytes, offset) else { throw Difference() }
            offset += Int64(bytes.count)
        }
        return code == 0
    }

    /// Compares two pieces of one length.
    static func areEqual(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
        return memcmp(first, second, bytes.count) == 0
    }

    /// Sets the time of a file's last modification, and that of the last access to now.
    ///
    /// Both, since file systems of FUSE 2 (bindfs, encfs, unionfs-fuse) ignore a call that leaves one of them as it is.
    static func setModificationDate(_ date: Date, of descriptor: Int32) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let seconds = date.timeIntervalSince1970.rounded(.down)
        _ = futimens(descriptor, [now, timespec(tv_sec: Int(seconds), tv_nsec: 0)])
    }

    /// Whether a file can be changed before its end: writes its byte at `offset` once more. Returns 0, or why it
    /// cannot.
    static func rewriteByte(at offset: Int64, of descriptor: Int32) -> Int32 {
        var byte: UInt8 = 0
        var count = pread(descriptor, &byte, 1, off_t(offset))
        if count == 1 { count = pwrite(descriptor, &byte, 1, off_t(offset)) }
        return count == 1 ? 0 : count < 0 ? errno : EINVAL
    }

    /// Writes all the bytes where the descriptor stands. `written` is told after each call of the system how many it
    /// took.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, written: (Int) -> Void = { _ in }
    ) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            written(count)
        }
        return true
    }

    /// Writes all the bytes at an offset, wherever the descriptor stands.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let position = off_t(offset) + off_t(bytes.count - rest.count)
            let count = pwrite(descriptor, rest.baseAddress, rest.count, position)
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Returns whether what was written is on the disk, or on a file system that knows no such thing.
    ///
    /// - Parameter calls: what to try, one after the other; only the last one's failure counts.
    static func synchronize(_ descriptor: Int32, calls: [(Int32) -> Int32] = flushCalls) -> Bool {
        for call in calls {
            while true {
                if call(descriptor) == 0 { return true }
                if errno != EINTR { break }
            }
        }
        return errno == EINVAL || errno == EROFS || errno == ENOTSUP
    }

    /// Brings what has been done to names in a folder to the disk, as far as the file system can.
    static func synchronize(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        _ = synchronize(descriptor)
        _ = close(descriptor)
    }
}

extension stat {
    /// What kind of file it is: `S_IFREG`, `S_IFDIR` and so on.
    var kind: mode_t { st_mode & S_IFMT }

    /// Which file it is, whatever its names.
    var identity: FileIdentity {
        FileIdentity(device: UInt64(truncatingIfNeeded: st_dev), number: UInt64(truncatingIfNeeded: st_ino))
    }

    /// When the content was last modified, in seconds since 1970.
    var modificationSeconds: Int { Int(modificationTime.tv_sec) }

    /// Whether it is a regular file of the user that this process acts for. Only such a file can have been written by
    /// an earlier run; any user who may write to the folder can put another's, a FIFO, a device or a link under any
    /// name.
    var isOwnFile: Bool { kind == S_IFREG && st_uid == geteuid() }
}

/// Tells a file from all others of the system, whatever names it has, for as long as it is open.
struct FileIdentity: Equatable {
    let device: UInt64
    let number: UInt64
}
