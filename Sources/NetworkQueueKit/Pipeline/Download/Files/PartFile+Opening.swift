import Foundation

/// How a download comes by a part that it can trust.
///
/// A lock of the system (`flock`) on the part keeps off every other download of the same destination, in this process or
/// another; it ends with the process, however that ends.
///
/// In a folder that others write to, such as `/tmp`, there may be anything under the names of a part and its sidecar: another
/// user's file, whose content would be trusted and which would stay that user's when it is finished; a FIFO, which blocks the thread that opens it; a
/// link to a file that must not be written to. Only regular files of our own count.
///
/// A download that does not get the usual part works on a file of a unique name, which cannot be resumed later.
extension PartFile {
    /// How often a part is looked for that another download has just moved to its place, or removed.
    private static let maximumTries = 8

    /// The part that an earlier attempt has left; `nil` when there is no such part, or another download has it.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`; nothing else.
    static func existing(_ names: PartNames) throws(NetworkError) -> PartFile? {
        // Without a sidecar it cannot be continued.
        POSIXFile.status(names.info) == nil ? nil : try locked(names, creates: false)
    }

    /// A part to begin with, and its folder: the usual one, or else one with a unique name. What is in it means nothing.
    static func make(_ names: PartNames) throws(NetworkError) -> PartFile {
        do {
            return try opened(names)
        } catch {
            guard (error.underlying as? POSIXError)?.code == .ENOENT else { throw error }
        }
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: names.folder, directoryHint: .isDirectory), withIntermediateDirectories: true)
        } catch {
            throw .cannotCreate(names.folder, error)
        }
        return try opened(names)
    }

    /// Throws only what the folder refuses to a new file of any name: what is under the usual names does not make it fail.
    private static func opened(_ names: PartNames) throws(NetworkError) -> PartFile {
        if let part = created(names) { return part }
        if let part = try locked(names, creates: true) { return part }
        let path = names.makeUniquePart()
        let descriptor = POSIXFile.create(path, mode: 0o666)
        guard descriptor >= 0 else { throw .fileSystem(errno, path: names.destination) }
        guard let status = POSIXFile.status(descriptor) else {
            let code = errno
            _ = Foundation.close(descriptor)
            throw .fileSystem(code, path: names.destination)
        }
        return PartFile(descriptor, status, path: path, names: names, isFindable: false, isNew: true)
    }

    /// The usual part where there is nothing under its name, which is what most downloads meet: in as few calls as that takes.
    ///
    /// `nil` means that there is something, or that the place is not fit for it: `locked` finds out.
    private static func created(_ names: PartNames) -> PartFile? {
        let descriptor = POSIXFile.create(names.part, mode: 0o666)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, let status = POSIXFile.status(descriptor) {
            if POSIXFile.status(names.info) == nil, case .part = judge(status, names) {
                return PartFile(descriptor, status, path: names.part, names: names, isFindable: true, isNew: true)
            }
            if status.identity == POSIXFile.status(names.part)?.identity { unlink(names.part) }
        }
        _ = Foundation.close(descriptor)
        return nil
    }

    /// `nil` when another download has the lock, the file system has none, or what is there is not ours or cannot be a part.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`; nothing else.
    private static func locked(_ names: PartNames, creates: Bool) throws(NetworkError) -> PartFile? {
        // A sidecar of another user would be believed, and may be one that cannot be replaced.
        if let info = POSIXFile.status(names.info), !info.isOwnFile { return nil }
        for _ in 0..<maximumTries {
            guard let descriptor = try open(names, creates: creates) else { return nil }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let opened = POSIXFile.status(descriptor) else {
                _ = Foundation.close(descriptor)
                return nil
            }
            switch judge(opened, names) {
            case .part:
                return PartFile(
                    descriptor, opened, path: names.part, names: names, isFindable: true, isNew: false)
            case .gone: _ = Foundation.close(descriptor)
            case .unusable:
                _ = Foundation.close(descriptor)
                return nil
            }
        }
        return nil
    }

    /// Opens what is under the part's name if it is ours; where there is nothing, creates it if wanted.
    private static func open(_ names: PartNames, creates: Bool) throws(NetworkError) -> Int32? {
        for _ in 0..<maximumTries {
            let descriptor: Int32
            if let found = POSIXFile.status(names.part) {
                // Looked at before it is opened, which alone can have effects on a device.
                guard found.isOwnFile else { return nil }
                descriptor = POSIXFile.open(names.part, O_RDWR | O_NOFOLLOW)
            } else {
                guard creates else { return nil }
                descriptor = createOwn(names.part)
            }
            if descriptor >= 0 { return descriptor }
            if POSIXFile.isShortage(errno) { throw .fileSystem(errno, path: names.destination) }
            // Another download has been quicker to create it, or to move it to its place.
            guard errno == EEXIST || errno == ENOENT && POSIXFile.status(names.folder) != nil else { return nil }
        }
        return nil
    }

    /// Creates a file that a later run will take for its own. There are servers of NFS that give files of root to another user.
    private static func createOwn(_ path: String) -> Int32 {
        let descriptor = POSIXFile.create(path, mode: 0o666)
        guard descriptor >= 0, POSIXFile.status(descriptor)?.isOwnFile == false else { return descriptor }
        unlink(path)
        _ = Foundation.close(descriptor)
        errno = EPERM
        return -1
    }

    private enum Verdict {
        case part
        /// It has lost the part's name, and something else may have got it.
        case gone
        case unusable
    }

    /// What to make of a file that has been opened under the part's name and locked.
    private static func judge(_ opened: stat, _ names: PartNames) -> Verdict {
        // The download that had the lock before may have moved the file to its place, or removed it.
        guard let named = POSIXFile.status(names.part), named.identity == opened.identity else { return .gone }
        // It may be another file than the one that has been looked at.
        guard opened.isOwnFile else { return .unusable }
        // A file that has another name, too, is not a part: its process ended before it could take the part's name from a whole
        // file, or a link to it has been made. Writing to it would change that file. There are file systems that do not count.
        guard named.st_nlink > 1 else { return .part }
        return remove(names) ? .gone : .unusable
    }

    /// Takes away what stands under the part's name, and the sidecar before; returns whether that could be done.
    private static func remove(_ names: PartNames) -> Bool {
        if unlink(names.info) == 0 { POSIXFile.synchronize(folder: names.folder) }
        unlink(names.draft)
        return unlink(names.part) == 0
    }
}

extension NetworkError {
    /// The error for a folder that cannot be created, with the system's own reason where Foundation tells it.
    fileprivate static func cannotCreate(_ folder: String, _ error: any Error) -> NetworkError {
        let beneath = (error as? CocoaError)?.errorUserInfo[NSUnderlyingErrorKey] as? any Error
        if let reason = (error as? POSIXError ?? beneath as? POSIXError)?.code {
            return .fileSystem(reason.rawValue, path: folder)
        }
        var fault = NetworkError(.fileSystem, underlying: error)
        fault.file = FileFault(path: folder)
        return fault
    }
}
