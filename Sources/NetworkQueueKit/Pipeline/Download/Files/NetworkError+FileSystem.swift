import Foundation

extension NetworkError {
    /// The error for an `errno` code of a file operation: `.resourceShortage` if no descriptor was free, otherwise
    /// `.fileSystem`.
    ///
    /// - Parameters:
    ///   - path: what the user knows the file by, which is the destination and not the part.
    ///   - advice: what an app's user can do, as a sentence; `nil` means what usually helps.
    ///   - developerAdvice: what a developer can do; `nil` means the same.
    static func fileSystem(
        _ code: Int32, path: String, advice: String? = nil, developerAdvice: String? = nil
    ) -> NetworkError {
        let reason = POSIXErrorCode(rawValue: code) ?? .EIO
        var error = NetworkError(
            POSIXFile.isShortage(code) ? .resourceShortage : .fileSystem, underlying: POSIXError(reason))
        error.file = FileFault(path: path, advice: advice ?? reason.advice, developerAdvice: developerAdvice)
        return error
    }

    /// The error for a destination that exists and stays, because the policy is `.fail`.
    static func exists(_ path: String) -> NetworkError {
        .fileSystem(
            EEXIST, path: path, advice: "Move or delete it, or choose another destination.",
            developerAdvice:
                "Delete it, or set onConflict to .keepIfCurrent(otherwise: .overwrite), .overwrite or .rename.")
    }

    /// The error for a destination at which another operation of the same run has stored its file.
    static func isStored(_ path: String) -> NetworkError {
        var error = NetworkError.fileSystem(
            EEXIST, path: path,
            advice: "Another download of the same run has stored its file there. Choose another name for one of them.",
            developerAdvice:
                "Another download of the same run has stored its file there. Use another destination, set onConflict to "
                + ".rename, or wait for the end of the run.")
        error.file?.isStored = true
        return error
    }

    /// The error for a destination that exists, differs from the server's copy, and stays.
    static func isStale(_ path: String) -> NetworkError {
        .fileSystem(
            EEXIST, path: path,
            advice: "It is not what the server has. Move or delete it, or choose another destination.",
            developerAdvice:
                "It is not what the server has. Delete it, or set onConflict to .keepIfCurrent(otherwise: .overwrite) or "
                + ".keepIfCurrent(otherwise: .rename).")
    }
}

extension POSIXErrorCode {
    /// The usual advice if a file cannot be written.
    fileprivate var advice: String? {
        switch self {
        case .EACCES, .EPERM: "Allow this user to write to the folder, or choose another destination."
        case .EROFS: "Choose a destination that can be written to."
        case .ENOSPC, .EDQUOT: "Free up space, or choose another destination."
        case .EFBIG: "Choose a destination that allows files this large."
        case .ENOENT: "Choose a destination in a folder that exists or can be created."
        case .ENOTDIR: "Part of the path is not a folder; choose another destination."
        case .EISDIR: "Give the path of a file, not of a folder."
        case .EEXIST: "It is neither a file nor a symbolic link, so it was not replaced; choose another destination."
        case .EMFILE, .ENFILE: "Close some files, or raise the limit on open files."
        case .ENAMETOOLONG: "The file system does not allow names this long; choose a shorter one."
        default: nil
        }
    }
}
