import Foundation

extension POSIXFile {
    /// The calls that bring a file to the disk, the strongest first; each returns 0, or -1 with `errno`.
    ///
    /// On Darwin `fsync` brings the content to the drive alone, which may keep it in a cache and write it in another
    /// order: only `F_FULLFSYNC` has it on the disk. Some file systems do not know that, such as those of a server.
    static var flushCalls: [(Int32) -> Int32] {
        #if canImport(Darwin)
            [{ fcntl($0, F_FULLFSYNC) }, { fsync($0) }]
        #else
            [{ fsync($0) }]
        #endif
    }

    /// Has the system begin to bring a part of a file to the disk, where it can be told to.
    static func beginFlush(of descriptor: Int32, from offset: Int64, count: Int64) {
        #if canImport(Glibc)
            // On Linux this begins to write pages that are not on the disk yet, and drops none of those.
            posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
        #endif
    }
}
