import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension GeneratedContent {
    /// Compares the chunks of a stream, in order, with the expected content.
    public struct Verifier: Sendable {
        /// The expected content.
        public let content: GeneratedContent
        /// The position of the next byte in the content.
        public private(set) var position: Int64
        /// The position of the first piece (at most 4 KiB) that contains a wrong byte, or of the first byte beyond the
        /// content's end; `nil` if there was no mismatch so far.
        public private(set) var firstMismatch: Int64?

        /// Starts at a position, by default at the content's first byte.
        public init(_ content: GeneratedContent, from position: Int64 = 0) {
            self.content = content
            self.position = position
        }

        /// Whether every byte so far was right.
        public var isCorrect: Bool { firstMismatch == nil }

        /// Whether every byte so far was right and the content's end has been reached.
        public var isComplete: Bool { isCorrect && position == content.size }

        /// Compares the next bytes of the stream. O(n).
        public mutating func update(_ bytes: UnsafeRawBufferPointer) {
            let known = min(Int64(bytes.count), max(0, content.size - position))
            var (offset, mismatch) = (0, Int64?.none)
            content.forEachSegment(in: position..<position + known) { expected in
                // Only empty buffers have no base address, and segments are never empty.
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

        /// Compares the next bytes of the stream. O(n).
        public mutating func update(_ bytes: some ContiguousBytes) {
            bytes.withUnsafeBytes { update($0) }
        }
    }

    /// A verifier that compares a stream with this content, by default from the first byte.
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
