import Foundation

extension POSIXFile {
    /// Moves a file to a name that must not exist. If it exists, returns -1 with `EEXIST` in `errno`.
    static func renameExclusively(_ path: String, _ target: String) -> Int32 {
        #if canImport(Darwin)
            return renamex_np(path, target, UInt32(RENAME_EXCL))
        #else
            guard let renameat2 else {
                errno = ENOSYS
                return -1
            }
            let noReplace: UInt32 = 1
            return renameat2(AT_FDCWD, path, AT_FDCWD, target, noReplace)
        #endif
    }

    #if !canImport(Darwin)
        private typealias Rename =
            @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

        /// `renameat2`, which Swift does not import from the C library; `nil` if the library is too old to have it.
        private static let renameat2: Rename? =
            // The signature is that of the manual page.
            dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Rename.self) }
    #endif
}
