import Foundation

/// The names of a download's files until it is complete, all beside its destination:
///
/// ```text
/// name.nqk.part             the bytes so far
/// name.nqk.part.info        what they are the beginning of: a ``Sidecar``
/// name.nqk.part.info.new    the sidecar while it is written
/// .UUID.nqk.part            the bytes, where another download has the first name in use
/// ```
///
/// They depend only on the destination, so a later run finds them. A destination must not have such a name itself, so
/// no download can mistake a finished file for its own part.
package struct PartNames {
    package static let suffix = ".nqk.part"
    private static let infoSuffix = suffix + ".info"
    private static let draftSuffix = infoSuffix + ".new"
    /// The endings of all these names, the longest first.
    package static let suffixes = [draftSuffix, infoSuffix, suffix]
    /// The length of a name that most file systems allow, in bytes.
    private static let maximumLength = 255
    /// The limit of file systems that encrypt names (ecryptfs, and some configurations of gocryptfs and rclone's
    /// crypt). A part's name stays within it.
    private static let maximumPartLength = 143

    /// The destination without a trailing slash.
    private(set) var destination: String
    /// Whether the destination's name ends in a number, from which `.rename` continues.
    var isNumbered = false
    /// The folder with a trailing slash; it may not exist yet.
    let folder: String
    /// The beginning of the part's names: the destination, shortened if necessary to leave room for the suffixes.
    private let stem: String

    package init(_ destination: URL) throws(NetworkError) {
        // The path of any other URL would be taken for a local one.
        guard destination.isFileURL else { throw .notAFile(destination) }
        // Get the path once and work on its bytes, because a URL parses its text again for every property.
        let path = destination.path(percentEncoded: false)
        let (folder, name) = Self.split(path)
        guard !["", "/", ".", ".."].contains(name) else { throw .fileSystem(EISDIR, path: path) }
        guard !Self.isReserved(name) else {
            throw .fileSystem(
                EINVAL, path: path, advice: "Such names are reserved for partial downloads; choose another.")
        }
        // A C string would end at the first NUL and name another file.
        guard !path.utf8.contains(0) else {
            throw .fileSystem(EINVAL, path: path, advice: "Choose a name without a NUL byte.")
        }
        guard name.utf8.count <= Self.maximumLength else { throw .fileSystem(ENAMETOOLONG, path: path) }
        self.folder = folder
        self.destination = folder + name
        stem = folder + Self.stem(of: name)
    }

    /// The same part with another destination in the same folder, which a response suggested.
    func leading(to name: String) -> PartNames {
        var names = self
        names.destination = folder + name
        names.isNumbered = false
        return names
    }

    package var part: String { stem + Self.suffix }
    var info: String { Self.info(of: part) }
    var draft: String { Self.draft(of: part) }

    static func info(of part: String) -> String { part + ".info" }
    static func draft(of part: String) -> String { part + ".info.new" }

    /// A unique name for a part.
    func makeUniquePart() -> String { "\(folder).\(UUID().uuidString)\(Self.suffix)" }

    /// The name of the part to which the file `name` belongs, as the part itself, its sidecar or the sidecar's draft;
    /// `nil` if `makeUniquePart` did not name the part.
    static func uniquePart(of name: String) -> String? {
        guard let suffix = suffixes.first(where: name.ends) else { return nil }
        var stem = Substring(name.utf8.dropLast(suffix.utf8.count))
        guard stem.skip(byte: "."), UUID(uuidString: String(stem)) != nil else { return nil }
        return ".\(stem)\(Self.suffix)"
    }

    /// Splits a path into its folder and its name, without trailing slashes.
    private static func split(_ path: String) -> (folder: String, name: String) {
        let slash = UInt8(ascii: "/")
        let bytes = path.utf8
        guard let last = bytes.lastIndex(where: { $0 != slash }) else { return (path, "") }
        let end = bytes.index(after: last)
        guard let start = bytes[..<end].lastIndex(of: slash).map({ bytes.index(after: $0) }) else {
            return ("./", String(path[..<end]))
        }
        return (String(path[..<start]), String(path[start..<end]))
    }

    private static func isReserved(_ name: String) -> Bool {
        suffixes.contains(where: name.ends)
    }

    /// The name, shortened to leave room for the suffixes and still unique.
    private static func stem(of name: String) -> String {
        let room = maximumPartLength - draftSuffix.utf8.count
        guard name.utf8.count > room else { return name }
        let digest = HashAlgorithm.sha256.hexDigest(of: name).prefix(24)
        var stem = name
        while stem.utf8.count > room - 1 - digest.utf8.count { stem.removeLast() }
        return "\(stem)~\(digest)"
    }
}

extension NetworkError {
    /// The error for a URL that is not a file URL.
    static func notAFile(_ url: URL) -> NetworkError {
        .fileSystem(
            EINVAL, path: url.absoluteString.withoutUserInformation,
            advice: "It is not the path of a file; choose another destination.",
            developerAdvice: "It is not a file URL; create one with URL(filePath:).")
    }
}

/// Removes parts with unique names, `.UUID.nqk.part`, that killed processes left in a folder.
///
/// No later run looks for them, so the first download into a folder removes them in the background. It does so once per
/// process, because the folder may hold or receive many files. A part in use is locked, or recently modified if the
/// file system has no locks.
enum AbandonedParts {
    /// The folders already searched. Cleared when there are too many to remember.
    private static let seen = Guarded<Set<ByteText>>([])
    private static let maximumCount = 1_000

    /// Searches a folder on another thread, unless this process has already done so.
    static func removeOnce(in folder: String) {
        let isNew = seen.withLock { seen in
            if seen.count >= maximumCount { seen = [] }
            return seen.insert(ByteText(folder)).inserted
        }
        if isNew { FileSink.queue.async { remove(in: folder) } }
    }

    /// Removes unused parts in a folder, and the sidecars of missing parts.
    static func remove(in folder: String, lock: PartLock = .system) {
        // Read name by name: a list of a million names would take a hundred megabytes.
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            guard entry.pointee.d_name.0 == CChar(bitPattern: UInt8(ascii: ".")) else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let part = PartNames.uniquePart(of: name) else { continue }
            if part == name { remove(folder + part, lock) } else { removeSidecar(folder + name, of: folder + part) }
        }
    }

    /// Removes an unused part with its sidecar; returns whether it did.
    @discardableResult
    static func remove(_ path: String, _ lock: PartLock) -> Bool {
        guard let found = POSIXFile.status(path), found.isOwnFile else { return false }
        let descriptor = POSIXFile.open(path, O_RDWR | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let state = lock.take(descriptor)
        guard state != .busy, let opened = POSIXFile.status(descriptor), opened.identity == found.identity,
            state == .taken || PartLock.isIdle(opened)
        else { return false }
        unlink(PartNames.info(of: path))
        unlink(PartNames.draft(of: path))
        return unlink(path) == 0
    }

    /// Removes a sidecar without a part, unless it is recent: its part may be in the middle of a rename.
    private static func removeSidecar(_ path: String, of part: String) {
        guard POSIXFile.status(part) == nil, let found = POSIXFile.status(path), found.isOwnFile,
            PartLock.isIdle(found)
        else { return }
        unlink(path)
    }
}
