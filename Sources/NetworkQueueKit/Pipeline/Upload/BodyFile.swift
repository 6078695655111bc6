import Foundation

/// A regular file as it was when it was measured. The file that is sent later must be the same.
package struct BodyFile: Sendable, Equatable {
    let url: URL
    let length: Int64
    private let device: UInt64
    private let inode: UInt64
    private let modificationSeconds: Int
    private let modificationNanoseconds: Int

    /// Names this state of the file among all files of the system.
    var identity: String { "\(device) \(inode) \(length) \(modificationSeconds).\(modificationNanoseconds)" }

    /// Measures the file behind an open descriptor.
    private init(_ url: URL, _ descriptor: Int32) throws {
        guard let status = POSIXFile.status(descriptor) else { throw Self.error(errno, url) }
        switch status.kind {
        case S_IFREG: break
        case S_IFDIR: throw Self.error(EISDIR, url)
        // A pipe or a device has no length and cannot be read twice.
        default: throw Self.error(ESPIPE, url)
        }
        self.url = url
        length = Int64(status.st_size)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        modificationSeconds = status.modificationTime.tv_sec
        modificationNanoseconds = status.modificationTime.tv_nsec
    }

    /// Measures a file, which must be readable.
    ///
    /// - Throws: a ``NetworkError`` with the system's error code, or a `CocoaError` if the URL is not a file URL.
    package init(_ url: URL) throws {
        let descriptor = try Self.openDescriptor(url)
        defer { _ = close(descriptor) }
        try self.init(url, descriptor)
    }

    /// Opens the file for reading.
    ///
    /// - Throws: a ``NetworkError`` with the system's error code, or a `CocoaError` if it is not the file that was
    ///   measured.
    func open() throws -> Int32 {
        let descriptor = try Self.openDescriptor(url)
        do {
            try check(descriptor)
            return descriptor
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    /// Throws if the file was replaced since it was measured, or its size or modification date has changed.
    func check(_ descriptor: Int32) throws {
        guard try BodyFile(url, descriptor) == self else { throw changeError }
    }

    /// The error for a file that has changed.
    var changeError: any Error {
        CocoaError(
            .fileReadUnknown,
            userInfo: [
                NSURLErrorKey: url,
                NSLocalizedDescriptionKey: "“\(url.lastPathComponent)” has changed since the request started.",
            ])
    }

    /// The current length of a file, for an estimate; `nil` if it cannot be determined.
    static func currentLength(of url: URL) -> Int64? {
        var status = stat()
        guard url.isFileURL, stat(url.path(percentEncoded: false), &status) == 0, status.kind == S_IFREG
        else { return nil }
        return Int64(status.st_size)
    }

    /// The error for an `errno` code of a system call on the file.
    static func error(_ code: Int32, _ url: URL) -> NetworkError {
        var error = NetworkError(
            POSIXFile.isShortage(code) ? .resourceShortage : .bodyUnavailable,
            underlying: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
        error.file = FileFault(path: url.path(percentEncoded: false))
        return error
    }

    private static func openDescriptor(_ url: URL) throws -> Int32 {
        // The path of any other URL would be taken for a local one.
        guard url.isFileURL else {
            throw CocoaError(
                .fileReadUnsupportedScheme,
                userInfo: [
                    NSURLErrorKey: url, NSLocalizedDescriptionKey: "“\(url.printable)” is not the path of a file.",
                ])
        }
        let descriptor = POSIXFile.open(url.path(percentEncoded: false), O_RDONLY)
        guard descriptor >= 0 else { throw error(errno, url) }
        return descriptor
    }
}
