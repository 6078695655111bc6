import Foundation

/// The system's calls that give a file its name. Each returns 0, or why it failed, as in `errno`.
///
/// A value, since file systems differ in which of them they have: tests take away what the machine at hand can do.
struct FileMoveCalls: Sendable {
    typealias Call = @Sendable (_ path: String, _ target: String) -> Int32

    /// Moves a file in place of what is at the target, a symbolic link itself included.
    var rename: Call
    /// Moves a file to a target that is free; `EEXIST` when it is not.
    var renameExclusively: Call
    /// Gives a file a second name; `EEXIST` when that is taken.
    var link: Call

    /// What the system has.
    static let system = FileMoveCalls(
        rename: { Foundation.rename($0, $1) == 0 ? 0 : errno },
        renameExclusively: { renameExclusively($0, $1) == 0 ? 0 : errno },
        link: { Foundation.link($0, $1) == 0 ? 0 : errno })

    private static func renameExclusively(_ path: String, _ target: String) -> Int32 {
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

        /// `renameat2`, which the C library has but does not show to Swift; `nil` where it is too old to have it.
        private static let renameat2: Rename? =
            // The signature is the one of its manual page.
            dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Rename.self) }
    #endif
}
