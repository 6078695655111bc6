import Foundation

/// A body whose bytes can be produced from any offset.
enum BodySource: Sendable {
    case data(Data)
    case generated(GeneratedContent)

    static let empty = BodySource.data(Data())

    var size: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .generated(let content): content.size
        }
    }

    /// Appends a range of the bytes, which must be within the size.
    func append(_ range: Range<Int64>, to buffer: inout [UInt8]) {
        switch self {
        case .data(let data):
            data.withUnsafeBytes { bytes in
                buffer.append(contentsOf: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            }
        case .generated(let content):
            content.forEachSegment(in: range) { buffer.append(contentsOf: $0) }
        }
    }
}
