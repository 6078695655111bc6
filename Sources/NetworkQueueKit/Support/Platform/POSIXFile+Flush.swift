import Foundation

extension POSIXFile {
    /// The calls that flush a file to the disk, the strongest first. Each returns 0, or -1 with `errno`.
    ///
    /// On Darwin `fsync` only moves the content to the drive, which may cache it and write it in another order. Only
    /// `F_FULLFSYNC` stores it on the disk. Some file systems, such as those of a server, do not support that.
    static var flushCalls: [(Int32) -> Int32] {
        #if canImport(Darwin)
            [{ fcntl($0, F_FULLFSYNC) }, { fsync($0) }]
        #else
            [{ fsync($0) }]
        #endif
    }

    /// Makes the system begin to flush a part of a file to the disk, if it supports that.
    static func beginFlush(of descriptor: Int32, from offset: Int64, count: Int64) {
        #if canImport(Glibc)
            // On Linux this begins to write dirty pages, and drops none of those.
            posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
        #endif
    }
}
