import Foundation

/// The content of a response as it arrives, in nonempty `Data` pieces; see
/// ``RequestQueueing/bytes(for:)-(NetworkRequest)``.
///
/// It can be read once: a second iterator throws `.processing`. Releasing the first one cancels the operation.
public struct ResponseChunks: AsyncSequence, Sendable {
    /// A piece of the content.
    public typealias Element = Data
    /// The type of error that reading throws.
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

        /// Returns the next piece; `nil` at the end of complete content.
        ///
        /// - Throws: the error of the request; `.cancelled` if the task was canceled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkError) -> Data? {
            try await use.next()
        }
    }
}
