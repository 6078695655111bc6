/// A hash of the Merkle–Damgård kind over blocks of 64 bytes: MD5 and SHA-256 differ in what they do with a block, and in
/// the order of their bytes.
protocol BlockHash: Sendable {
    init()
    /// Takes in some whole blocks of 64 bytes.
    mutating func compress(_ blocks: UnsafeRawBufferPointer)
    /// The length of the message in bits, as the last 8 bytes of the padding.
    static func encoded(bitCount: UInt64) -> UInt64
    /// The hash of all blocks so far.
    var bytes: [UInt8] { get }
}

/// Feeds a stream of bytes to a ``BlockHash``, however it is cut into chunks.
struct Hasher64<Hash: BlockHash>: Sendable {
    private static var blockLength: Int { 64 }

    private var hash = Hash()
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    init() {
        pending.reserveCapacity(Self.blockLength)
    }

    /// Takes in the next bytes of the stream. O(n).
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
        let zeros = (2 * Self.blockLength - 1 - 8 - pending.count) % Self.blockLength
        var padding: [UInt8] = [0x80] + Array(repeating: 0, count: zeros)
        withUnsafeBytes(of: bitCount) { padding.append(contentsOf: $0) }
        padding.withUnsafeBytes { copy.update($0) }
        return copy.hash.bytes
    }

    /// The digest in lower-case hexadecimal digits.
    var hexDigest: String { digest.hexadecimal }

    static func hexDigest(of text: String) -> String {
        var hasher = Self()
        var text = text
        text.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
        return hasher.hexDigest
    }
}

typealias MD5 = Hasher64<MD5Blocks>
typealias SHA256 = Hasher64<SHA256Blocks>

extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits a byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
