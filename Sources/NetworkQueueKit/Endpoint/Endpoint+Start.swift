extension Endpoint {
    /// Runs the endpoint in ``RequestQueue/main`` and returns its operation.
    ///
    /// It starts at once when the queue has a free slot. One of the same type with an equal request that is still in the queue is
    /// cancelled, as the queue does not allow duplicates, unless you have changed that. To ask what runs, and to cancel it, use the queue:
    /// `RequestQueue.main.cancelAll(of: Self.self)`.
    ///
    /// - Parameter completionHandler: called once at the end, on the queue's `callbackQueue`, after the endpoint itself has
    ///   handled the result.
    @discardableResult
    public func start(
        _ completionHandler: (@Sendable (Result<Value, Failure>) -> Void)? = nil
    ) -> RequestOperation {
        RequestQueue.main.add(self, completionHandler: completionHandler)
    }
}
