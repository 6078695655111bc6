import Foundation

/// Content that the user's code brings, checked against the length that it has told.
struct StreamBody: ExchangeBody {
    let source: StreamSource

    var length: Int64 { source.length }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = min(Int64(buffer.count), source.length - offset)
        guard count > 0 else { return 0 }
        let bytes: Data
        do {
            bytes = try source.read(offset, Int(count))
        } catch {
            throw NetworkError(unavailable: error).thrown(byHookNamed: "RequestBody.stream")
        }
        // Less than the length would be waited for, more would be taken for the next request.
        guard !bytes.isEmpty, bytes.count <= count else { throw POSIXError(.EIO) }
        return bytes.copyBytes(to: buffer)
    }
}
