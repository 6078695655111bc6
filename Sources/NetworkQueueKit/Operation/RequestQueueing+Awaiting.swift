import Foundation

/// Requests whose results are awaited.
///
/// Each method adds an operation to the queue and waits for its end. Canceling the task cancels that operation and
/// nothing else. If the queue does not allow duplicates, these requests are exempt: they neither cancel an equal
/// request nor are canceled by one.
extension RequestQueueing {
    /// Runs a request and returns its response. The content is at the request's destination.
    ///
    /// - Throws: the error of the request; `.cancelled` if the task or the operation was canceled.
    public func response(for request: NetworkRequest) async throws(NetworkError) -> Response {
        try await addAwaited(request).response()
    }

    /// Runs a GET for `url` and returns its response.
    public func response(for url: URL) async throws(NetworkError) -> Response {
        try await response(for: NetworkRequest(url))
    }

    /// Runs a `URLRequest` and returns its response.
    public func response(for request: URLRequest) async throws(NetworkError) -> Response {
        try await response(for: NetworkRequest(request))
    }

    /// Runs a request and returns the content of its response. The content is kept in memory, whatever the request's
    /// destination.
    ///
    /// - Throws: the error of the request.
    public func data(for request: NetworkRequest) async throws(NetworkError) -> Data {
        var request = request
        request.destination = .memory
        return try await response(for: request).data ?? Data()
    }

    /// Runs a GET for `url` and returns the content of its response.
    public func data(for url: URL) async throws(NetworkError) -> Data {
        try await data(for: NetworkRequest(url))
    }

    /// Runs a `URLRequest` and returns the content of its response.
    public func data(for request: URLRequest) async throws(NetworkError) -> Data {
        try await data(for: NetworkRequest(request))
    }

    /// Runs a request and decodes the content of its response.
    ///
    /// An optional type is `nil` if the response has no content, as with 204: `value(of: Note?.self, for: request)`.
    ///
    /// - Throws: the error of the request; `.processing` with the response and the underlying `DecodingError` if the
    ///   content cannot be decoded.
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

    /// Runs a request for which no content is expected, such as a DELETE that is answered with 204. Any content is
    /// discarded.
    ///
    /// - Throws: the error of the request.
    public func value(of type: Void.Type, for request: NetworkRequest) async throws(NetworkError) {
        var request = request
        request.destination = .discard
        _ = try await response(for: request)
    }

    /// Runs a GET for `url` for which no content is expected.
    public func value(of type: Void.Type, for url: URL) async throws(NetworkError) {
        try await value(of: type, for: NetworkRequest(url))
    }

    /// Downloads the content of a response into a file. The response's `fileURL` is the URL of that file.
    ///
    /// - Parameters:
    ///   - request: the request to run; its destination is ignored.
    ///   - file: the URL of the file, as in ``Destination/file(_:onConflict:resumes:)``.
    ///   - policy: what to do if the file already exists. Default `.fail`.
    ///   - resumes: whether to continue the part of an interrupted download. Default `true`.
    /// - Throws: the error of the request.
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

    /// Sends a file as the content of a request: a POST, unless the request sets a method.
    ///
    /// - Throws: the error of the request.
    @discardableResult
    public func upload(_ request: NetworkRequest, from file: URL) async throws(NetworkError) -> Response {
        try await upload(request, body: .file(file))
    }

    /// Sends bytes as the content of a request: a POST, unless the request sets a method.
    ///
    /// - Throws: the error of the request.
    @discardableResult
    public func upload(_ request: NetworkRequest, from data: Data) async throws(NetworkError) -> Response {
        try await upload(request, body: .data(data))
    }

    /// Sends a file to `url` with a POST.
    @discardableResult
    public func upload(_ url: URL, from file: URL) async throws(NetworkError) -> Response {
        try await upload(NetworkRequest(url), from: file)
    }

    /// Sends bytes to `url` with a POST.
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

    /// Adds an operation that is awaited. Another request that happens to be equal must not end the wait.
    func addAwaited(_ operation: RequestOperation) {
        operation.queueEntry.isExemptFromDuplicates = true
        add(operation)
    }
}
