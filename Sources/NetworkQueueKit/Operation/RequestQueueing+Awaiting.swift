import Foundation

/// Requests whose results are awaited.
///
/// Each adds an operation to the queue and waits for its end. Cancelling the task cancels that operation and nothing
/// else. Where the queue does not allow duplicates, these are exempt: they neither cancel an equal request nor are
/// cancelled by one.
extension RequestQueueing {
    /// Runs a request and returns its response, with the content where the request's destination has put it.
    ///
    /// - Throws: what the request failed with; `.cancelled` when the task or the operation was cancelled.
    public func response(for request: NetworkRequest) async throws(NetworkError) -> Response {
        try await addAwaited(request).response()
    }

    /// Runs a GET for `url` and returns its response.
    public func response(for url: URL) async throws(NetworkError) -> Response {
        try await response(for: NetworkRequest(url))
    }

    /// Runs Foundation's request and returns its response.
    public func response(for request: URLRequest) async throws(NetworkError) -> Response {
        try await response(for: NetworkRequest(request))
    }

    /// Runs a request and returns the content of its response, which is kept in memory whatever the request's
    /// destination is.
    ///
    /// - Throws: what the request failed with.
    public func data(for request: NetworkRequest) async throws(NetworkError) -> Data {
        var request = request
        request.destination = .memory
        return try await response(for: request).data ?? Data()
    }

    /// Runs a GET for `url` and returns the content of its response.
    public func data(for url: URL) async throws(NetworkError) -> Data {
        try await data(for: NetworkRequest(url))
    }

    /// Runs Foundation's request and returns the content of its response.
    public func data(for request: URLRequest) async throws(NetworkError) -> Data {
        try await data(for: NetworkRequest(request))
    }

    /// Runs a request and decodes the content of its response.
    ///
    /// An optional type is `nil` if the response has no content, as with 204: `value(of: Note?.self, for: request)`.
    ///
    /// - Throws: what the request failed with; `.processing` with the `DecodingError` beneath and the response when the
    ///   content is not what is expected.
    public func value<Value: Decodable>(
        of type: Value.Type = Value.self, for request: NetworkRequest, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkError) -> Value {
        var request = request
        request.destination = .memory
        let operation = addAwaited(request)
        let response = try await operation.response()
        do {
            return try decoder.value(type, of: response.data)
        } catch {
            throw NetworkError(.processing, underlying: error).completed(
                id: operation.id, attempts: operation.attempts, request: request, response: response)
        }
    }

    /// Runs a GET for `url` and decodes the content of its response.
    public func value<Value: Decodable>(
        of type: Value.Type = Value.self, for url: URL, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkError) -> Value {
        try await value(of: type, for: NetworkRequest(url), decoder: decoder)
    }

    /// Runs a request for which no content is expected, such as a DELETE that is answered with 204. Content that comes
    /// all the same is not kept.
    ///
    /// - Throws: what the request failed with.
    public func value(of type: Void.Type, for request: NetworkRequest) async throws(NetworkError) {
        var request = request
        request.destination = .discard
        _ = try await response(for: request)
    }

    /// Runs a GET for `url`, for which no content is expected.
    public func value(of type: Void.Type, for url: URL) async throws(NetworkError) {
        try await value(of: type, for: NetworkRequest(url))
    }

    /// Downloads the content of a response into a file; its URL is the response's `fileURL`.
    ///
    /// - Parameters:
    ///   - request: what to ask for; its destination does not count.
    ///   - file: where the content goes, as with ``Destination/file(_:onConflict:resumes:)``.
    ///   - policy: what happens when the file is there already. Default `.fail`.
    ///   - resumes: whether the part of an interrupted download is continued. Default `true`.
    /// - Throws: what the request failed with.
    @discardableResult
    public func download(
        _ request: NetworkRequest, to file: URL, onConflict policy: Destination.ConflictPolicy = .fail,
        resumes: Bool = true
    ) async throws(NetworkError) -> Response {
        var request = request
        request.destination = .file(file, onConflict: policy, resumes: resumes)
        return try await response(for: request)
    }

    /// Downloads `url` into a file.
    @discardableResult
    public func download(
        _ url: URL, to file: URL, onConflict policy: Destination.ConflictPolicy = .fail, resumes: Bool = true
    ) async throws(NetworkError) -> Response {
        try await download(NetworkRequest(url), to: file, onConflict: policy, resumes: resumes)
    }

    /// Sends a file as the content of a request: a POST, unless the request has a method.
    ///
    /// - Throws: what the request failed with.
    @discardableResult
    public func upload(_ request: NetworkRequest, from file: URL) async throws(NetworkError) -> Response {
        try await upload(request, body: .file(file))
    }

    /// Sends bytes as the content of a request: a POST, unless the request has a method.
    ///
    /// - Throws: what the request failed with.
    @discardableResult
    public func upload(_ request: NetworkRequest, from data: Data) async throws(NetworkError) -> Response {
        try await upload(request, body: .data(data))
    }

    /// Sends a file to `url` by a POST.
    @discardableResult
    public func upload(_ url: URL, from file: URL) async throws(NetworkError) -> Response {
        try await upload(NetworkRequest(url), from: file)
    }

    /// Sends bytes to `url` by a POST.
    @discardableResult
    public func upload(_ url: URL, from data: Data) async throws(NetworkError) -> Response {
        try await upload(NetworkRequest(url), from: data)
    }

    private func upload(_ request: NetworkRequest, body: RequestBody) async throws(NetworkError) -> Response {
        var request = request
        request.body = body
        return try await response(for: request)
    }

    private func addAwaited(_ request: NetworkRequest) -> RequestOperation {
        let operation = RequestOperation(request)
        addAwaited(operation)
        return operation
    }

    /// Adds an operation that is awaited: another request, which happens to be equal, is not to end the wait.
    func addAwaited(_ operation: RequestOperation) {
        operation.queueEntry.isExemptFromDuplicates = true
        add(operation)
    }
}
