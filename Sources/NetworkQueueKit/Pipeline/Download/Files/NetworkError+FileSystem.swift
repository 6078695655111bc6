import Foundation

extension NetworkError {
    /// The error for what a system call on a file left in `errno`: `.resourceShortage` if no descriptor was free.
    ///
    /// - Parameters:
    ///   - path: what the user knows the file by, which is the destination and not the part.
    ///   - advice: what the user can do, as a sentence; `nil` means what usually helps.
    static func fileSystem(_ code: Int32, path: String, advice: String? = nil) -> NetworkError {
        let reason = POSIXErrorCode(rawValue: code) ?? .EIO
        var error = NetworkError(
            POSIXFile.isShortage(code) ? .resourceShortage : .fileSystem, underlying: POSIXError(reason))
        error.file = FileFault(path: path, advice: advice ?? reason.advice)
        return error
    }

    /// The error for a destination that is there and stays, as the policy is `.fail`.
    static func exists(_ path: String) -> NetworkError {
        .fileSystem(EEXIST, path: path, advice: "Remove it, or let onConflict be .overwrite or .rename.")
    }

    /// The error for a destination that is there, is not what the server has, and stays.
    static func isStale(_ path: String) -> NetworkError {
        .fileSystem(
            EEXIST, path: path,
            advice:
                "It is not what the server has. Remove it, or let onConflict be .keepIfCurrent(otherwise: .overwrite) or (otherwise: "
                + ".rename).")
    }
}

extension POSIXErrorCode {
    /// What usually helps where a file cannot be written.
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
