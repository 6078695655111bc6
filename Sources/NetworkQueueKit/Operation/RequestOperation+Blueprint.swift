extension RequestOperation {
    /// What it takes to make another operation like this one: a request runs again as a new operation.
    ///
    /// Without the handlers: they may refer to the operation itself, which would then live as long as this.
    struct Blueprint: Sendable {
        fileprivate let request: NetworkRequest
        fileprivate let autoRetry: AutoRetry?

        func makeOperation() -> RequestOperation {
            let operation = RequestOperation(request)
            if let autoRetry { operation.withAutoRetry { $0 = autoRetry } }
            return operation
        }
    }

    var blueprint: Blueprint {
        Blueprint(request: request, autoRetry: state.withLock { $0.autoRetry })
    }
}
