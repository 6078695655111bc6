/// Awaiting the end of an operation.
extension RequestOperation {
    /// The response, or the error with which the operation ended; `nil` before the end.
    public var result: Result<Response, NetworkError>? { finalResult?.asResult }

    /// Waits for the end of the operation and returns the response.
    ///
    /// It starts nothing: you have to start an operation that is in no queue, and one in a ``NetworkQueue`` waits for
    /// `go()`. Any number of tasks may wait. The wait does not include handlers and delegate calls.
    ///
    /// Canceling one of the waiting tasks cancels the operation, and nothing else.
    ///
    /// - Throws: the operation's error; `.cancelled` if it was canceled.
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

    /// Calls `waiter` when the operation ends, on any thread; immediately if it has ended.
    func notify(_ waiter: @escaping @Sendable (Result<Response, NetworkError>) -> Void) {
        let result = state.withLock { state -> RequestResult? in
            if let result = state.answer.result { return result }
            // An operation canceled before anything started it can only end as canceled, whenever that is.
            if state.isCancelled, state.isOutside { return RequestResult(error: .cancelled) }
            let handlers = state.handlers ?? Handlers()
            handlers.waiters.append(waiter)
            state.handlers = handlers
            return nil
        }
        if let result { waiter(completed(result).asResult) }
    }

    /// Ends the wait for a canceled operation that may never be started.
    func endWaitUnlessStarted() {
        let waiters = state.withLock { state in state.isOutside ? state.handlers?.takeWaiters() ?? [] : [] }
        for waiter in waiters { waiter(completed(RequestResult(error: .cancelled)).asResult) }
    }
}

extension RequestOperation.State {
    /// Whether the operation is in no queue of this library and has not been started.
    fileprivate var isOutside: Bool { if case .none = home { true } else { false } }
}
