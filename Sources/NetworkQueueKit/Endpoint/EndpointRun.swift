/// One run of an endpoint: creates its operation and performs the two steps of success or failure.
final class EndpointRun<E: Endpoint>: Sendable {
    private struct State {
        /// The operation whose value is kept. A copy of its request may run in another operation, for example after
        /// `retryFailed()`.
        var operationID: RequestID?
        /// The parsed value, until it is passed on.
        var value: E.Value?
    }

    private let endpoint: E
    private let state = Guarded(State())

    init(_ endpoint: E) {
        self.endpoint = endpoint
    }

    /// Creates the operation.
    ///
    /// - Parameter completionHandler: called after the endpoint has handled the result, on the callback queue.
    func makeOperation(
        _ completionHandler: (@Sendable (Result<E.Value, E.Failure>) -> Void)?
    ) -> RequestOperation {
        var request = endpoint.makeRequest()
        request.processors.append(
            EndpointParser(endpoint: endpoint) { [self] response, id in try parse(response, for: id) })
        let operation = RequestOperation(request)
        state.withLock { $0.operationID = operation.id }
        // Weak: the operation owns the handler, so a strong reference would leak an operation that never runs.
        operation.completionHandler = { [self, weak operation] _, _, _ in
            guard let operation else { return }
            let result = result(of: operation)
            switch result {
            case .success(let value): endpoint.handle(value)
            case .failure(let error): endpoint.handle(error: error)
            }
            completionHandler?(result)
        }
        return operation
    }

    /// Returns the endpoint's result for an operation that has ended. Call it only once: it gives the value away.
    func result(of operation: RequestOperation) -> Result<E.Value, E.Failure> {
        switch operation.result ?? .failure(.cancelled) {
        case .success(let response):
            do {
                // Processors do not see every response: a file that was kept has no content to process.
                return .success(try takeValue() ?? endpoint.parse(response))
            } catch {
                let completed = NetworkError(error, thrownBy: endpoint, as: .processing).completed(
                    id: operation.id, attempts: operation.attempts, request: operation.request, response: response)
                return .failure(endpoint.parseError(completed))
            }
        case .failure(let error):
            return .failure(endpoint.parseError(error))
        }
    }

    private func parse(_ response: Response, for id: RequestID) throws {
        let value = try endpoint.parse(response)
        state.withLock { if $0.operationID == id { $0.value = value } }
    }

    private func takeValue() -> E.Value? {
        state.withLock { $0.value.take() }
    }
}

/// The last processor of an endpoint's request, which parses the response and identifies the endpoint.
struct EndpointParser: ResponseProcessor, HookWrapper {
    let endpoint: any Endpoint
    /// Parses a response for the operation with the given ID.
    let parse: @Sendable (Response, RequestID) throws -> Void

    var userType: Any.Type { type(of: endpoint) }

    func process(_ response: Response, in context: AttemptContext) throws -> Response {
        try parse(response, context.operationID)
        return response
    }
}
