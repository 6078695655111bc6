import Foundation

/// Files without a name, which Linux alone has.
extension POSIXFile {
    /// Opens a new file without a name for reading and writing; negative where there is none.
    static func openUnnamed(in folder: String) -> Int32 {
        #if canImport(Glibc)
            // `__O_TMPFILE`, which Swift does not import; it is the same on all the processors that Swift runs on.
            let withoutName: Int32 = 0o20_000_000 | O_DIRECTORY
            return open(folder, O_RDWR | withoutName, mode: 0o666)
        #else
            return -1
        #endif
    }

    /// Gives such a file a name that is free; returns 0, or why that failed, as in `errno`.
    static func link(unnamed descriptor: Int32, to path: String) -> Int32 {
        #if canImport(Glibc)
            // The other way needs a privilege before Linux 6.10.
            let own = "/proc/self/fd/\(descriptor)"
            return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
        #else
            return ENOTSUP
        #endif
    }
}
