import Foundation

/// Writes content into a stream from whose other end a session reads.
enum BodyStream {
    private static let portion = 64 * 1024

    /// Writes a whole body and closes the stream. Blocks while the stream is full.
    ///
    /// - Throws: the error of a failed read. If the reader closes its end, this just returns, because the session knows
    ///   why.
    static func write(_ body: any ExchangeBody, to stream: OutputStream) throws {
        stream.open()
        defer { stream.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: portion, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < body.length {
            let count = try body.read(into: buffer, at: offset)
            guard count > 0 else { throw URLError(.requestBodyStreamExhausted) }
            var bytes = buffer[..<count]
            while !bytes.isEmpty {
                let written = UnsafeRawBufferPointer(rebasing: bytes).withMemoryRebound(to: UInt8.self) {
                    $0.baseAddress.map { stream.write($0, maxLength: bytes.count) } ?? 0
                }
                guard written > 0 else { return }
                bytes = bytes.dropFirst(written)
            }
            offset += Int64(count)
        }
    }

    #if canImport(Darwin)
        /// Creates a stream that a separate thread fills.
        ///
        /// - Parameter fail: called on that thread if the content cannot be read.
        static func make(of body: any ExchangeBody, fail: @escaping @Sendable (any Error) -> Void) -> InputStream? {
            var input: InputStream?
            var output: OutputStream?
            Stream.getBoundStreams(withBufferSize: 4 * portion, inputStream: &input, outputStream: &output)
            nonisolated(unsafe) let stream = output  // only that thread uses it from here on
            Thread.detachNewThread {
                guard let stream else { return }
                do { try write(body, to: stream) } catch { fail(error) }
            }
            return input
        }
    #else
        /// Returns `nil`: sessions on Linux get no streams.
        static func make(of body: any ExchangeBody, fail: @escaping @Sendable (any Error) -> Void) -> InputStream? {
            nil
        }
    #endif
}
