import Foundation

/// Gives a finished file its name in one step.
struct FileMove {
    var calls = FileMoveCalls.system

    /// Moves the file at `path` and returns its new place. A symbolic link at the destination is replaced, not
    /// followed.
    ///
    /// - Parameters:
    ///   - stored: what the other operations of the run have stored.
    ///   - isTwin: whether an existing file at the destination is kept instead of the moved one, which then stays where
    ///     it is.
    func move(
        _ path: String, to names: PartNames, onConflict policy: Destination.ConflictPolicy,
        beside stored: StoredFiles.View = StoredFiles.View(), isTwin: (String) -> Bool = { _ in false }
    ) throws(NetworkError) -> FilePlace {
        try Self.choosePlace(names, onConflict: policy, beside: stored, isTwin: isTwin) { place throws(NetworkError) in
            guard policy.settled == .overwrite else { return moveWithoutReplacing(path, to: place) }
            // Check again, because the download may have taken long.
            try Self.check(place, onConflict: .overwrite, beside: stored)
            return calls.rename(path, place)
        }
    }

    /// Gives a file the first free name that its policy allows.
    ///
    /// - Parameters:
    ///   - stored: what the other operations of the run have stored.
    ///   - isTwin: whether an existing file at the destination is kept instead.
    ///   - take: gives the file that path. Returns 0 or an `errno` code, which is `EEXIST` if the path is taken.
    static func choosePlace(
        _ names: PartNames, onConflict policy: Destination.ConflictPolicy,
        beside stored: StoredFiles.View = StoredFiles.View(), isTwin: (String) -> Bool = { _ in false },
        _ take: (String) throws(NetworkError) -> Int32
    ) throws(NetworkError) -> FilePlace {
        let destination = names.destination
        var candidate = destination
        var numbers: NumberedName?
        while true {
            let code = try stored.place(at: candidate, in: names.folder) { () throws(NetworkError) in
                try take(candidate)
            }
            if code == 0 { return FilePlace(path: candidate) }
            guard code == EEXIST, policy.settled != .overwrite else { throw .fileSystem(code, path: candidate) }
            if candidate.equals(bytesOf: destination) {
                let isOthers = stored.contains(destination)
                if isOthers, policy.settled == .fail { throw .isStored(destination) }
                if !isOthers, isTwin(destination) { return FilePlace(path: destination, isKept: true) }
            }
            if policy.settled == .fail { throw policy == .fail ? .exists(destination) : .isStale(destination) }
            var next = numbers ?? (names.isNumbered ? NumberedName(numbered: destination) : NumberedName(destination))
            candidate = next.next()
            numbers = next
        }
    }

    /// Throws if something at `destination` already rules out placing a file there.
    ///
    /// - Parameters:
    ///   - stored: what the other operations of the run have stored.
    ///   - mayBeTwin: whether an existing file may turn out to have the same content as the download.
    static func check(
        _ destination: String, onConflict policy: Destination.ConflictPolicy,
        beside stored: StoredFiles.View = StoredFiles.View(), mayBeTwin: Bool = false
    ) throws(NetworkError) {
        guard let found = POSIXFile.status(destination) else {
            if errno == ENAMETOOLONG { throw .fileSystem(ENAMETOOLONG, path: destination) }
            return
        }
        if policy.settled != .rename, stored.contains(found) { throw .isStored(destination) }
        switch policy.settled {
        case .fail where mayBeTwin && found.kind == S_IFREG: break
        case .fail where policy != .fail: throw .isStale(destination)
        case .fail: throw .exists(destination)
        case .overwrite:
            // `rename` would also replace a device, a FIFO or a socket that other programs are using.
            guard ![S_IFREG, S_IFLNK].contains(found.kind) else { return }
            throw .fileSystem(found.kind == S_IFDIR ? EISDIR : EEXIST, path: destination)
        case .rename, .keepIfCurrent: break
        }
    }

    /// Moves the file and returns 0 or an `errno` code: `EEXIST` if anything exists at `target`, even if it has just
    /// appeared.
    func moveWithoutReplacing(_ path: String, to target: String) -> Int32 {
        var code = calls.renameExclusively(path, target)
        guard Self.isRefusal(code) else { return code }
        // If the process ends between the two calls, the file has two names. `PartFile` recognizes such a part.
        code = calls.link(path, target)
        if code == 0 { unlink(path) }
        // Continue after any other error; a mount of rclone reports EIO. If the target itself is at fault, the next
        // call fails, too.
        guard code != 0, code != EEXIST else { return code }
        return replacePlaceholder(path, to: target)
    }

    /// Reserves the name with a file of one byte, which fails if the name is taken, and then replaces that file.
    ///
    /// For file systems with neither an exclusive `rename` nor hard links, such as FAT over FUSE and mounts of rclone.
    /// Copying into a new file would need twice the space and would show an incomplete file under the name during the
    /// copy and after a crash. This shows a tiny file between two system calls.
    private func replacePlaceholder(_ path: String, to target: String) -> Int32 {
        let placeholder = POSIXFile.create(target, mode: 0o600)
        guard placeholder >= 0 else { return errno }
        let created = POSIXFile.status(placeholder)
        // A mount of rclone uploads a file after `close`, under the name with which it was created. It uploads a file
        // with content before `close` returns, but an empty one later, when it would overwrite the file that has the
        // name by then.
        _ = [UInt8(ascii: "\n")].withUnsafeBytes { POSIXFile.write($0, to: placeholder) }
        close(placeholder)
        let code = calls.rename(path, target)
        if code != 0, let found = POSIXFile.status(target), found.identity == created?.identity, found.st_size <= 1 {
            unlink(target)
        }
        return code
    }

    /// Whether the error means that the file system or the system's rules refuse this call, rather than that the target
    /// is unusable.
    private static func isRefusal(_ code: Int32) -> Bool {
        [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EACCES, EXDEV, EMLINK].contains(code)
    }
}

/// The final path of a finished file.
struct FilePlace: Equatable {
    let path: String
    /// Whether an existing file with the same content was kept.
    var isKept = false
}

/// The names to try if others are taken: `name-2.ext`, `name-3.ext`, and so on.
private struct NumberedName {
    private let stem: Substring
    private let ext: Substring
    private let folderLength: Int
    private var number = 1

    init(_ path: String) {
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        let name = bytes[start...]
        folderLength = bytes[..<start].count
        // A leading dot makes a hidden file, not an extension.
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != start, name.index(after: dot) != name.endIndex {
            stem = path[..<dot]
            ext = path[dot...]
        } else {
            stem = path[...]
            ext = ""
        }
    }

    /// Continues from the number that a path already has: `name-2.ext` leads to `name-3.ext`.
    init(numbered path: String) {
        let plain = NumberedName(path)
        guard let hyphen = plain.stem.utf8.lastIndex(of: UInt8(ascii: "-")),
            let number = Int32(Substring(plain.stem.utf8[hyphen...].dropFirst()))
        else {
            self = plain
            return
        }
        stem = plain.stem[..<hyphen]
        ext = plain.ext
        folderLength = plain.folderLength
        self.number = Int(number)
    }

    mutating func next() -> String {
        number += 1
        let end = "-\(number)\(ext)"
        let nameLength = stem.utf8.count - folderLength + end.utf8.count
        let excess = nameLength - SafeFileName.maximumLength
        return SafeFileName.prefix(stem, stem.utf8.count - max(excess, 0)) + end
    }
}

/// The system calls that give a file its name. Each returns 0 or an `errno` code.
///
/// They are a value so that tests can remove calls that this machine supports and other file systems do not.
struct FileMoveCalls: Sendable {
    typealias Call = @Sendable (_ path: String, _ target: String) -> Int32

    /// Moves a file and replaces whatever is at the target; a symbolic link itself is replaced.
    var rename: Call
    /// Moves a file to a free target; `EEXIST` if it is taken.
    var renameExclusively: Call
    /// Gives a file a second name; `EEXIST` if that name is taken.
    var link: Call

    /// The calls of the operating system.
    static let system = FileMoveCalls(
        rename: { Foundation.rename($0, $1) == 0 ? 0 : errno },
        renameExclusively: { POSIXFile.renameExclusively($0, $1) == 0 ? 0 : errno },
        link: { Foundation.link($0, $1) == 0 ? 0 : errno })
}
