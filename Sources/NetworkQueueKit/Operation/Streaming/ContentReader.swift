import Foundation
import Synchronization

/// Reads the content of an operation for a sequence and its first iterator. When both have been released, or the
/// iterator has, it cancels the operation, unless that has ended.
final class ContentReader: Sendable {
    /// An iterator's reference to the reader. The release of the first one cancels the operation, even if the sequence
    /// still exists.
    final class Use: Sendable {
        private let reader: ContentReader
        private let isFirst: Bool

        fileprivate init(_ reader: ContentReader, isFirst: Bool) {
            self.reader = reader
            self.isFirst = isFirst
        }

        deinit { if isFirst { reader.operation.cancel() } }

        /// Waits for the next chunk; `nil` at the end. Throws if another iterator reads the content, or has read it.
        func next() async throws(NetworkError) -> Data? {
            guard isFirst else { throw reader.usedError }
            return try await reader.next()
        }
    }

    private let operation: RequestOperation
    private let stream: ContentStream
    private let isUsed = Atomic(false)

    init(_ operation: RequestOperation, _ stream: ContentStream) {
        self.operation = operation
        self.stream = stream
    }

    deinit { operation.cancel() }

    /// Returns a reference for an iterator. Only the first iterator can read.
    func use() -> Use { Use(self, isFirst: !isUsed.exchange(true, ordering: .relaxed)) }

    private var usedError: NetworkError {
        NetworkError(.processing, underlying: ContentIsUsed()).completed(
            id: operation.id, attempts: operation.attempts, request: operation.request, response: nil)
    }

    /// Waits for the head of the response. Canceling the task cancels the operation.
    func head() async throws(NetworkError) -> ResponseHead {
        try await cancelling { () async -> Result<ResponseHead, NetworkError> in
            do throws(NetworkError) { return .success(try await self.stream.head()) } catch { return .failure(error) }
        }
    }

    /// Waits for the next chunk; `nil` at the end. Canceling the task cancels the operation.
    private func next() async throws(NetworkError) -> Data? {
        try await cancelling { () async -> Result<Data?, NetworkError> in
            do throws(NetworkError) { return .success(try await self.stream.next()) } catch { return .failure(error) }
        }
    }

    private func cancelling<Value>(
        _ body: () async -> Result<Value, NetworkError>
    ) async throws(NetworkError) -> Value {
        try await withTaskCancellationHandler {
            await body()
        } onCancel: {
            operation.cancel()
        }.get()
    }
}

/// Underlies the error of a second iterator.
private struct ContentIsUsed: LocalizedError {
    var errorDescription: String? { "Content that is read as it arrives can be read only once." }
}
