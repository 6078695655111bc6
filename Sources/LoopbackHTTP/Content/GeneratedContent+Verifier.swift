import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension GeneratedContent {
    /// Checks chunks of a stream, in order, against the content that they should be.
    public struct Verifier: Sendable {
        /// The content that the stream should be.
        public let content: GeneratedContent
        /// The position of the next byte in the content.
        public private(set) var position: Int64
        /// The position of the first chunk's piece (at most 4 KiB) with a wrong byte in it, or of the first byte beyond
        /// the content's end; `nil` while all is right.
        public private(set) var firstMismatch: Int64?

        /// Begins at a position, by default the content's first byte.
        public init(_ content: GeneratedContent, from position: Int64 = 0) {
            self.content = content
            self.position = position
        }

        /// Whether every byte so far was right.
        public var isCorrect: Bool { firstMismatch == nil }

        /// Whether every byte so far was right and the content's end has been reached.
        public var isComplete: Bool { isCorrect && position == content.size }

        /// Takes in the next bytes of the stream. O(n).
        public mutating func update(_ bytes: UnsafeRawBufferPointer) {
            let known = min(Int64(bytes.count), max(0, content.size - position))
            var (offset, mismatch) = (0, Int64?.none)
            content.forEachSegment(in: position..<position + known) { expected in
                // Base addresses are nil in empty buffers only, and segments are not empty.
                if mismatch == nil, let wanted = expected.baseAddress, let found = bytes.baseAddress,
                    memcmp(wanted, found + offset, expected.count) != 0
                {
                    mismatch = position + Int64(offset)
                }
                offset += expected.count
            }
            if mismatch == nil, known < bytes.count { mismatch = position + known }
            if firstMismatch == nil { firstMismatch = mismatch }
            position += Int64(bytes.count)
        }

        /// Takes in the next bytes of the stream. O(n).
        public mutating func update(_ bytes: some ContiguousBytes) {
            bytes.withUnsafeBytes { update($0) }
        }
    }

    /// Begins to check a stream against this content, by default from the first byte.
    public func verifier(from position: Int64 = 0) -> Verifier {
        Verifier(self, from: position)
    }

    /// Whether a file holds exactly this content; throws if it cannot be read. O(n).
    public func matches(contentsOf file: URL) throws -> Bool {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var verifier = verifier()
        while verifier.isCorrect, let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
            verifier.update(chunk)
        }
        return verifier.isComplete
    }
}
