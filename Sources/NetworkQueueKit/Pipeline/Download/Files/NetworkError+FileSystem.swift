import Foundation

extension NetworkError {
    /// The error for an `errno` code of a file operation: `.resourceShortage` if no descriptor was free, otherwise
    /// `.fileSystem`.
    ///
    /// - Parameters:
    ///   - path: the path that the user knows: the destination, not the part.
    ///   - advice: a sentence that says what the user can do; `nil` for the usual advice.
    static func fileSystem(_ code: Int32, path: String, advice: String? = nil) -> NetworkError {
        let reason = POSIXErrorCode(rawValue: code) ?? .EIO
        var error = NetworkError(
            POSIXFile.isShortage(code) ? .resourceShortage : .fileSystem, underlying: POSIXError(reason))
        error.file = FileFault(path: path, advice: advice ?? reason.advice)
        return error
    }

    /// The error for a destination that exists and stays, because the policy is `.fail`.
    static func exists(_ path: String) -> NetworkError {
        .fileSystem(EEXIST, path: path, advice: "Remove it, or let onConflict be .overwrite or .rename.")
    }

    /// The error for a destination that exists, differs from the server's copy, and stays.
    static func isStale(_ path: String) -> NetworkError {
        .fileSystem(
            EEXIST, path: path,
            advice:
                "It is not what the server has. Remove it, or let onConflict be .keepIfCurrent(otherwise: .overwrite) or (otherwise: "
                + ".rename).")
    }
}

extension POSIXErrorCode {
    /// The usual advice if a file cannot be written.
    fileprivate var advice: String? {
        switch self {
        case .EACCES, .EPERM: "Allow this user to write to the folder, or choose another destination."
        case .EROFS: "Choose a destination where files can be written."
        case .ENOSPC, .EDQUOT: "Make room on the disk, or choose another destination."
        case .EFBIG: "Choose a destination where files may be as large."
        case .ENOENT: "Choose a destination in a folder that is there, or can be created."
        case .ENOTDIR: "A part of the path is not a folder; choose another destination."
        case .EISDIR: "Give the path of a file, not of a folder."
        case .EEXIST: "It is neither a file nor a symbolic link, so it is not replaced; choose another destination."
        case .EMFILE, .ENFILE: "Close some files, or raise the limit for open ones."
        case .ENAMETOOLONG: "The file system takes no names as long; choose a shorter one."
        default: nil
        }
    }
}
