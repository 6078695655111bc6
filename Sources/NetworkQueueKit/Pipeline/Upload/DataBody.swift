import Foundation

/// Content in memory.
struct DataBody: ExchangeBody {
    let data: Data

    var length: Int64 { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let start = data.startIndex + Int(clamping: offset)
        guard start < data.endIndex else { return 0 }
        return data[start...].copyBytes(to: buffer)
    }
}
