import Foundation

/// The file in which the URL of an unfinished tus upload is kept between runs. Whoever has that URL can read or change
/// the upload, so only this user may read it.
struct TusPlace: Sendable {
    private static let maximumSize = 64 << 10
    /// How long a state is kept that no run uses, in seconds.
    private static let lifetime = 30 * 86_400

    private let folder: String
    private let path: String

    /// - Parameters:
    ///   - folder: the folder for such files, which may not exist yet.
    ///   - request: the request with the endpoint.
    ///   - file: the file as it was measured.
    init(_ folder: URL, _ request: NetworkRequest, _ file: BodyFile) {
        let parts = [
            request.url.withoutUserInformation.absoluteString, file.url.absoluteURL.path(percentEncoded: false),
            file.identity, request.resumeKey ?? "",
        ]
        // With a slash at its end, a link would be followed.
        let text = folder.path(percentEncoded: false)
        self.folder = text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
        let name = HashAlgorithm.sha256.hexDigest(of: parts.map { "\($0.utf8.count) \($0)\n" }.joined())
        path = folder.appending(component: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }

    /// Reads what an earlier run has kept; `nil` if there is nothing, or if the server has dropped the upload.
    ///
    /// - Throws: `.fileSystem` if the folder is not this user's own.
    func read(now: Date = .now) throws(NetworkError) -> TusUpload.State? {
        guard let folder = POSIXFile.status(folder) else { return nil }
        try check(folder)
        let descriptor = POSIXFile.open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if POSIXFile.isShortage(errno) { throw .fileSystem(errno, path: path) }
            return nil
        }
        defer { close(descriptor) }
        guard let status = POSIXFile.status(descriptor), status.isOwnFile, status.st_size <= Self.maximumSize else {
            return nil
        }
        var data = Data()
        let code = POSIXFile.forEachChunk(of: descriptor, upTo: Int64(status.st_size)) { data.append(contentsOf: $0) }
        guard code == 0, let state = try? JSONDecoder().decode(TusUpload.State.self, from: data) else { return nil }
        if let expires = state.expires, expires < now { return nil }
        POSIXFile.setModificationDate(now, of: descriptor)
        return state
    }

    /// Removes the states that no run has used for thirty days, and drafts of such an age: their uploads were never
    /// finished, and their files may be gone. Any other file stays.
    func cleanFolder(now: Date = .now) {
        guard let status = POSIXFile.status(folder), (try? check(status)) != nil,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return }
        let oldest = Int(now.timeIntervalSince1970) - Self.lifetime
        for name in names where Self.isName(name) {
            let path = folder + "/" + name
            if let status = POSIXFile.status(path), status.isOwnFile, status.modificationTime.tv_sec < oldest {
                unlink(path)
            }
        }
    }

    /// Whether a file is called like a state or a draft.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts[0].count == 64 && parts[0].allSatisfy(\.isHexDigit)
            && (parts.count == 1 || parts.count == 2 && UUID(uuidString: String(parts[1])) != nil)
    }

    /// Keeps the state for a later run; `nil` removes it.
    ///
    /// - Throws: `.fileSystem` if that is impossible, or if the folder is not this user's own.
    func write(_ state: TusUpload.State?) throws(NetworkError) {
        guard let state else {
            unlink(path)
            return
        }
        try makeFolder()
        let draft = path + "." + UUID().uuidString
        let descriptor = POSIXFile.create(draft, mode: 0o600)
        guard descriptor >= 0 else { throw .fileSystem(errno, path: draft) }
        let data = (try? JSONEncoder().encode(state)) ?? Data()
        let isWritten = data.withUnsafeBytes { POSIXFile.write($0, to: descriptor) }
        let isStored = close(descriptor) == 0 && isWritten && rename(draft, path) == 0
        guard isStored else {
            let code = errno
            unlink(draft)
            throw .fileSystem(code, path: path)
        }
    }

    private func makeFolder() throws(NetworkError) {
        if POSIXFile.status(folder) == nil {
            let parent = URL(filePath: folder, directoryHint: .isDirectory).deletingLastPathComponent()
            try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .fileSystem(errno, path: folder) }
        }
        guard let status = POSIXFile.status(folder) else { throw .fileSystem(errno, path: folder) }
        try check(status)
    }

    /// Throws unless the folder is this user's own, and makes it private.
    private func check(_ status: stat) throws(NetworkError) {
        guard status.kind == S_IFDIR, status.st_uid == geteuid() else {
            throw .fileSystem(
                EPERM, path: folder, advice: "It must be a folder of this user's own, and not a link; choose another.",
                developerAdvice: "It must be a folder of this user's own, and not a link; set stateFolder to another.")
        }
        if status.st_mode & 0o077 != 0 { _ = chmod(folder, 0o700) }
    }
}
