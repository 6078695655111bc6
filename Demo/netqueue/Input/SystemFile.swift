import Foundation
import NetworkQueueKit

/// File operations whose errors carry the system's reason.
enum SystemFile {
    /// Reads a whole file.
    static func read(_ path: String) throws(POSIXError) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// Reads an open file to its end.
    static func read(_ descriptor: Int32) throws(POSIXError) -> Data {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                content += buffer[..<count]
            } else if count == 0 {
                return content
            } else if errno != EINTR {
                throw .last
            }
        }
    }

    /// The reason why a file cannot be read; `nil` if it can.
    static func obstacle(to path: String) -> POSIXError? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .last }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .last }
        return status.st_mode & S_IFMT == S_IFDIR ? POSIXError(.EISDIR) : nil
    }

    /// Writes a whole file. A new file gets `mode`; an existing file keeps its content if writing fails.
    static func write(_ content: [UInt8], to path: String, mode: mode_t) throws(POSIXError) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        // Only a regular file can be replaced by another, and only in a folder that may be written to.
        if !isThere || status.st_mode & S_IFMT == S_IFREG {
            // Behind a symbolic link, its target is replaced.
            let target = isThere ? realpath(path) ?? path : path
            let new = target + ".new"
            let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 {
                do throws(POSIXError) {
                    if isThere { fchmod(descriptor, status.st_mode & 0o7777) }
                    try write(content, to: descriptor)
                    guard rename(new, target) == 0 else { throw .last }
                } catch {
                    unlink(new)
                    throw error
                }
                return
            }
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .last }
        try write(content, to: descriptor)
    }

    /// Writes to a descriptor and closes it.
    private static func write(_ content: [UInt8], to descriptor: Int32) throws(POSIXError) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let error = POSIXError.last
                close(descriptor)
                throw error
            }
        }
        // A file system that writes late reports errors here.
        guard close(descriptor) == 0 || errno == EINTR else { throw .last }
    }

    /// The path without symbolic links.
    private static func realpath(_ path: String) -> String? {
        guard let resolved = Foundation.realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The reason why a file cannot be written, determined without touching it; `nil` if no obstacle is known.
    static func obstacle(toWriting path: String) -> POSIXError? {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return POSIXError(.EISDIR) }
            return access(path, W_OK) == 0 ? nil : .last
        }
        guard errno == ENOENT else { return .last }
        let folder = URL(filePath: path, directoryHint: .notDirectory).deletingLastPathComponent()
        return access(folder.path(percentEncoded: false), W_OK | X_OK) == 0 ? nil : .last
    }

    /// A name in a folder, and whether it is UTF-8. If it is not, the text is percent-encoded for display.
    typealias Name = (text: String, isText: Bool)

    /// The sorted names in a folder. Foundation would replace names that are not UTF-8.
    static func names(in folder: String) throws(POSIXError) -> [Name] {
        guard let stream = opendir(folder) else { throw .last }
        defer { closedir(stream) }
        var names: [Name] = []
        while let entry = readdir(stream) {
            let (text, isText) = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let bytes = bytes.prefix { $0 != 0 }
                return (String(bytes: bytes), String(validating: bytes, as: UTF8.self) != nil)
            }
            if text != ".", text != ".." { names.append((text, isText)) }
        }
        return names.sorted { ByteText($0.text) < ByteText($1.text) }
    }

    /// Whether anything exists at a path.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path is a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether a path leads to something other than a file or folder, such as a device or pipe.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// The size of the file at a path, following symbolic links; `nil` if there is none.
    static func size(following path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    /// The size of a file; `nil` if there is none.
    static func size(_ path: String) -> Int64? { status(path).map { Int64($0.st_size) } }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }
}

extension POSIXError {
    /// The error of the last system call.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// The system's description, such as `No such file or directory`.
    var reason: String { String(cString: strerror(code.rawValue)) }
}
