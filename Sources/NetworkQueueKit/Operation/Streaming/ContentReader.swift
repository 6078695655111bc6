import Foundation

/// Reads the content of an operation for a sequence and its iterators. When all of them have been released, or one of
/// the iterators has, it cancels the operation, unless that has ended.
final class ContentReader: Sendable {
    /// An iterator's reference to the reader. Its release cancels the operation, even if the sequence still exists.
    final class Use: Sendable {
        let reader: ContentReader

        fileprivate init(_ reader: ContentReader) {
            self.reader = reader
        }

        deinit { reader.operation.cancel() }
    }

    private let operation: RequestOperation
    private let stream: ContentStream

    init(_ operation: RequestOperation, _ stream: ContentStream) {
        self.operation = operation
        self.stream = stream
    }

    deinit { operation.cancel() }

    /// Returns a reference for another iterator.
    func use() -> Use { Use(self) }

    /// Waits for the head of the response. Canceling the task cancels the operation.
    func head() async throws(NetworkError) -> ResponseHead {
        try await cancelling { () async -> Result<ResponseHead, NetworkError> in
            do throws(NetworkError) { return .success(try await self.stream.head()) } catch { return .failure(error) }
        }
    }

    /// Waits for the next chunk; `nil` at the end. Canceling the task cancels the operation.
    func next() async throws(NetworkError) -> Data? {
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
