/// Endpoints in a queue, each run by an operation of its own.
extension RequestQueueing {
    /// Adds an endpoint and returns its operation.
    ///
    /// If the queue does not allow duplicates, this cancels an earlier endpoint of the same type with an equal request.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint to run.
    ///   - completionHandler: called once at the end, on the callback queue, after the endpoint has handled the
    ///     result. The operation's ``RequestOperation/completionHandler`` calls it, so do not set that property.
    @discardableResult
    public func add<E: Endpoint>(
        _ endpoint: E, completionHandler: (@Sendable (Result<E.Value, E.Failure>) -> Void)? = nil
    ) -> RequestOperation {
        let operation = EndpointRun(endpoint).makeOperation(completionHandler)
        add(operation)
        return operation
    }

    /// Runs an endpoint and returns its value. In a ``NetworkQueue`` this waits for `go()`.
    ///
    /// Returns after the endpoint has handled the result on the callback queue. Canceling the task cancels only this
    /// operation. It neither cancels an equal request nor is canceled by one, even if the queue does not allow
    /// duplicates.
    ///
    /// - Throws: the endpoint's conversion of the failure, including a cancellation.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws(E.Failure) -> E.Value {
        let run = EndpointRun(endpoint)
        let handover = Handover<Result<E.Value, E.Failure>>()
        let operation = run.makeOperation { [sender = handover.makeSender()] in sender.send($0) }
        addAwaited(operation)
        // Also returns for a cancellation, or if `reset()` discards the handlers; normally the handler delivers the
        // result.
        _ = try? await operation.response()
        return try await (handover.value() ?? run.result(of: operation)).get()
    }

    /// Returns the unfinished operations of a type of endpoint, first the running ones, then the waiting ones.
    /// O(n log n).
    public func operations<E: Endpoint>(of kind: E.Type) -> [RequestOperation] {
        requests.filter { $0.endpoint is E }
    }

    /// Returns whether the queue has an unfinished operation of a type of endpoint. O(n log n).
    public func isActive<E: Endpoint>(_ kind: E.Type) -> Bool {
        requests.contains { $0.endpoint is E }
    }

    /// Cancels all operations of a type of endpoint. Other operations, and those added later, are not affected.
    /// O(n log n).
    public func cancelAll<E: Endpoint>(of kind: E.Type) {
        // Last to first, so that a slot freed by a running operation does not go to a waiting one.
        for operation in operations(of: kind).reversed() { cancel(operation) }
    }
}

extension Endpoint {
    /// Runs the endpoint in ``RequestQueue/main`` and returns its operation.
    ///
    /// It starts at once if the queue has a free slot. Unless you change its settings, the queue does not allow
    /// duplicates, and cancels an earlier endpoint of the same type with an equal request. To list or cancel running
    /// endpoints, use the queue: `RequestQueue.main.cancelAll(of: Self.self)`.
    ///
    /// - Parameter completionHandler: called once at the end, on the queue's `callbackQueue`, after the endpoint has
    ///   handled the result.
    @discardableResult
    public func start(
        _ completionHandler: (@Sendable (Result<Value, Failure>) -> Void)? = nil
    ) -> RequestOperation {
        RequestQueue.main.add(self, completionHandler: completionHandler)
    }
}
