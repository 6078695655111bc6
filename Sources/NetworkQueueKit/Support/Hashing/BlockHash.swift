/// A Merkle–Damgård hash. MD5 and the SHA family differ in how they process a block, in its length, and in their byte
/// order.
protocol BlockHash: Sendable {
    /// The length of a block in bytes.
    static var blockLength: Int { get }
    /// The number of bytes of the message's length at the end of the padding.
    static var lengthByteCount: Int { get }

    init()
    /// Processes some whole blocks.
    mutating func compress(_ blocks: UnsafeRawBufferPointer)
    /// The length of the message in bits, as the last 8 bytes of the padding. The length's other bytes are zero.
    static func encoded(bitCount: UInt64) -> UInt64
    /// The hash of all blocks so far.
    var bytes: [UInt8] { get }
}

/// Feeds a stream of bytes to a ``BlockHash``, in chunks of any size.
struct BlockHasher<Hash: BlockHash>: Sendable {
    private static var blockLength: Int { Hash.blockLength }

    private var hash = Hash()
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    init() {
        pending.reserveCapacity(Self.blockLength)
    }

    /// Processes the next bytes of the stream. O(n).
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount &+= UInt64(bytes.count)
        var rest = bytes
        if !pending.isEmpty {
            let taken = min(Self.blockLength - pending.count, rest.count)
            pending.append(contentsOf: rest.prefix(taken))
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            guard pending.count == Self.blockLength else { return }
            pending.withUnsafeBytes { hash.compress($0) }
            pending.removeAll(keepingCapacity: true)
        }
        let wholeLength = rest.count / Self.blockLength * Self.blockLength
        if wholeLength > 0 { hash.compress(UnsafeRawBufferPointer(rebasing: rest[..<wholeLength])) }
        pending.append(contentsOf: rest[wholeLength...])
    }

    /// The hash of all bytes so far; more may follow.
    var digest: [UInt8] {
        var copy = self
        let bitCount = Hash.encoded(bitCount: byteCount &* 8)
        let zeros = (2 * Self.blockLength - 1 - Hash.lengthByteCount - pending.count) % Self.blockLength
        var padding: [UInt8] = [0x80] + Array(repeating: 0, count: zeros + Hash.lengthByteCount - 8)
        withUnsafeBytes(of: bitCount) { padding.append(contentsOf: $0) }
        padding.withUnsafeBytes { copy.update($0) }
        return copy.hash.bytes
    }

    /// The digest in lowercase hexadecimal digits.
    var hexDigest: String { digest.hexadecimal }

    static func hexDigest(of text: String) -> String {
        var hasher = Self()
        var text = text
        text.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
        return hasher.hexDigest
    }
}

typealias MD5 = BlockHasher<MD5Blocks>
typealias SHA1 = BlockHasher<SHA1Blocks>
typealias SHA256 = BlockHasher<SHA256Blocks>
typealias SHA512 = BlockHasher<SHA512Blocks>

extension FixedWidthInteger {
    /// The value with its bits rotated to the right.
    @inline(__always)
    func rotated(right count: Self) -> Self { (self &>> count) | (self &<< (Self(Self.bitWidth) &- count)) }
}

extension Sequence<UInt8> {
    /// Two lowercase hexadecimal digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
