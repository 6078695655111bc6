import Foundation

/// Passes content from the operation that receives it to the task that reads it, one chunk at a time.
///
/// The sink's call returns only when its chunk has been read, which holds the server back. The stream has no reference
/// to its operation, which owns it.
final class ContentStream: DownloadSink {
    private typealias HeadReader = CheckedContinuation<Result<ResponseHead, NetworkError>, Never>
    private typealias Reader = CheckedContinuation<Result<Data?, NetworkError>, Never>

    private struct State {
        var head: ResponseHead?
        var headReader: HeadReader?
        var chunk: Data?
        /// The call of the sink that waits until `chunk` has been read.
        var writer: CheckedContinuation<Void, Never>?
        var readers: [Reader] = []
        var hasHandedOver = false
        /// Whether arriving content belongs to a failed attempt.
        var isStartingOver = false
        /// The end of the operation; `nil` before.
        var end: Result<Void, NetworkError>?

        /// Takes the unread chunk and the call of the sink that waits for it. Without an unread chunk it returns the
        /// end of the content, or `nil` if the content has not ended.
        mutating func take() -> (Result<Data?, NetworkError>, CheckedContinuation<Void, Never>?)? {
            if let chunk {
                self.chunk = nil
                hasHandedOver = true
                return (.success(chunk), writer.take())
            }
            return end.map { ($0.map { nil }, nil) }
        }
    }

    private let state = Guarded(State())

    // MARK: Reading

    /// Waits for the head of the response or for the end.
    func head() async throws(NetworkError) -> ResponseHead {
        try await withCheckedContinuation { (reader: HeadReader) in
            let known = state.withLock { state -> Result<ResponseHead, NetworkError>? in
                if let head = state.head { return .success(head) }
                if case .failure(let error)? = state.end { return .failure(error) }
                state.headReader = reader
                return nil
            }
            if let known { reader.resume(returning: known) }
        }.get()
    }

    /// Waits for the next chunk; `nil` at the end.
    func next() async throws(NetworkError) -> Data? {
        try await withCheckedContinuation { (reader: Reader) in
            let taken = state.withLock { state in
                let taken = state.take()
                if taken == nil { state.readers.append(reader) }
                return taken
            }
            guard let (result, writer) = taken else { return }
            reader.resume(returning: result)
            writer?.resume()
        }.get()
    }

    /// Ends the content with the result of its operation. A chunk that has not been read comes before it, unless the
    /// operation was canceled.
    func end(_ result: Result<Response, NetworkError>) {
        let (headReader, readers) = state.withLock { state in
            state.end = result.map { _ in }
            if case .failure(let error) = result, error.isCancellation { state.chunk = nil }
            // A 304 has no content, so no sink begins. The head may be requested after this.
            if state.head == nil, case .success(let response) = result { state.head = response.head }
            defer {
                state.headReader = nil
                state.readers = []
            }
            return (state.headReader, state.readers)
        }
        switch result {
        case .success(let response):
            headReader?.resume(returning: .success(response.head))
            for reader in readers { reader.resume(returning: .success(nil)) }
        case .failure(let error):
            headReader?.resume(returning: .failure(error))
            for reader in readers { reader.resume(returning: .failure(error)) }
        }
    }

    // MARK: DownloadSink

    func begin(_ head: ResponseHead) async throws {
        let (reader, isOver) = state.withLock { state in
            state.isStartingOver = false
            if state.head == nil { state.head = head }
            return (state.headReader.take(), state.end != nil)
        }
        // An operation that is run again no longer has a reader.
        if isOver { throw NetworkError.cancelled }
        reader?.resume(returning: .success(head))
    }

    func write(_ chunk: Data) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { writer in
                let (reader, mustWait) = state.withLock { state -> (Reader?, Bool) in
                    guard !state.isStartingOver else { return (nil, false) }
                    if !state.readers.isEmpty {
                        state.hasHandedOver = true
                        return (state.readers.removeFirst(), false)
                    }
                    state.chunk = chunk
                    // In a canceled task nothing waits. The chunk may still be read.
                    guard !Task.isCancelled else { return (nil, false) }
                    state.writer = writer
                    return (nil, true)
                }
                reader?.resume(returning: .success(chunk))
                if !mustWait { writer.resume() }
            }
        } onCancel: {
            state.withLock { $0.writer.take() }?.resume()
        }
    }

    func mayStartOver() -> Bool {
        let (may, writer) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.hasHandedOver else { return (false, nil) }
            state.isStartingOver = true
            state.chunk = nil
            return (true, state.writer.take())
        }
        writer?.resume()
        return may
    }
}
