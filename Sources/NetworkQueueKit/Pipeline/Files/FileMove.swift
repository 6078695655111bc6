import Foundation

/// Gives a finished file its name, in one step.
enum FileMove {
    /// Moves the file at `path`; returns its new path. A symbolic link at the destination is replaced, not followed.
    static func move(
        _ path: String, to destination: String, onConflict policy: Destination.ConflictPolicy
    ) throws(NetworkError) -> String {
        switch policy {
        case .overwrite:
            guard rename(path, destination) == 0 else { throw .fileSystem(errno) }
            return destination
        case .fail:
            guard moveWithoutReplacing(path, to: destination) else { throw .fileSystem(errno) }
            return destination
        case .unique:
            var number = 1
            while true {
                let candidate = number == 1 ? destination : numbered(destination, number)
                if moveWithoutReplacing(path, to: candidate) { return candidate }
                guard errno == EEXIST else { throw .fileSystem(errno) }
                number += 1
            }
        }
    }

    /// What stands in the way of a file at `destination`, as far as that can be told beforehand.
    static func check(_ destination: String, onConflict policy: Destination.ConflictPolicy) throws(NetworkError) {
        var found = stat()
        guard lstat(destination, &found) == 0 else {
            if errno == ENAMETOOLONG { throw .fileSystem(errno) }
            return
        }
        switch policy {
        case .fail: throw .fileSystem(EEXIST)
        case .overwrite: if found.st_mode & S_IFMT == S_IFDIR { throw .fileSystem(EISDIR) }
        case .unique: break
        }
    }

    /// Returns `false`, with the reason in `errno`, when there is something at `target`, however lately it came.
    private static func moveWithoutReplacing(_ path: String, to target: String) -> Bool {
        if renameWithoutReplacing(path, to: target) { return true }
        guard [EINVAL, ENOSYS, ENOTSUP, EPERM].contains(errno) else { return false }
        // A file system that cannot, or a process that must not. If it ends between the two calls, it leaves a file of two
        // names: `PartFile` knows such a part for what it is.
        guard link(path, target) == 0 else { return false }
        unlink(path)
        return true
    }

    private static func renameWithoutReplacing(_ path: String, to target: String) -> Bool {
        #if canImport(Darwin)
            return renamex_np(path, target, UInt32(RENAME_EXCL)) == 0
        #else
            guard let renameat2 else {
                errno = ENOSYS
                return false
            }
            let noReplace: UInt32 = 1
            return renameat2(AT_FDCWD, path, AT_FDCWD, target, noReplace) == 0
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

    /// `name-2.ext` for `name.ext`.
    private static func numbered(_ path: String, _ number: Int) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        // A dot in front makes a hidden file, not an extension.
        guard let dot = name.lastIndex(of: "."), dot != slash, name.index(after: dot) != name.endIndex else {
            return "\(path)-\(number)"
        }
        return "\(path[..<dot])-\(number)\(name[dot...])"
    }
}
