import Foundation

/// Content copied into a temporary file, which is deleted with this object.
///
/// A session sends a known length only from memory or from a file. Even the content of a single file is copied, because
/// the session's behavior is undefined if that file changes.
final class SpooledBody: Sendable {
    let url: URL

    /// Copies a body, as long as it is wanted.
    ///
    /// - Throws: the error of a failed read or write, and `URLError.cancelled` if the copy is no longer wanted.
    init(_ body: any ExchangeBody, isWanted: () -> Bool) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "NetworkQueueKit-\(UUID().uuidString).body")
        let path = url.path(percentEncoded: false)
        // Readable only by its owner, because it may hold the content of a private file.
        let descriptor = POSIXFile.create(path, mode: 0o600)
        guard descriptor >= 0 else { throw Self.error() }
        defer { _ = close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        do {
            while offset < body.length {
                guard isWanted() else { throw URLError(.cancelled) }
                let count = try body.read(into: buffer, at: offset)
                guard count > 0 else { throw URLError(.requestBodyStreamExhausted) }
                guard POSIXFile.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor) else {
                    throw Self.error()
                }
                offset += Int64(count)
            }
        } catch {
            // `deinit` does not run if the initializer throws.
            unlink(path)
            throw error
        }
    }

    deinit { unlink(url.path(percentEncoded: false)) }

    private static func error() -> any Error {
        POSIXFile.isShortage(errno) ? URLError.noDescriptor : POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
