import Foundation

/// Gives a finished file its name, in one step.
struct FileMove {
    var calls = FileMoveCalls.system

    /// Moves the file at `path`; returns its new path. A symbolic link at the destination is replaced, not followed.
    func move(
        _ path: String, to destination: String, onConflict policy: Destination.ConflictPolicy
    ) throws(NetworkError) -> String {
        // Once more: the download may have taken long.
        if policy.settled == .overwrite { try Self.check(destination, onConflict: .overwrite) }
        return try Self.choosePlace(destination, onConflict: policy) { place in
            policy.settled == .overwrite ? calls.rename(path, place) : moveWithoutReplacing(path, to: place)
        }
    }

    /// Gives a file the name that its policy wants; returns its path.
    ///
    /// - Parameter take: gives it that path; returns 0, or why it could not, which is `EEXIST` where the path is taken.
    static func choosePlace(
        _ destination: String, onConflict policy: Destination.ConflictPolicy, _ take: (String) -> Int32
    ) throws(NetworkError) -> String {
        var candidate = destination
        var number = 1
        while true {
            let code = take(candidate)
            if code == 0 { return candidate }
            guard code == EEXIST, policy.settled != .overwrite else { throw .fileSystem(code, path: candidate) }
            if policy.settled == .fail { throw policy == .fail ? .exists(destination) : .isStale(destination) }
            number += 1
            candidate = numbered(destination, number)
        }
    }

    /// Throws what stands in the way of a file at `destination`, as far as that can be told beforehand.
    static func check(_ destination: String, onConflict policy: Destination.ConflictPolicy) throws(NetworkError) {
        guard let found = POSIXFile.status(destination) else {
            if errno == ENAMETOOLONG { throw .fileSystem(ENAMETOOLONG, path: destination) }
            return
        }
        switch policy.settled {
        case .fail where policy != .fail: throw .isStale(destination)
        case .fail: throw .exists(destination)
        case .overwrite:
            // `rename` itself would also replace a device, a FIFO or a socket, which other programs are using.
            guard ![S_IFREG, S_IFLNK].contains(found.kind) else { return }
            throw .fileSystem(found.kind == S_IFDIR ? EISDIR : EEXIST, path: destination)
        case .unique, .keepIfCurrent: break
        }
    }

    /// Returns 0, or why the file could not be moved: `EEXIST` when there is something at `target`, however lately it came.
    private func moveWithoutReplacing(_ path: String, to target: String) -> Int32 {
        var code = calls.renameExclusively(path, target)
        guard Self.isRefusal(code) else { return code }
        // If the process ends between the two calls, it leaves a file of two names: `PartFile` knows such a part for what it is.
        code = calls.link(path, target)
        if code == 0 { unlink(path) }
        guard Self.isRefusal(code) else { return code }
        return replacePlaceholder(path, to: target)
    }

    /// Takes the name with an empty file, which fails if there is anything, and has the file replace that.
    ///
    /// For file systems with neither an exclusive `rename` nor hard links, such as FAT over FUSE. A copy into a new file would need the
    /// room twice, and would show its first half under the name while it is written and after a crash; this shows an empty
    /// file, for the time between two calls.
    private func replacePlaceholder(_ path: String, to target: String) -> Int32 {
        let placeholder = POSIXFile.create(target, mode: 0o600)
        guard placeholder >= 0 else { return errno }
        defer { close(placeholder) }
        let code = calls.rename(path, target)
        if code != 0, let created = POSIXFile.status(placeholder), let found = POSIXFile.status(target),
            found.identity == created.identity
        {
            unlink(target)
        }
        return code
    }

    /// Whether it is the call that is refused, by the file system or a rule of the system's, rather than the place.
    ///
    /// `EPERM` is what `link` says without hard links, and where they are protected (`fs.protected_hardlinks`).
    private static func isRefusal(_ code: Int32) -> Bool {
        [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EACCES, EXDEV, EMLINK].contains(code)
    }

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
