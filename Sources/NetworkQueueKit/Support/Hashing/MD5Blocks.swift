import Foundation

/// MD5 (RFC 1321).
struct MD5Blocks: BlockHash {
    static let blockLength = 64
    static let isBigEndian = false

    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
    /// How far each of four rounds rotates in its steps, which repeat after four.
    private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]

    var bytes: [UInt8] { Self.bytes(of: state) }

    mutating func compress(_ block: UnsafeRawBufferPointer) {
        let (constants, turns) = (Self.constants, Self.turns)
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for i in 0..<64 {
            let (mixed, word) =
                switch i / 16 {
                case 0: (d ^ (b & (c ^ d)), i)
                case 1: (c ^ (d & (b ^ c)), 5 * i + 1)
                case 2: (b ^ c ^ d, 3 * i + 5)
                default: (c ^ (b | ~d), 7 * i)
                }
            let sum = a &+ mixed &+ constants[i] &+ Self.word(word % 16, of: block)
            let turn = turns[i / 16 * 4 + i % 4]
            (a, b, c, d) = (d, b &+ sum.rotated(right: 32 - turn), b, c)
        }
        state.add([a, b, c, d])
    }
}
