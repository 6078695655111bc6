import Foundation

/// Files without a name, which only Linux has.
extension POSIXFile {
    /// Opens a new unnamed file for reading and writing; returns a negative value if there can be none.
    static func openUnnamed(in folder: String) -> Int32 {
        #if canImport(Glibc)
            // `__O_TMPFILE`, which Swift does not import. Its value is the same on all processors that Swift supports.
            let withoutName: Int32 = 0o20_000_000 | O_DIRECTORY
            return open(folder, O_RDWR | withoutName, mode: 0o666)
        #else
            return -1
        #endif
    }

    /// Gives an unnamed file a name that must not exist. Returns 0 or an error code.
    static func link(unnamed descriptor: Int32, to path: String) -> Int32 {
        #if canImport(Glibc)
            // `AT_EMPTY_PATH` needs a privilege before Linux 6.10.
            let own = "/proc/self/fd/\(descriptor)"
            return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
        #else
            return ENOTSUP
        #endif
    }
}
