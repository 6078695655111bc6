import Foundation

/// Content on its way from the operation that receives it to the task that reads it, a chunk at a time.
///
/// While a chunk waits to be read, the sink's call has not returned, so that the server is held back. It does not know
/// its operation, which owns it.
final class ContentStream: DownloadSink {
    private typealias HeadReader = CheckedContinuation<Result<ResponseHead, NetworkError>, Never>
    private typealias Reader = CheckedContinuation<Result<Data?, NetworkError>, Never>

    private struct State {
        var head: ResponseHead?
        var headReader: HeadReader?
        var chunk: Data?
        /// The sink's call that waits for `chunk` to be read.
        var writer: CheckedContinuation<Void, Never>?
        var readers: [Reader] = []
        var hasHandedOver = false
        /// Whether what comes belongs to an attempt that has failed.
        var isStartingOver = false
        /// How the operation has ended; `nil` before.
        var end: Result<Void, NetworkError>?

        /// Takes the unread chunk, and the sink's call that waits for it to be read. Without an unread chunk it returns
        /// how the content has ended, and `nil` while it has not ended.
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

    /// Waits for the head of the response, or the end.
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

    /// Ends the content as its operation has ended.
    func end(_ result: Result<Response, NetworkError>) {
        let (headReader, readers) = state.withLock { state in
            state.end = result.map { _ in }
            // A 304 brings no content, so that no sink begins: the head may be asked for after this.
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
        // An operation that is run again has no reader any more.
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
                    // When the task has been cancelled, nothing waits; the chunk may be read all the same.
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
