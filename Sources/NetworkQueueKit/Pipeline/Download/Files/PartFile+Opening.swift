import Foundation

/// Opens a part that the download can trust.
///
/// A system lock (``PartLock``) on the part excludes every other download to the same destination. If the file system
/// has no locks, a run claims a part by renaming it to a unique name, which only one run can do. The run sets the
/// part's modification date to the present. When it leaves the part, it sets the date to the past and restores the
/// usual name. A recently modified part is therefore in use. Claims do not cover two cases. A run that is stopped for
/// longer than ``PartLock/idleTime`` loses its part and fails, but a write in progress while another run claims the
/// part still reaches it. A part that a killed run had claimed is removed and not continued.
///
/// In a folder that others can write to, such as `/tmp`, the names of a part and its sidecar may belong to anything:
/// another user's file, whose content would be trusted and which would still belong to that user when finished; a FIFO,
/// which blocks the thread that opens it; or a link to a file that must not be changed. Only regular files of our own
/// count.
///
/// A download that does not get the usual part works on a file with a unique name. It can be resumed later only if the
/// file system has no locks and the usual name is free in the end.
extension PartFile {
    /// How many times to retry after another download has just moved or removed the part.
    private static let maximumTries = 8

    /// The part that an earlier attempt left; `nil` if there is none or another download has it.
    ///
    /// - Throws: `.resourceShortage`; nothing else.
    static func existing(_ names: PartNames, lock: PartLock = .system) throws(NetworkError) -> PartFile? {
        // A part without a sidecar cannot be continued. An empty part has nothing to continue and is removed, whatever
        // becomes of the request.
        let isEmpty = POSIXFile.status(names.part)?.st_size == 0
        guard isEmpty || POSIXFile.status(names.info) != nil,
            let part = try locked(names, creates: false, lock)
        else { return nil }
        guard part.length == 0 else { return part }
        part.remove()
        return nil
    }

    /// Opens a part to start over with, and creates its folder: the usual part, or one with a unique name. Its content
    /// is irrelevant.
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

    /// Opens a part in an existing folder. Fails only if the folder refuses a new file of any name, whatever is under
    /// the usual names.
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
            // The lock marks the file as in use. `AbandonedParts` removes files without one, and may have been faster.
            let state = lock.take(descriptor)
            if state != .busy, POSIXFile.status(path) != nil {
                let claim = state == .missing ? Claim.name : .rename
                return PartFile(descriptor, status, path: path, names: names, claim: claim, isNew: true)
            }
            _ = Foundation.close(descriptor)
        }
    }

    /// Creates the usual part if its name is free, the common case, with as few system calls as possible.
    ///
    /// Returns `nil` if the name is taken or the place is unsuitable; `locked` finds out which.
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

    /// Opens and claims the usual part. Returns `nil` if another download has it, if it is not ours, or if it cannot be
    /// a part.
    ///
    /// - Throws: `.resourceShortage`; nothing else.
    private static func locked(
        _ names: PartNames, creates: Bool, _ lock: PartLock
    ) throws(NetworkError) -> PartFile? {
        // Another user's sidecar would be trusted, and perhaps could not be replaced.
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

    /// Opens the file under the part's name if it is ours; creates it if it is missing and `creates` is set.
    private static func open(
        _ names: PartNames, creates: Bool
    ) throws(NetworkError) -> (descriptor: Int32, isNew: Bool)? {
        for _ in 0..<maximumTries {
            let descriptor: Int32
            let found = POSIXFile.status(names.part)
            if let found {
                // Check before opening, because opening a device can have side effects.
                guard found.isOwnFile else { return nil }
                descriptor = POSIXFile.open(names.part, O_RDWR | O_NOFOLLOW)
            } else {
                guard creates else { return nil }
                descriptor = createOwn(names.part)
            }
            if descriptor >= 0 { return (descriptor, isNew: found == nil) }
            if POSIXFile.isShortage(errno) { throw .fileSystem(errno, path: names.destination) }
            // Another download may have been faster to create the part or to move it to its destination.
            guard errno == EEXIST || errno == ENOENT && POSIXFile.status(names.folder) != nil else { return nil }
        }
        return nil
    }

    /// Creates a file that later runs will recognize as their own. Some NFS servers assign files of root to another
    /// user.
    private static func createOwn(_ path: String) -> Int32 {
        let descriptor = POSIXFile.create(path, mode: 0o666)
        guard descriptor >= 0, POSIXFile.status(descriptor)?.isOwnFile == false else { return descriptor }
        unlink(path)
        _ = Foundation.close(descriptor)
        errno = EPERM
        return -1
    }

    /// Renames a part without a lock and its sidecar to a unique name. Returns the part's new path, or `nil` if another
    /// run was faster.
    private static func claim(
        _ descriptor: Int32, _ opened: stat, _ names: PartNames, needsSidecar: Bool
    ) -> String? {
        let own = names.makeUniquePart()
        // The sidecar first: once the part has lost its name, another run may create both again.
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

    /// Restores the usual names of a part and its sidecar; returns `false` if they are taken.
    static func giveBack(_ own: String, _ names: PartNames) -> Bool {
        guard FileMove().moveWithoutReplacing(own, to: names.part) == 0 else { return false }
        rename(PartNames.info(of: own), names.info)
        return true
    }

    private enum Finding {
        case part
        /// The file has lost the part's name, which another file may have now.
        case gone
        case unusable
    }

    /// Judges a file that was opened under the part's name and locked.
    private static func judge(_ opened: stat, _ names: PartNames) -> Finding {
        // The download that had the lock before may have moved or removed the file.
        guard let named = POSIXFile.status(names.part), named.identity == opened.identity else { return .gone }
        // This may be another file than the one that was checked before opening.
        guard opened.isOwnFile else { return .unusable }
        // A file with a second name is not a part: a process ended before it removed the part's name from a finished
        // file, or someone linked to the file. Writing to it would change that other file. Some file systems do not
        // count links.
        guard named.st_nlink > 1 else { return .part }
        return remove(names) ? .gone : .unusable
    }

    /// Removes the sidecar and then the file under the part's name; returns whether that succeeded.
    private static func remove(_ names: PartNames) -> Bool {
        if unlink(names.info) == 0 { POSIXFile.synchronize(folder: names.folder) }
        unlink(names.draft)
        return unlink(names.part) == 0
    }
}

extension NetworkError {
    /// The error for a folder that cannot be created, with the system's error code if Foundation provides it.
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
