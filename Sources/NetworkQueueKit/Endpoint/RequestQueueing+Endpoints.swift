/// Endpoints in a queue: each is run by an operation of its own.
extension RequestQueueing {
    /// Adds an endpoint and returns its operation.
    ///
    /// Where the queue does not allow duplicates, it cancels one of the same type with an equal request, and none of
    /// another type.
    ///
    /// - Parameter completionHandler: called once at the end, on the callback queue, after the endpoint itself has
    ///   handled the result. It is the operation's own ``RequestOperation/completionHandler`` that calls it, so do not
    ///   set that.
    @discardableResult
    public func add<E: Endpoint>(
        _ endpoint: E, completionHandler: (@Sendable (Result<E.Value, E.Failure>) -> Void)? = nil
    ) -> RequestOperation {
        let operation = EndpointRun(endpoint).makeOperation(completionHandler)
        add(operation)
        return operation
    }

    /// Runs an endpoint and returns its value. In a ``NetworkQueue`` it waits for `go()`.
    ///
    /// It returns after the endpoint has handled the result on the callback queue. Cancelling the task cancels this
    /// operation and nothing else. Where the queue does not allow duplicates, it neither cancels an equal request nor
    /// is cancelled by one.
    ///
    /// - Throws: what the endpoint makes of the failure, a cancellation included.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws(E.Failure) -> E.Value {
        let run = EndpointRun(endpoint)
        let handover = Handover<Result<E.Value, E.Failure>>()
        let operation = run.makeOperation { [sender = handover.makeSender()] in sender.send($0) }
        addAwaited(operation)
        // For its cancellation, and for an end whose handlers `reset()` throws away; the result comes by way of the
        // handler.
        _ = try? await operation.response()
        return try await (handover.value() ?? run.result(of: operation)).get()
    }

    /// The operations of this kind of endpoint that have not ended: first those that run, then those that wait. O(n log
    /// n).
    public func operations<E: Endpoint>(of kind: E.Type) -> [RequestOperation] {
        requests.filter { $0.endpoint is E }
    }

    /// Whether the queue has an operation of this kind of endpoint that has not ended. O(n log n).
    public func isActive<E: Endpoint>(_ kind: E.Type) -> Bool {
        requests.contains { $0.endpoint is E }
    }

    /// Cancels all operations of this kind of endpoint. Those that are added from now on, and all others, are not
    /// affected. O(n log n).
    public func cancelAll<E: Endpoint>(of kind: E.Type) {
        // The last first: the slot of one that runs would go to one that waits.
        for operation in operations(of: kind).reversed() { cancel(operation) }
    }
}

extension Endpoint {
    /// Runs the endpoint in ``RequestQueue/main`` and returns its operation.
    ///
    /// It starts at once when the queue has a free slot. One of the same type with an equal request that is still in
    /// the queue is cancelled, as the queue does not allow duplicates, unless you have changed that. To ask what runs,
    /// and to cancel it, use the queue: `RequestQueue.main.cancelAll(of: Self.self)`.
    ///
    /// - Parameter completionHandler: called once at the end, on the queue's `callbackQueue`, after the endpoint itself
    ///   has handled the result.
    @discardableResult
    public func start(
        _ completionHandler: (@Sendable (Result<Value, Failure>) -> Void)? = nil
    ) -> RequestOperation {
        RequestQueue.main.add(self, completionHandler: completionHandler)
    }
}
