/// The end of an operation, for code that waits for it.
extension RequestOperation {
    /// The response, or the error that the operation ended with; `nil` before the end.
    public var result: Result<Response, NetworkError>? { finalResult?.asResult }

    /// Waits for the end of the operation and returns the response.
    ///
    /// It starts nothing: an operation that is in no queue has to be started, and one in a ``NetworkQueue`` waits for
    /// `go()`. Any number of tasks may wait. It does not wait for handlers and delegates to have been called.
    ///
    /// Cancelling one of the waiting tasks cancels the operation, and nothing else.
    ///
    /// - Throws: the operation's error; `.cancelled` when it was cancelled.
    public func response() async throws(NetworkError) -> Response {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                notify { continuation.resume(returning: $0) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Calls `waiter` at the end, on whatever thread that comes; at once when it has come.
    func notify(_ waiter: @escaping @Sendable (Result<Response, NetworkError>) -> Void) {
        let result = state.withLock { state -> RequestResult? in
            if let result = state.answer.result { return result }
            // One that was cancelled where nothing has started it will end in no other way, whenever that is.
            if state.isCancelled, state.isOutside { return RequestResult(error: .cancelled) }
            let handlers = state.handlers ?? Handlers()
            handlers.waiters.append(waiter)
            state.handlers = handlers
            return nil
        }
        if let result { waiter(completed(result).asResult) }
    }

    /// Tells those that wait for an operation which has been cancelled, and which nothing may ever start.
    func endWaitUnlessStarted() {
        let waiters = state.withLock { state in state.isOutside ? state.handlers?.takeWaiters() ?? [] : [] }
        for waiter in waiters { waiter(completed(RequestResult(error: .cancelled)).asResult) }
    }
}

extension RequestOperation.State {
    /// Whether it is in no queue of this library and has not been started.
    fileprivate var isOutside: Bool { if case .none = home { true } else { false } }
}
