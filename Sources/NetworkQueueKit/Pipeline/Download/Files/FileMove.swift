import Foundation

/// Gives a finished file its name, in one step.
struct FileMove {
    var calls = FileMoveCalls.system

    /// Moves the file at `path`; returns where it is. A symbolic link at the destination is replaced, not followed.
    ///
    /// - Parameter isTwin: whether a file that is at the destination takes the place of the one that is moved, which
    ///   then stays.
    func move(
        _ path: String, to names: PartNames, onConflict policy: Destination.ConflictPolicy,
        isTwin: (String) -> Bool = { _ in false }
    ) throws(NetworkError) -> FilePlace {
        // Once more: the download may have taken long.
        if policy.settled == .overwrite { try Self.check(names.destination, onConflict: .overwrite) }
        return try Self.choosePlace(names, onConflict: policy, isTwin: isTwin) { place in
            policy.settled == .overwrite ? calls.rename(path, place) : moveWithoutReplacing(path, to: place)
        }
    }

    /// Gives a file the name that its policy wants; returns its path.
    ///
    /// - Parameters:
    ///   - isTwin: whether the file at the destination is kept in its place.
    ///   - take: gives it that path; returns 0, or why it could not, which is `EEXIST` where the path is taken.
    static func choosePlace(
        _ names: PartNames, onConflict policy: Destination.ConflictPolicy, isTwin: (String) -> Bool = { _ in false },
        _ take: (String) -> Int32
    ) throws(NetworkError) -> FilePlace {
        let destination = names.destination
        var candidate = destination
        var numbers = names.isNumbered ? NumberedName(numbered: destination) : NumberedName(destination)
        while true {
            let code = take(candidate)
            if code == 0 { return FilePlace(path: candidate) }
            guard code == EEXIST, policy.settled != .overwrite else { throw .fileSystem(code, path: candidate) }
            if candidate == destination, isTwin(destination) { return FilePlace(path: destination, isKept: true) }
            if policy.settled == .fail { throw policy == .fail ? .exists(destination) : .isStale(destination) }
            candidate = numbers.next()
        }
    }

    /// Throws what stands in the way of a file at `destination`, as far as that can be told beforehand.
    ///
    /// - Parameter mayBeTwin: whether a file that is there may turn out to have the content that is to come.
    static func check(
        _ destination: String, onConflict policy: Destination.ConflictPolicy, mayBeTwin: Bool = false
    ) throws(NetworkError) {
        guard let found = POSIXFile.status(destination) else {
            if errno == ENAMETOOLONG { throw .fileSystem(ENAMETOOLONG, path: destination) }
            return
        }
        switch policy.settled {
        case .fail where mayBeTwin && found.kind == S_IFREG: break
        case .fail where policy != .fail: throw .isStale(destination)
        case .fail: throw .exists(destination)
        case .overwrite:
            // `rename` itself would also replace a device, a FIFO or a socket, which other programs are using.
            guard ![S_IFREG, S_IFLNK].contains(found.kind) else { return }
            throw .fileSystem(found.kind == S_IFDIR ? EISDIR : EEXIST, path: destination)
        case .rename, .keepIfCurrent: break
        }
    }

    /// Returns 0, or why the file could not be moved: `EEXIST` when there is something at `target`, however lately it
    /// came.
    func moveWithoutReplacing(_ path: String, to target: String) -> Int32 {
        var code = calls.renameExclusively(path, target)
        guard Self.isRefusal(code) else { return code }
        // If the process ends between the two calls, it leaves a file of two names: `PartFile` knows such a part for
        // what it is.
        code = calls.link(path, target)
        if code == 0 { unlink(path) }
        // Whatever else it fails with: a mount of rclone says EIO. If the place itself is at fault, the next call meets
        // that, too.
        guard code != 0, code != EEXIST else { return code }
        return replacePlaceholder(path, to: target)
    }

    /// Takes the name with a file of one byte, which fails if there is anything, and has the file replace that.
    ///
    /// For file systems with neither an exclusive `rename` nor hard links, such as FAT over FUSE and mounts of rclone.
    /// A copy into a new file would need the room twice, and would show its first half under the name while it is
    /// written and after a crash; this shows a tiny file, for the time between two calls.
    private func replacePlaceholder(_ path: String, to target: String) -> Int32 {
        let placeholder = POSIXFile.create(target, mode: 0o600)
        guard placeholder >= 0 else { return errno }
        let created = POSIXFile.status(placeholder)
        // A mount of rclone stores a file when it is closed, under the name that it was created with: one that has
        // content before `close` returns, and an empty one some time later, in place of the file that has got the name
        // by then.
        _ = [UInt8(ascii: "\n")].withUnsafeBytes { POSIXFile.write($0, to: placeholder) }
        close(placeholder)
        let code = calls.rename(path, target)
        if code != 0, let found = POSIXFile.status(target), found.identity == created?.identity, found.st_size <= 1 {
            unlink(target)
        }
        return code
    }

    /// Whether it is the call that is refused, by the file system or a rule of the system's, rather than the place.
    private static func isRefusal(_ code: Int32) -> Bool {
        [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EACCES, EXDEV, EMLINK].contains(code)
    }
}

/// The place at which a file got its name.
struct FilePlace: Equatable {
    let path: String
    /// Whether it is a file that was there, and has the same content.
    var isKept = false
}

/// The names that a file gets where others are taken: `name-2.ext`, `name-3.ext`, and so on.
private struct NumberedName {
    private let stem: Substring
    private let ext: Substring
    private var number = 1

    init(_ path: String) {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        // A dot in front makes a hidden file, not an extension.
        if let dot = name.lastIndex(of: "."), dot != slash, name.index(after: dot) != name.endIndex {
            stem = path[..<dot]
            ext = path[dot...]
        } else {
            stem = path[...]
            ext = ""
        }
    }

    /// Goes on from the number that a path has already: `name-3.ext` for `name-2.ext`.
    init(numbered path: String) {
        let plain = NumberedName(path)
        guard let hyphen = plain.stem.lastIndex(of: "-"), let number = Int(plain.stem[hyphen...].dropFirst()) else {
            self = plain
            return
        }
        stem = plain.stem[..<hyphen]
        ext = plain.ext
        self.number = number
    }

    mutating func next() -> String {
        number += 1
        return "\(stem)-\(number)\(ext)"
    }
}

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
        renameExclusively: { POSIXFile.renameExclusively($0, $1) == 0 ? 0 : errno },
        link: { Foundation.link($0, $1) == 0 ? 0 : errno })
}
