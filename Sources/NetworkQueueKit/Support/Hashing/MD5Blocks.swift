/// MD5 (RFC 1321). It detects errors, not forgeries.
struct MD5Blocks: BlockHash {
    static let blockLength = 64
    static let lengthByteCount = 8

    /// The integer parts of 2³² × |sin(n)|, n from 1.
    private static let constants: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]

    private var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)

    static func encoded(bitCount: UInt64) -> UInt64 { bitCount.littleEndian }

    var bytes: [UInt8] {
        [state.0, state.1, state.2, state.3].flatMap { word in
            withUnsafeBytes(of: word.littleEndian) { Array($0) }
        }
    }

    mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        Self.constants.withUnsafeBufferPointer { constants in
            for offset in stride(from: 0, to: blocks.count, by: Self.blockLength) { mix(blocks, at: offset, constants) }
        }
    }

    @inline(__always)
    private mutating func mix(
        _ blocks: UnsafeRawBufferPointer, at offset: Int, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = state

        /// Step `index`, with word `word` of the block: adds the result of the mixing function to `a`, rotates the sum,
        /// and adds `b`.
        @inline(__always)
        func step(
            _ a: inout UInt32, _ b: UInt32, _ mixed: UInt32, _ index: Int, _ word: Int, _ turn: UInt32
        ) {
            let input = UInt32(
                littleEndian: blocks.loadUnaligned(fromByteOffset: offset &+ 4 &* (word & 15), as: UInt32.self))
            a = b &+ (a &+ mixed &+ input &+ constants[index]).rotated(right: 32 &- turn)
        }

        // Four steps at a time: then every variable is in its place again, and none has to be moved.
        for i in stride(from: 0, to: 16, by: 4) {
            step(&a, b, d ^ (b & (c ^ d)), i, i, 7)
            step(&d, a, c ^ (a & (b ^ c)), i &+ 1, i &+ 1, 12)
            step(&c, d, b ^ (d & (a ^ b)), i &+ 2, i &+ 2, 17)
            step(&b, c, a ^ (c & (d ^ a)), i &+ 3, i &+ 3, 22)
        }
        for i in stride(from: 16, to: 32, by: 4) {
            step(&a, b, c ^ (d & (b ^ c)), i, 5 &* i &+ 1, 5)
            step(&d, a, b ^ (c & (a ^ b)), i &+ 1, 5 &* i &+ 6, 9)
            step(&c, d, a ^ (b & (d ^ a)), i &+ 2, 5 &* i &+ 11, 14)
            step(&b, c, d ^ (a & (c ^ d)), i &+ 3, 5 &* i &+ 16, 20)
        }
        for i in stride(from: 32, to: 48, by: 4) {
            step(&a, b, b ^ c ^ d, i, 3 &* i &+ 5, 4)
            step(&d, a, a ^ b ^ c, i &+ 1, 3 &* i &+ 8, 11)
            step(&c, d, d ^ a ^ b, i &+ 2, 3 &* i &+ 11, 16)
            step(&b, c, c ^ d ^ a, i &+ 3, 3 &* i &+ 14, 23)
        }
        for i in stride(from: 48, to: 64, by: 4) {
            step(&a, b, c ^ (b | ~d), i, 7 &* i, 6)
            step(&d, a, b ^ (a | ~c), i &+ 1, 7 &* i &+ 7, 10)
            step(&c, d, a ^ (d | ~b), i &+ 2, 7 &* i &+ 14, 15)
            step(&b, c, d ^ (c | ~a), i &+ 3, 7 &* i &+ 21, 21)
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
    }
}
