/// A Merkle–Damgård hash. MD5 and the SHA family differ in how they process a block, in its length, and in their byte
/// order.
protocol BlockHash: Sendable {
    /// The length of a block in bytes.
    static var blockLength: Int { get }
    static var isBigEndian: Bool { get }

    init()
    /// Processes one block.
    mutating func compress(_ block: UnsafeRawBufferPointer)
    /// The hash of all blocks so far.
    var bytes: [UInt8] { get }
}

/// A hash in Swift, for a system without a library that has one. Short rather than fast.
struct PlainHash<Hash: BlockHash>: StreamHash {
    private var hash = Hash()
    /// The beginning of the next block.
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount &+= UInt64(bytes.count)
        var rest = bytes
        while pending.count + rest.count >= Hash.blockLength {
            let taken = Hash.blockLength - pending.count
            if pending.isEmpty {
                hash.compress(UnsafeRawBufferPointer(rebasing: rest[..<taken]))
            } else {
                pending.append(contentsOf: rest[..<taken])
                pending.withUnsafeBytes { hash.compress($0) }
                pending.removeAll(keepingCapacity: true)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
        }
        pending.append(contentsOf: rest)
    }

    mutating func finish() -> [UInt8] {
        // The message's length in bits takes the last eighth of a block, of which all but 8 bytes are zero.
        let bitCount = Hash.isBigEndian ? (byteCount &* 8).bigEndian : (byteCount &* 8).littleEndian
        let unpadded = pending.count + 1 + Hash.blockLength / 8
        let zeroCount = (2 * Hash.blockLength - unpadded) % Hash.blockLength + Hash.blockLength / 8 - 8
        let padding = [0x80] + Array(repeating: 0, count: zeroCount) + withUnsafeBytes(of: bitCount) { Array($0) }
        padding.withUnsafeBytes { update($0) }
        return hash.bytes
    }
}

extension BlockHash {
    /// A word of a block.
    static func word<Word: FixedWidthInteger>(_ index: Int, of block: UnsafeRawBufferPointer) -> Word {
        let word = block.loadUnaligned(fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self)
        return isBigEndian ? Word(bigEndian: word) : Word(littleEndian: word)
    }

    /// The bytes of the words of a hash.
    static func bytes<Word: FixedWidthInteger>(of words: [Word]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian) { Array($0) } }
    }
}

extension Array where Element: FixedWidthInteger {
    /// Adds other words to these, each to its own.
    mutating func add(_ others: Self) {
        for index in indices { self[index] &+= others[index] }
    }
}

extension FixedWidthInteger {
    /// The value with its bits rotated to the right.
    @inline(__always)
    func rotated(right count: Self) -> Self { (self &>> count) | (self &<< (Self(Self.bitWidth) &- count)) }
}
