import Foundation

/// A deterministic pseudo-random byte stream of any size that is generated on demand and takes no memory.
///
/// The stream consists of blocks of 4 KiB. Each block starts with a 64-bit stamp derived from the seed and the block
/// number; the rest is a window into one shared pool of random bytes, chosen by the stamp. Generating and verifying are
/// therefore `memcpy` and `memcmp`, which are fast even in debug builds, and a wrong, missing, duplicated or misplaced
/// byte is detected.
public struct GeneratedContent: Sendable, Hashable {
    static let blockSize: Int64 = 4096
    static let stampSize: Int64 = 8
    private static let windowCount = 1 << 16

    /// The shared pool. It is one window longer than the number of window positions, so every window is complete.
    static let pool: [UInt8] = {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(windowCount + Int(blockSize))
        for index in 0..<UInt64((windowCount + Int(blockSize)) / 8) {
            withUnsafeBytes(of: mixed(index).littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }()

    /// The number of bytes.
    public let size: Int64
    /// The seed. Contents of the same size with different seeds differ.
    public let seed: UInt64

    /// Creates a content without generating it. A negative size counts as 0.
    public init(size: Int64, seed: UInt64 = 0) {
        self.size = max(0, size)
        self.seed = seed
    }

    /// The bytes of a range, clamped to the content. O(n).
    public func bytes(in range: Range<Int64>) -> [UInt8] {
        var bytes: [UInt8] = []
        let range = range.clamped(to: 0..<size)
        bytes.reserveCapacity(Int(range.upperBound - range.lowerBound))
        forEachSegment(in: range) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Calls `body` with the consecutive pieces of a range of the content.
    func forEachSegment(in range: Range<Int64>, _ body: (UnsafeRawBufferPointer) -> Void) {
        GeneratedContent.pool.withUnsafeBytes { pool in
            var position = range.lowerBound
            while position < range.upperBound {
                let block = UInt64(position / GeneratedContent.blockSize)
                let start = position % GeneratedContent.blockSize
                let end = min(GeneratedContent.blockSize, start + (range.upperBound - position))
                let stamp = GeneratedContent.mixed(block &+ GeneratedContent.mixed(seed))
                if start < GeneratedContent.stampSize {
                    withUnsafeBytes(of: stamp.littleEndian) { bytes in
                        body(
                            UnsafeRawBufferPointer(
                                rebasing: bytes[Int(start)..<Int(min(end, GeneratedContent.stampSize))]))
                    }
                }
                if end > GeneratedContent.stampSize {
                    let window = Int(stamp >> 48)
                    let first = Int(max(start, GeneratedContent.stampSize))
                    body(UnsafeRawBufferPointer(rebasing: pool[window + first..<window + Int(end)]))
                }
                position += end - start
            }
        }
    }

    /// The first number that ``SplitMix64`` generates from a seed.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: value)
        return generator.next()
    }
}
