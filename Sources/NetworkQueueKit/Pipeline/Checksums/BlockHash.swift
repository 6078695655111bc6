import Foundation

/// A hash function that takes a message in blocks of 64 bytes and ends it with its length, as MD5 and SHA-256 do.
protocol BlockHash {
    init()
    /// Whether the length at the end has its most significant byte first.
    static var isBigEndian: Bool { get }
    /// Takes in some whole blocks.
    mutating func compress(_ blocks: UnsafeRawBufferPointer)
    /// The hash of what has been taken in.
    var digest: [UInt8] { get }
}

extension BlockHash {
    /// The hash of a whole message.
    static func hash(of message: some ContiguousBytes) -> [UInt8] {
        var stream = HashStream<Self>()
        message.withUnsafeBytes { stream.update($0) }
        return stream.finish()
    }
}
