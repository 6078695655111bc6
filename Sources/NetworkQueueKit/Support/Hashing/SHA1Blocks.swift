/// SHA-1 (FIPS 180-4). It detects errors, not forgeries.
struct SHA1Blocks: BlockHash {
    static let blockLength = 64
    static let lengthByteCount = 8

    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0
    )

    static func encoded(bitCount: UInt64) -> UInt64 { bitCount.bigEndian }

    var bytes: [UInt8] {
        [state.0, state.1, state.2, state.3, state.4].flatMap { word in
            withUnsafeBytes(of: word.bigEndian) { Array($0) }
        }
    }

    mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            for offset in stride(from: 0, to: blocks.count, by: Self.blockLength) {
                Self.schedule(blocks, at: offset, into: words)
                mix(words)
            }
        }
    }

    /// Expands the 16 words of a block to 80.
    @inline(__always)
    private static func schedule(
        _ blocks: UnsafeRawBufferPointer, at offset: Int, into words: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            words[index] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: offset &+ 4 &* index, as: UInt32.self))
        }
        for index in 16..<80 {
            let mixed = words[index &- 3] ^ words[index &- 8] ^ words[index &- 14] ^ words[index &- 16]
            words[index] = mixed.rotated(right: 31)
        }
    }

    @inline(__always)
    private mutating func mix(_ words: UnsafeMutableBufferPointer<UInt32>) {
        var (a, b, c, d, e) = state

        // Named as in the standard.
        @inline(__always)
        func step(_ mixed: UInt32, _ constant: UInt32, _ word: UInt32) {
            let next = a.rotated(right: 27) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, b.rotated(right: 2), c, d)
        }

        for index in 0..<20 { step(d ^ (b & (c ^ d)), 0x5a82_7999, words[index]) }
        for index in 20..<40 { step(b ^ c ^ d, 0x6ed9_eba1, words[index]) }
        for index in 40..<60 { step((b & c) | (d & (b | c)), 0x8f1b_bcdc, words[index]) }
        for index in 60..<80 { step(b ^ c ^ d, 0xca62_c1d6, words[index]) }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }
}
