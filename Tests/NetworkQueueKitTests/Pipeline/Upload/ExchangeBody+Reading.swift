import Foundation
import NetworkQueueKit

extension ExchangeBody {
    /// Everything, read in pieces of at most `chunk` bytes.
    func allBytes(chunk: Int) throws -> Data {
        try bytes(at: 0, chunk: chunk, limit: Int(length))
    }

    /// Up to `limit` bytes from `offset` on, read in pieces of at most `chunk` bytes.
    func bytes(at offset: Int, chunk: Int, limit: Int) throws -> Data {
        var data = Data()
        var piece = [UInt8](repeating: 0, count: chunk)
        while data.count < limit {
            let wanted = min(chunk, limit - data.count)
            let count = try piece.withUnsafeMutableBytes {
                try read(
                    into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]), at: Int64(offset + data.count))
            }
            if count == 0 { break }
            data.append(contentsOf: piece[..<count])
        }
        return data
    }
}
