import Foundation

/// A 64-bit checksum of a byte stream that does not depend on how the stream was cut into chunks.
///
/// The checksum is FNV-1a over little-endian 64-bit words instead of bytes, which makes it eight times as fast. The
/// last word is padded with zeros, and the number of bytes is mixed in at the end. It detects errors, not forgeries.
public struct ContentChecksum: Sendable, Hashable {
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    private var state: UInt64 = 0xCBF2_9CE4_8422_2325
    private var word: UInt64 = 0
    private var count: UInt64 = 0

    /// Creates the checksum of an empty stream.
    public init() {}

    /// The checksum of some bytes. O(n).
    public static func of(_ bytes: some ContiguousBytes) -> UInt64 {
        var checksum = ContentChecksum()
        bytes.withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }

    /// The checksum of all bytes so far.
    public var value: UInt64 {
        var result = state
        if !count.isMultiple(of: 8) { result = (result ^ word) &* ContentChecksum.prime }
        result = (result ^ count) &* ContentChecksum.prime
        return result ^ (result >> 32)
    }

    /// Adds the next bytes of the stream. O(n).
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count, !count.isMultiple(of: 8) {
            add(bytes[index])
            index += 1
        }
        var state = state
        let wordEnd = index + (bytes.count - index) / 8 * 8
        while index < wordEnd {
            let next = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            state = (state ^ next) &* ContentChecksum.prime
            index += 8
            count &+= 8
        }
        self.state = state
        while index < bytes.count {
            add(bytes[index])
            index += 1
        }
    }

    private mutating func add(_ byte: UInt8) {
        word |= UInt64(byte) << (8 * (count % 8))
        count += 1
        guard count.isMultiple(of: 8) else { return }
        state = (state ^ word) &* ContentChecksum.prime
        word = 0
    }
}
