/// SHA-256 (FIPS 180-4).
struct SHA256Blocks: BlockHash {
    static let blockLength = 64
    static let lengthByteCount = 8

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )

    static func encoded(bitCount: UInt64) -> UInt64 { bitCount.bigEndian }

    var bytes: [UInt8] {
        [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7].flatMap { word in
            withUnsafeBytes(of: word.bigEndian) { Array($0) }
        }
    }

    mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        Self.constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                for offset in stride(from: 0, to: blocks.count, by: Self.blockLength) {
                    Self.schedule(blocks, at: offset, into: words)
                    mix(words, constants)
                }
            }
        }
    }

    /// Expands the 16 words of a block to 64.
    @inline(__always)
    private static func schedule(
        _ blocks: UnsafeRawBufferPointer, at offset: Int, into words: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            words[index] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: offset &+ 4 &* index, as: UInt32.self))
        }
        for index in 16..<64 {
            let (early, late) = (words[index &- 15], words[index &- 2])
            let first = early.rotated(right: 7) ^ early.rotated(right: 18) ^ (early &>> 3)
            let second = late.rotated(right: 17) ^ late.rotated(right: 19) ^ (late &>> 10)
            words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
        }
    }

    @inline(__always)
    private mutating func mix(
        _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d, e, f, g, h) = state
        var index = 0
        // Eight rounds at a time: then every variable is in its place again, and none has to be moved.
        while index < 64 {
            Self.round(a, b, c, &d, e, f, g, &h, constants[index] &+ words[index])
            Self.round(h, a, b, &c, d, e, f, &g, constants[index &+ 1] &+ words[index &+ 1])
            Self.round(g, h, a, &b, c, d, e, &f, constants[index &+ 2] &+ words[index &+ 2])
            Self.round(f, g, h, &a, b, c, d, &e, constants[index &+ 3] &+ words[index &+ 3])
            Self.round(e, f, g, &h, a, b, c, &d, constants[index &+ 4] &+ words[index &+ 4])
            Self.round(d, e, f, &g, h, a, b, &c, constants[index &+ 5] &+ words[index &+ 5])
            Self.round(c, d, e, &f, g, h, a, &b, constants[index &+ 6] &+ words[index &+ 6])
            Self.round(b, c, d, &e, f, g, h, &a, constants[index &+ 7] &+ words[index &+ 7])
            index &+= 8
        }
        state = (
            state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g,
            state.7 &+ h
        )
    }

    // The parameters are named as in the standard.
    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ input: UInt32
    ) {
        let choice = g ^ (e & (f ^ g))
        let majority = (a & b) | (c & (a | b))
        let first = h &+ (e.rotated(right: 6) ^ e.rotated(right: 11) ^ e.rotated(right: 25)) &+ choice &+ input
        d = d &+ first
        h = first &+ (a.rotated(right: 2) ^ a.rotated(right: 13) ^ a.rotated(right: 22)) &+ majority
    }
}
