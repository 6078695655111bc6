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
}
