import Foundation

/// The content of a response, byte by byte as it arrives; see ``RequestQueueing/bytes(for:)-(NetworkRequest)``.
///
/// It can be read once: as bytes, as ``chunks`` or as ``lines``. A second iterator throws `.processing`. Releasing the
/// first one cancels the operation.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A byte of the content.
    public typealias Element = UInt8
    /// The type of error that reading throws.
    public typealias Failure = NetworkError

    /// The content in pieces as they arrive. This is the fastest way to read it.
    public let chunks: ResponseChunks

    /// The head of the response.
    public var head: ResponseHead { chunks.head }

    /// The content line by line.
    public var lines: ResponseLines { ResponseLines(chunks: chunks) }

    init(chunks: ResponseChunks) {
        self.chunks = chunks
    }

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator()) }

    /// Reads byte by byte. It suspends only when a chunk has been used up.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: ResponseChunks.AsyncIterator
        private var chunk: [UInt8] = []
        private var position = 0

        fileprivate init(chunks: ResponseChunks.AsyncIterator) {
            self.chunks = chunks
        }

        /// Returns the next byte; `nil` at the end of complete content.
        ///
        /// - Throws: the error of the request; `.cancelled` if the task was canceled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkError) -> UInt8? {
            if position == chunk.count {
                guard let next = try await chunks.next(isolation: actor) else { return nil }
                chunk = Array(next)
                position = 0
            }
            defer { position += 1 }
            return chunk[position]
        }
    }
}
