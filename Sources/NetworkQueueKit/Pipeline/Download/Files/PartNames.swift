import Foundation

/// The names of the files that a download works on until it is whole, all beside its destination:
///
///     name.nqk.part             the bytes so far
///     name.nqk.part.info        what they are the beginning of: a ``Sidecar``
///     name.nqk.part.info.new    the sidecar while it is written
///     .UUID.nqk.part            the bytes, where another download has the first name in use
///
/// They follow from the destination alone, so that a later run finds them. A destination may not have such a name itself:
/// then no download can ever take another's file for its own part.
struct PartNames {
    static let suffix = ".nqk.part"
    private static let infoSuffix = suffix + ".info"
    private static let draftSuffix = infoSuffix + ".new"
    /// What file systems allow for a name, in bytes.
    private static let maximumLength = 255

    /// The destination without a trailing slash.
    let destination: String
    /// The folder, which may not exist yet.
    let folder: String
    let part: String
    let info: String
    let draft: String

    init(_ destination: URL) throws(NetworkError) {
        // The path of another URL would be taken for one of this machine.
        guard destination.isFileURL else { throw .notAFile(destination) }
        let path = destination.path(percentEncoded: false)
        let name = destination.lastPathComponent
        guard !["", "/", ".", ".."].contains(name) else { throw .fileSystem(EISDIR, path: path) }
        let isReserved = [Self.suffix, Self.infoSuffix, Self.draftSuffix].contains {
            name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
        guard !isReserved else {
            throw .fileSystem(
                EINVAL, path: path, advice: "Such names are those of unfinished downloads; choose another.")
        }
        // A C string would end at the first NUL and name another file.
        guard !path.utf8.contains(0) else {
            throw .fileSystem(EINVAL, path: path, advice: "Choose a name without a NUL.")
        }
        guard name.utf8.count <= Self.maximumLength else { throw .fileSystem(ENAMETOOLONG, path: path) }
        var folder = destination.deletingLastPathComponent().path(percentEncoded: false)
        if !folder.hasSuffix("/") { folder += "/" }
        self.folder = folder
        self.destination = folder + name
        let stem = folder + Self.stem(of: name)
        part = stem + Self.suffix
        info = stem + Self.infoSuffix
        draft = stem + Self.draftSuffix
    }

    /// A part's name that no other part has.
    func makeUniquePart() -> String { "\(folder).\(UUID().uuidString)\(Self.suffix)" }

    /// The name, shortened so that there is room for the suffixes, and still no other name's.
    private static func stem(of name: String) -> String {
        let room = maximumLength - draftSuffix.utf8.count
        guard name.utf8.count > room else { return name }
        let digest = SHA256.hexDigest(of: name).prefix(24)
        var stem = name
        while stem.utf8.count > room - 1 - digest.utf8.count { stem.removeLast() }
        return "\(stem)~\(digest)"
    }
}

extension NetworkError {
    /// The error for a destination on another machine, or without a path.
    fileprivate static func notAFile(_ url: URL) -> NetworkError {
        .fileSystem(
            EINVAL, path: url.absoluteString.withoutUserInformation,
            advice: "It is not a file URL; make one with URL(filePath:).")
    }
}
