import Foundation
import NetworkQueueKit

/// File operations by path, whose errors carry the system's reason. Those that read and write open a file as a shell
/// does: it may be a pipe that another process feeds later.
extension POSIXFile {
    /// Reads a whole text file. The error begins with `use`: the option that names the file, or what the file is.
    static func readText(_ path: String, for use: String, isInput: Bool = false) throws(UsageError) -> Data {
        let content: Data
        do {
            content = try isInput ? read(STDIN_FILENO) : read(path)
        } catch {
            throw UsageError("\(use) “\(path)” cannot be read: \(error.reason)")
        }
        if content.isUTF16 { throw UsageError("\(use) “\(path)” \(UsageError.isUTF16)") }
        return content
    }

    /// Reads a whole file.
    static func read(_ path: String) throws(POSIXError) -> Data {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// Reads an open file to its end.
    static func read(_ descriptor: Int32) throws(POSIXError) -> Data {
        guard let status = status(descriptor) else { throw .last }
        guard status.kind != S_IFDIR else { throw POSIXError(.EISDIR) }
        var content = Data()
        try forEachPiece(of: descriptor) { content += $0 }
        return content
    }

    /// Reads an open file to its end, piece by piece.
    static func forEachPiece(
        of descriptor: Int32, _ body: (ArraySlice<UInt8>) throws(POSIXError) -> Void
    ) throws(POSIXError) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return }
            if count > 0 { try body(buffer[..<count]) } else if errno != EINTR { throw .last }
        }
    }

    /// The reason why a file cannot be read; `nil` if it can.
    static func obstacle(to path: String) -> POSIXError? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return .last }
        defer { close(descriptor) }
        guard let status = status(descriptor) else { return .last }
        return status.kind == S_IFDIR ? POSIXError(.EISDIR) : nil
    }

    /// Writes a whole file. A new file gets `mode`; an existing file keeps its content if writing fails.
    static func write(_ content: [UInt8], to path: String, mode: mode_t) throws(POSIXError) {
        let former = target(of: path)
        // Only a regular file can be replaced by another, and only in a folder that may be written to.
        if former == nil || former?.kind == S_IFREG {
            // Behind a symbolic link, its target is replaced.
            let target = former == nil ? path : resolved(path)
            let new = target + ".new"
            let descriptor = Foundation.open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 {
                if let former { fchmod(descriptor, former.st_mode & 0o7777) }
                return try replace(target, by: new, descriptor, with: content)
            }
        }
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .last }
        try write(content, toAndClose: descriptor)
    }

    /// Writes to a new file, which takes the place of another one when it is complete.
    ///
    /// - Parameter descriptor: That of the new file, which is closed.
    static func replace(
        _ path: String, by new: String, _ descriptor: Int32, with content: [UInt8]
    ) throws(POSIXError) {
        do throws(POSIXError) {
            try write(content, toAndClose: descriptor)
            guard rename(new, path) == 0 else { throw .last }
        } catch {
            unlink(new)
            throw error
        }
    }

    private static func write(_ content: [UInt8], toAndClose descriptor: Int32) throws(POSIXError) {
        guard content.withUnsafeBytes({ write($0, to: descriptor) }) else {
            let error = POSIXError.last
            close(descriptor)
            throw error
        }
        // A file system that writes late reports errors here.
        guard close(descriptor) == 0 || errno == EINTR else { throw .last }
    }

    /// The path without symbolic links.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The reason why a file cannot be written, determined without touching it; `nil` if no obstacle is known.
    static func obstacle(toWriting path: String) -> POSIXError? {
        if let status = target(of: path) {
            if status.kind == S_IFDIR { return POSIXError(.EISDIR) }
            return access(path, W_OK) == 0 ? nil : .last
        }
        return errno == ENOENT ? obstacle(toCreating: path) : .last
    }

    /// The reason why no file can be created in the folder of a path; `nil` if no obstacle is known.
    static func obstacle(toCreating path: String) -> POSIXError? {
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

    /// The status of what a path leads to.
    private static func target(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Whether anything exists at a path.
    static func exists(_ path: String) -> Bool { status(path) != nil }

    /// Whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool { target(of: path)?.kind == S_IFDIR }

    /// Whether a path is a symbolic link.
    static func isLink(_ path: String) -> Bool { status(path)?.kind == S_IFLNK }

    /// Whether a path leads to something other than a file or folder, such as a device or pipe.
    static func isSpecial(_ path: String) -> Bool {
        target(of: path).map { ![S_IFREG, S_IFDIR].contains($0.kind) } ?? false
    }

    /// The size of the file at a path, following symbolic links; `nil` if there is none.
    static func size(following path: String) -> Int64? { target(of: path)?.fileSize }

    /// The size of a file; `nil` if there is none.
    static func size(_ path: String) -> Int64? { status(path)?.fileSize }
}

extension stat {
    fileprivate var fileSize: Int64? { kind == S_IFREG ? Int64(st_size) : nil }
}

extension POSIXError {
    /// The error of the last system call.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// The system's description, such as `No such file or directory`.
    var reason: String { String(cString: strerror(code.rawValue)) }
}
