import Foundation

/// Content copied into a temporary file, which goes away with its owner.
///
/// A session sends a known length from memory or from a file, and nothing else. The file is a copy even where the
/// content is one file's: what a session makes of one that changes meanwhile is not ours to say.
final class SpooledBody: Sendable {
    let url: URL

    /// Copies a body, as long as it is wanted.
    ///
    /// - Throws: what reading or writing throws, and `URLError.cancelled` when it is not wanted any more.
    init(_ body: any ExchangeBody, isWanted: () -> Bool) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "NetworkQueueKit-\(UUID().uuidString).body")
        let path = url.path(percentEncoded: false)
        // Readable by the owner only: it may be a private file's content.
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
            // A class whose initializer throws has no deinit.
            unlink(path)
            throw error
        }
    }

    deinit { unlink(url.path(percentEncoded: false)) }

    private static func error() -> any Error {
        POSIXFile.isShortage(errno) ? URLError.noDescriptor : POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
