import Foundation

/// How a download comes by a part that it can trust.
///
/// A lock of the system (``PartLock``) on the part keeps off every other download of the same destination. Where the
/// file system has none, a part is claimed by renaming it to a name of the run's own, which only one run can do. A run
/// that claims one dates it as new, and one that leaves a part dates it as old and gives it the usual name back. A part
/// that is young has a run that writes to it. Not covered: a run that is stopped for longer than ``PartLock/idleTime``
/// loses its part and fails, and what it is writing in the very moment in which another claims the part stays in that;
/// a part that a killed run had claimed is removed, and not continued.
///
/// In a folder that others write to, such as `/tmp`, there may be anything under the names of a part and its sidecar:
/// another user's file, whose content would be trusted and which would stay that user's when it is finished; a FIFO,
/// which blocks the thread that opens it; a link to a file that must not be written to. Only regular files of our own
/// count.
///
/// A download that does not get the usual part works on a file of a unique name. It can be resumed later only where
/// there are no locks and the usual name is free in the end.
extension PartFile {
    /// How often a part is looked for that another download has just moved to its place, or removed.
    private static let maximumTries = 8

    /// The part that an earlier attempt has left; `nil` when there is no such part, or another download has it.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`; nothing else.
    static func existing(_ names: PartNames, lock: PartLock = .system) throws(NetworkError) -> PartFile? {
        // Without a sidecar it cannot be continued, and without content there is nothing to continue, whatever the
        // request comes to.
        let isEmpty = POSIXFile.status(names.part)?.st_size == 0
        guard isEmpty || POSIXFile.status(names.info) != nil,
            let part = try locked(names, creates: false, lock)
        else { return nil }
        guard part.length == 0 else { return part }
        part.remove()
        return nil
    }

    /// A part to begin with, and its folder: the usual one, or else one with a unique name. What is in it means
    /// nothing.
    static func make(_ names: PartNames, lock: PartLock = .system) throws(NetworkError) -> PartFile {
        do {
            return try opened(names, lock)
        } catch {
            guard (error.underlying as? POSIXError)?.code == .ENOENT else { throw error }
        }
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: names.folder, directoryHint: .isDirectory), withIntermediateDirectories: true)
        } catch {
            throw .cannotCreate(names.folder, error)
        }
        return try opened(names, lock)
    }

    /// Throws only what the folder refuses to a new file of any name: what is under the usual names does not make it
    /// fail.
    private static func opened(_ names: PartNames, _ lock: PartLock) throws(NetworkError) -> PartFile {
        if let part = created(names, lock) { return part }
        if let part = try locked(names, creates: true, lock) { return part }
        while true {
            let path = names.makeUniquePart()
            let descriptor = POSIXFile.create(path, mode: 0o666)
            guard descriptor >= 0 else { throw .fileSystem(errno, path: names.destination) }
            guard let status = POSIXFile.status(descriptor) else {
                let code = errno
                _ = Foundation.close(descriptor)
                throw .fileSystem(code, path: names.destination)
            }
            // The lock says that it is in use: `AbandonedParts` removes those that are not, and may have been quicker.
            let state = lock.take(descriptor)
            if state != .busy, POSIXFile.status(path) != nil {
                let claim = state == .missing ? Claim.name : .rename
                return PartFile(descriptor, status, path: path, names: names, claim: claim, isNew: true)
            }
            _ = Foundation.close(descriptor)
        }
    }

    /// The usual part where there is nothing under its name, which is what most downloads meet: in as few calls as that
    /// takes.
    ///
    /// `nil` means that there is something, or that the place is not fit for it: `locked` finds out.
    private static func created(_ names: PartNames, _ lock: PartLock) -> PartFile? {
        let descriptor = POSIXFile.create(names.part, mode: 0o666)
        guard descriptor >= 0 else { return nil }
        let state = lock.take(descriptor)
        if state != .busy, let status = POSIXFile.status(descriptor) {
            if POSIXFile.status(names.info) == nil, case .part = judge(status, names) {
                let claim = state == .missing ? Claim.name : .lock
                return PartFile(descriptor, status, path: names.part, names: names, claim: claim, isNew: true)
            }
            if status.identity == POSIXFile.status(names.part)?.identity { unlink(names.part) }
        }
        _ = Foundation.close(descriptor)
        return nil
    }

    /// `nil` when another download has the part, or what is there is not ours or cannot be a part.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`; nothing else.
    private static func locked(
        _ names: PartNames, creates: Bool, _ lock: PartLock
    ) throws(NetworkError) -> PartFile? {
        // A sidecar of another user would be believed, and may be one that cannot be replaced.
        if let info = POSIXFile.status(names.info), !info.isOwnFile { return nil }
        for _ in 0..<maximumTries {
            guard let (descriptor, isNew) = try open(names, creates: creates) else { return nil }
            let state = lock.take(descriptor)
            let isClaimed = state == .missing && !isNew
            guard state != .busy, let opened = POSIXFile.status(descriptor), !isClaimed || PartLock.isIdle(opened)
            else {
                _ = Foundation.close(descriptor)
                return nil
            }
            switch judge(opened, names) {
            case .part:
                guard isClaimed else {
                    let claim = state == .missing ? Claim.name : .lock
                    return PartFile(descriptor, opened, path: names.part, names: names, claim: claim, isNew: false)
                }
                if let path = claim(descriptor, opened, names, needsSidecar: !creates) {
                    return PartFile(descriptor, opened, path: path, names: names, claim: .name, isNew: false)
                }
                _ = Foundation.close(descriptor)
                return nil
            case .gone: _ = Foundation.close(descriptor)
            case .unusable:
                _ = Foundation.close(descriptor)
                return nil
            }
        }
        return nil
    }

    /// Opens what is under the part's name if it is ours; where there is nothing, creates it if wanted.
    private static func open(
        _ names: PartNames, creates: Bool
    ) throws(NetworkError) -> (descriptor: Int32, isNew: Bool)? {
        for _ in 0..<maximumTries {
            let descriptor: Int32
            let found = POSIXFile.status(names.part)
            if let found {
                // Looked at before it is opened, which alone can have effects on a device.
                guard found.isOwnFile else { return nil }
                descriptor = POSIXFile.open(names.part, O_RDWR | O_NOFOLLOW)
            } else {
                guard creates else { return nil }
                descriptor = createOwn(names.part)
            }
            if descriptor >= 0 { return (descriptor, isNew: found == nil) }
            if POSIXFile.isShortage(errno) { throw .fileSystem(errno, path: names.destination) }
            // Another download has been quicker to create it, or to move it to its place.
            guard errno == EEXIST || errno == ENOENT && POSIXFile.status(names.folder) != nil else { return nil }
        }
        return nil
    }

    /// Creates a file that a later run will take for its own. There are servers of NFS that give files of root to
    /// another user.
    private static func createOwn(_ path: String) -> Int32 {
        let descriptor = POSIXFile.create(path, mode: 0o666)
        guard descriptor >= 0, POSIXFile.status(descriptor)?.isOwnFile == false else { return descriptor }
        unlink(path)
        _ = Foundation.close(descriptor)
        errno = EPERM
        return -1
    }

    /// Renames a part without a lock, and its sidecar, to names of this run's own; returns the part's path, or `nil`
    /// where another run has been quicker.
    private static func claim(
        _ descriptor: Int32, _ opened: stat, _ names: PartNames, needsSidecar: Bool
    ) -> String? {
        let own = names.makeUniquePart()
        // The sidecar first: when the part has lost its name, another run may put both anew.
        let hasSidecar = rename(names.info, PartNames.info(of: own)) == 0
        guard hasSidecar || !needsSidecar else { return nil }
        if rename(names.part, own) == 0 {
            if POSIXFile.status(own)?.identity == opened.identity,
                let now = POSIXFile.status(descriptor), PartLock.isIdle(now)
            {
                POSIXFile.setModificationDate(Date(), of: descriptor)
                return own
            }
            if giveBack(own, names) { return nil }
        }
        unlink(PartNames.info(of: own))
        return nil
    }

    /// Gives a part and its sidecar the usual names back; returns `false` where they are taken.
    static func giveBack(_ own: String, _ names: PartNames) -> Bool {
        guard FileMove().moveWithoutReplacing(own, to: names.part) == 0 else { return false }
        rename(PartNames.info(of: own), names.info)
        return true
    }

    private enum Finding {
        case part
        /// It has lost the part's name, and something else may have got it.
        case gone
        case unusable
    }

    /// What to make of a file that has been opened under the part's name and locked.
    private static func judge(_ opened: stat, _ names: PartNames) -> Finding {
        // The download that had the lock before may have moved the file to its place, or removed it.
        guard let named = POSIXFile.status(names.part), named.identity == opened.identity else { return .gone }
        // It may be another file than the one that has been looked at.
        guard opened.isOwnFile else { return .unusable }
        // A file that has another name, too, is not a part: its process ended before it could take the part's name from
        // a whole file, or a link to it has been made. Writing to it would change that file. There are file systems
        // that do not count.
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
