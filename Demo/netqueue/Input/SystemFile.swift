import Foundation

/// Files, with the system's own words for what goes wrong.
enum SystemFile {
    /// Reads a whole file.
    static func read(_ path: String) throws(POSIXError) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
        do { return try handle.readToEnd() ?? Data() } catch { throw POSIXError(.EIO) }
    }

    /// Why a file cannot be read; `nil` where it can.
    static func obstacle(to path: String) -> POSIXError? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .last }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .last }
        return status.st_mode & S_IFMT == S_IFDIR ? POSIXError(.EISDIR) : nil
    }

    /// Writes a whole file, in the place of what is there; a new one gets `mode`.
    static func write(_ text: String, to path: String, mode: mode_t) throws(POSIXError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .last }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do { try handle.write(contentsOf: Data(text.utf8)) } catch { throw POSIXError(.EIO) }
    }

    /// Whether there is anything at a path.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether there is a folder at a path.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The size of a file; `nil` where there is none.
    static func size(_ path: String) -> Int64? {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }
}

extension POSIXError {
    /// What the last call to the system has failed with.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// `No such file or directory`
    var reason: String { String(cString: strerror(code.rawValue)) }
}
