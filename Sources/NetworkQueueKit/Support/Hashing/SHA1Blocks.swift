/// SHA-1 (FIPS 180-4).
struct SHA1Blocks: BlockHash {
    static let blockLength = 64
    static let isBigEndian = true

    private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]

    var bytes: [UInt8] { Self.bytes(of: state) }

    mutating func compress(_ block: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            for i in 0..<16 { words[i] = Self.word(i, of: block) }
            for i in 16..<80 {
                words[i] = (words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]).rotated(right: 31)
            }
            // Named as in the standard.
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for i in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch i / 20 {
                    case 0: (d ^ (b & (c ^ d)), 0x5a82_7999)
                    case 1: (b ^ c ^ d, 0x6ed9_eba1)
                    case 2: ((b & c) | (d & (b | c)), 0x8f1b_bcdc)
                    default: (b ^ c ^ d, 0xca62_c1d6)
                    }
                let next = a.rotated(right: 27) &+ mixed &+ e &+ constant &+ words[i]
                (a, b, c, d, e) = (next, a, b.rotated(right: 2), c, d)
            }
            state.add([a, b, c, d, e])
        }
    }
}
