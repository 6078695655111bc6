import Foundation

/// File system calls that stay safe whatever names other users create in a folder.
///
/// Unless stated otherwise they return -1 or `false`, as the calls themselves do, and leave the reason in `errno`.
package enum POSIXFile {
    /// Opens a file. It never waits for another process, as opening a FIFO or a device otherwise does.
    package static func open(_ path: String, _ flags: Int32) -> Int32 {
        open(path, flags, mode: 0)
    }

    /// Whether an `errno` says that the process or the system has no free descriptor.
    static func isShortage(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

    /// Whether the process and the system have `count` free descriptors.
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

    /// Creates a file for reading and writing. Fails with `EEXIST` if the name exists, even as a symbolic link.
    static func create(_ path: String, mode: mode_t) -> Int32 {
        open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    }

    /// Opens a file. A file that this creates gets the permissions `mode`, less those in the process's umask.
    static func open(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 {
        while true {
            let descriptor = Foundation.open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    /// The status of a name, without following a symbolic link; `nil` if nothing has that name or the status cannot be
    /// read.
    package static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// The status of an open file.
    package static func status(_ descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// The size of a regular file without holes, which a part has if it was fetched in several places; `nil` if there is
    /// none.
    package static func filledSize(_ path: String) -> Int64? {
        guard let found = status(path), found.kind == S_IFREG else { return nil }
        return min(Int64(found.st_size), Int64(found.st_blocks) * 512)
    }

    /// The bytes that this process may still use on the volume of a folder; `nil` if the volume does not tell its size.
    package static func freeBytes(_ folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : Int64(exactly: bytes)
    }

    /// Reads a file from `start` to `end`, or to its own end if that is `.max`. Returns 0 or an error code, which is
    /// `EIO` if the file is shorter.
    static func forEachChunk<Failure>(
        of descriptor: Int32, from start: Int64 = 0, upTo end: Int64,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> Int32 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset = start
        while offset < end {
            let wanted = Int(min(Int64(buffer.count), end - offset))
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            if count < 0, errno == EINTR { continue }
            if count == 0, end == .max { return 0 }
            guard count > 0 else { return count < 0 ? errno : EIO }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        return 0
    }

    /// Whether there is a regular file of that size at a path and `isEqual` returns `true` for each piece of its
    /// content.
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

    /// Compares two pieces of the same length.
    static func areEqual(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
        return memcmp(first, second, bytes.count) == 0
    }

    /// Sets the modification time of a file, and its access time to now.
    ///
    /// Both, because FUSE 2 file systems (bindfs, encfs, unionfs-fuse) ignore a call that leaves one of them as it is.
    static func setModificationDate(_ date: Date, of descriptor: Int32) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let seconds = date.timeIntervalSince1970.rounded(.down)
        _ = futimens(descriptor, [now, timespec(tv_sec: Int(seconds), tv_nsec: 0)])
    }

    /// Checks that a file can be changed before its end, by writing its byte at `offset` again. Returns 0 or an error
    /// code.
    static func rewriteByte(at offset: Int64, of descriptor: Int32) -> Int32 {
        var byte: UInt8 = 0
        var count = pread(descriptor, &byte, 1, off_t(offset))
        if count == 1 { count = pwrite(descriptor, &byte, 1, off_t(offset)) }
        return count == 1 ? 0 : count < 0 ? errno : EINVAL
    }

    /// Writes all the bytes at the descriptor's position. Calls `written` after each system call with the number of
    /// bytes written.
    package static func write(
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

    /// Writes all the bytes at an offset, regardless of the descriptor's position.
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

    /// Flushes a file to the disk, or a volume with such calls. Returns whether it is there, or on a file system that has
    /// no such operation.
    ///
    /// - Parameter calls: the calls to try in turn. Only a failure of the last one counts.
    static func synchronize(_ descriptor: Int32, calls: [(Int32) -> Int32] = flushCalls) -> Bool {
        for call in calls {
            while true {
                if call(descriptor) == 0 { return true }
                if errno != EINTR { break }
            }
        }
        return errno == EINVAL || errno == EROFS || errno == ENOTSUP
    }

    /// Flushes changed names in a folder to the disk, as far as the file system can.
    static func synchronize(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        _ = synchronize(descriptor)
        _ = close(descriptor)
    }
}

extension stat {
    /// The type of the file: `S_IFREG`, `S_IFDIR` and so on.
    package var kind: mode_t { st_mode & S_IFMT }

    /// The identity of the file, whatever its names.
    var identity: FileIdentity {
        FileIdentity(device: UInt64(truncatingIfNeeded: st_dev), number: UInt64(truncatingIfNeeded: st_ino))
    }

    /// The modification time of the content, in seconds since 1970, limited to what a `Date` holds exactly. Some file
    /// systems keep any 64-bit number.
    var modificationSeconds: Int { min(max(Int(modificationTime.tv_sec), -1 << 50), 1 << 50) }

    /// Whether it is a regular file of the user for whom this process acts. Only such a file can come from an earlier
    /// run. Any user who may write to the folder can put another user's file, a FIFO, a device or a link there, under
    /// any name.
    var isOwnFile: Bool { kind == S_IFREG && st_uid == geteuid() }
}

/// A descriptor that is closed with its last reference.
final class Descriptor: Sendable {
    let number: Int32

    /// Fails for the negative number that a failed call returns.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    convenience init?(copying number: Int32) { self.init(fcntl(number, F_DUPFD_CLOEXEC, 0)) }

    deinit { _ = close(number) }
}

/// Identifies a file in the system, whatever its names, for as long as it is open.
struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64
}
