import Foundation

/// Content that is read while it comes.
extension RequestQueueing {
    /// Runs a request and returns as soon as the head of its response is there; the content is read from what is
    /// returned.
    ///
    ///     let bytes = try await queue.bytes(for: request)
    ///     for try await chunk in bytes.chunks { hash.update(chunk) }
    ///
    /// A reader that is slow holds the server back: no more than a few hundred kilobytes wait in memory (with
    /// `URLSessionTransport` as much as the server sends meanwhile). Once a byte has been handed over, the request is
    /// not retried; before that another attempt may bring the content, of whose responses the first head is the one
    /// returned. Cancelling the task that reads, or letting go of the iterator, cancels the operation and nothing else.
    /// The request's destination does not count. Content that a server compresses unasked arrives as it was sent.
    ///
    /// - Throws: what the request failed with before there was an accepted response; what it fails with later, reading
    ///   throws.
    public func bytes(for request: NetworkRequest) async throws(NetworkError) -> ResponseBytes {
        let stream = ContentStream()
        var request = request
        request.destination = .sink(stream)
        let operation = RequestOperation(request)
        let reader = ContentReader(operation, stream)
        operation.notify { stream.end($0) }
        addAwaited(operation)
        return ResponseBytes(chunks: ResponseChunks(head: try await reader.head(), reader: reader))
    }

    /// Runs a GET for `url`; see ``bytes(for:)-(NetworkRequest)``.
    public func bytes(for url: URL) async throws(NetworkError) -> ResponseBytes {
        try await bytes(for: NetworkRequest(url))
    }

    /// Runs a request and returns as soon as the head of its response is there; the content is read line by line, for
    /// JSON Lines, server-sent events or logs.
    ///
    ///     for try await line in try await queue.lines(for: request) { try handle(line) }
    ///
    /// Otherwise as ``bytes(for:)-(NetworkRequest)``.
    public func lines(for request: NetworkRequest) async throws(NetworkError) -> ResponseLines {
        try await bytes(for: request).lines
    }

    /// Runs a GET for `url` and reads its content line by line; see ``lines(for:)-(NetworkRequest)``.
    public func lines(for url: URL) async throws(NetworkError) -> ResponseLines {
        try await lines(for: NetworkRequest(url))
    }
}
