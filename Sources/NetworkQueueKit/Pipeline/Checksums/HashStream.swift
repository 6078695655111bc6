/// Cuts a message that comes in pieces of any size into the blocks of its hash function.
struct HashStream<Hash: BlockHash> {
    private static var blockSize: Int { 64 }

    private var hash = Hash()
    /// The beginning of a block that is not whole yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    /// Takes in the next bytes of the message. O(n).
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let missing = min(Self.blockSize - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<missing])
            bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
            guard rest.count == Self.blockSize else { return }
            rest.withUnsafeBytes { hash.compress($0) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count / Self.blockSize * Self.blockSize
        if whole > 0 { hash.compress(UnsafeRawBufferPointer(rebasing: bytes[..<whole])) }
        rest.append(contentsOf: bytes[whole...])
    }

    /// The hash of the message, which ends here.
    consuming func finish() -> [UInt8] {
        let bits = count &* 8
        var ending: [UInt8] = [0x80]
        while (rest.count + ending.count) % Self.blockSize != Self.blockSize - 8 { ending.append(0) }
        withUnsafeBytes(of: Hash.isBigEndian ? bits.bigEndian : bits.littleEndian) { ending.append(contentsOf: $0) }
        ending.withUnsafeBytes { update($0) }
        return hash.digest
    }
}
