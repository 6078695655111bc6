import Foundation

/// Reads the content of an operation; letting go of the last reader of it cancels the operation, unless it has ended.
final class ContentReader: Sendable {
    private let operation: RequestOperation
    private let stream: ContentStream

    init(_ operation: RequestOperation, _ stream: ContentStream) {
        self.operation = operation
        self.stream = stream
    }

    deinit { operation.cancel() }

    /// Another reader of the same content.
    func another() -> ContentReader { ContentReader(operation, stream) }

    /// Waits for the head of the response. Cancelling the task cancels the operation.
    func head() async throws(NetworkError) -> ResponseHead {
        try await cancelling { () async -> Result<ResponseHead, NetworkError> in
            do throws(NetworkError) { return .success(try await self.stream.head()) } catch { return .failure(error) }
        }
    }

    /// Waits for the next chunk; `nil` at the end. Cancelling the task cancels the operation.
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
