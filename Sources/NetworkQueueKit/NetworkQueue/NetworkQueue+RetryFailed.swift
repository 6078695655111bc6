extension NetworkQueue {
    /// A request that did not get through.
    struct Unfinished {
        let blueprint: RequestOperation.Blueprint
        /// Whether it was cancelled because another failed, rather than failed itself.
        let isCancelled: Bool
    }

    /// Runs the requests that have failed in this run again, as new operations, and returns those.
    ///
    /// The delegate hears of them as of any other; the handlers of the former operations do not go along.
    /// On a drained queue they begin a new run: progress and counts start from zero, and the drain is reported again. On one
    /// that still runs they are added to the run. When nothing has failed, nothing happens. What `cancel` and `cancelAll` have
    /// ended is not run again, nor is what a task has awaited, such as `data(for:)`: that task has been told of the failure.
    ///
    /// - Parameter includingCancelled: whether those are run again, too, that `cancelsAllOnFailure` has cancelled because of
    ///   the failure of another. Default `false`.
    @discardableResult
    public func retryFailed(includingCancelled: Bool = false) -> [RequestOperation] {
        let chosen = state.withLock { state in
            let chosen = state.unfinished.filter { includingCancelled || !$0.isCancelled }
            state.unfinished.removeAll { includingCancelled || !$0.isCancelled }
            return chosen
        }
        let operations = chosen.map { $0.blueprint.makeOperation() }
        addTogether(operations)
        return operations
    }
}
