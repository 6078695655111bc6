import Foundation

/// The content of a response, as it comes: a `Data` for each piece, never empty; see
/// ``RequestQueueing/bytes(for:)-(NetworkRequest)``.
///
/// It can be read once. Letting go of the iterator cancels the operation.
public struct ResponseChunks: AsyncSequence, Sendable {
    /// A piece of the content.
    public typealias Element = Data
    /// What reading throws.
    public typealias Failure = NetworkError

    /// The head of the response.
    public let head: ResponseHead
    private let reader: ContentReader

    init(head: ResponseHead, reader: ContentReader) {
        self.head = head
        self.reader = reader
    }

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(use: reader.use()) }

    /// Reads chunk by chunk.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let use: ContentReader.Use

        /// Waits for the next piece; `nil` when the content has ended and is whole.
        ///
        /// - Throws: what the request failed with; `.cancelled` when the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkError) -> Data? {
            try await use.reader.next()
        }
    }
}
