import Foundation

/// Content that is read as it arrives.
extension RequestQueueing {
    /// Runs a request and returns as soon as the head of its response has arrived. Read the content from the returned
    /// value.
    ///
    /// ```swift
    /// let bytes = try await queue.bytes(for: request)
    /// for try await chunk in bytes.chunks { try file.write(contentsOf: chunk) }
    /// ```
    ///
    /// A slow reader holds the server back: at most a few hundred kilobytes wait in memory (with `URLSessionTransport`,
    /// all that the server sends meanwhile). Once a byte has been delivered, the request is not retried. Before that,
    /// another attempt may supply the content; the returned head is that of the first response. If the content breaks
    /// off, everything that has arrived comes before the error, and the operation ends when it has been read. Canceling
    /// the reading task, or releasing the iterator, cancels the operation and nothing else; after that, and when a total
    /// timeout expires, unread content is dropped. The request's destination is ignored. Content that a server
    /// compresses without being asked is not decoded.
    ///
    /// - Throws: the error of the request before a response was accepted. Later errors are thrown while reading.
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

    /// Runs a request and returns as soon as the head of its response has arrived. Read the content line by line, for
    /// JSON Lines, server-sent events or logs.
    ///
    /// ```swift
    /// for try await line in try await queue.lines(for: request) { try handle(line) }
    /// ```
    ///
    /// Otherwise it behaves like ``bytes(for:)-(NetworkRequest)``.
    public func lines(for request: NetworkRequest) async throws(NetworkError) -> ResponseLines {
        try await bytes(for: request).lines
    }

    /// Runs a GET for `url` and returns its content line by line; see ``lines(for:)-(NetworkRequest)``.
    public func lines(for url: URL) async throws(NetworkError) -> ResponseLines {
        try await lines(for: NetworkRequest(url))
    }
}
