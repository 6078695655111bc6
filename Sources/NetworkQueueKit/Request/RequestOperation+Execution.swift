import Foundation

extension RequestOperation {
    /// Whom to tell what happens, in place of the queue's own observer.
    var observer: (any OperationObserver)? {
        get { state.withLock { $0.observer } }
        set { state.withLock { $0.observer = newValue } }
    }

    /// What runs the operation, from its start to its end; whom it tells, if not the queue's own observer; and whether somebody
    /// has used the `autoRetry` properties.
    var execution: (run: RequestRun?, observer: (any OperationObserver)?, hasAutoRetry: Bool) {
        state.withLock { ($0.run, $0.observer, $0.hasAutoRetry) }
    }

    /// Makes the operation belong to `queue`.
    func attach(to queue: WeakReference<RequestQueue>) {
        let isFree = state.withLock { state in
            guard case .none = state.home else { return false }
            state.home = .queue(queue)
            return true
        }
        precondition(isFree, "A RequestOperation can be started or added to a queue once.")
    }

    /// Whether it waits for another operation.
    var isWaitingForDependencies: Bool { state.withLock { $0.hasDependencies } && !isReady }

    /// Lets go of the operations that this one need not wait for any more.
    ///
    /// On Linux they refer to it by an unsafe pointer until they end, and would then follow it wherever it leads.
    func leaveDependencies() {
        #if !canImport(ObjectiveC)
            for dependency in dependencies { removeDependency(dependency) }
        #endif
    }

    /// Whether the operation was added to `queue`.
    func isAttached(to queue: RequestQueue) -> Bool {
        state.withLock { state in
            if case .queue(let home) = state.home { home.value === queue } else { false }
        }
    }

    /// Ends the operation as cancelled, after its queue has taken it out.
    func endCancelled(observer: any OperationObserver) {
        _ = noteCancellation()
        observer.end(self, with: OperationResult(error: .cancelled))
    }

    /// Makes the operation running; returns `false` when it must not go on because it has been cancelled or has ended.
    func begin(_ run: RequestRun) -> Bool {
        // Foundation on Linux has no observers but its own, which do not look at `isExecuting`.
        #if canImport(ObjectiveC)
            willChangeValue(forKey: "isExecuting")
            defer { didChangeValue(forKey: "isExecuting") }
        #endif
        return state.withLock { state in
            guard state.status == .waiting else { return false }
            state.status = .running
            state.run = run
            state.attempts = 1
            return !state.isCancelled
        }
    }

    /// Makes the operation wait for another attempt: what the former one has brought is forgotten.
    func beginWait() {
        state.withLock { state in
            state.status = .retrying
            state.responseHead = nil
        }
    }

    /// Makes the operation running again.
    func beginNextAttempt() {
        state.withLock { state in
            state.status = .running
            state.attempts += 1
        }
    }

    func setResponseHead(_ head: ResponseHead) {
        state.withLock { $0.responseHead = head }
    }

    /// Makes the operation ended; returns whether it had not been before.
    func conclude(_ result: OperationResult) -> Bool {
        #if canImport(ObjectiveC)
            let status = status
            guard !status.isTerminal else { return false }
            let changed = status == .waiting ? ["isFinished"] : ["isExecuting", "isFinished"]
            changed.forEach(willChangeValue(forKey:))
            defer { changed.forEach(didChangeValue(forKey:)) }
        #endif
        // The run and the observer refer back to the operation and its queue: let go of them outside the lock.
        let ended = state.withLock { state -> (RequestRun?, (any OperationObserver)?, hasDependencies: Bool)? in
            guard !state.status.isTerminal else { return nil }
            state.status = result.status
            state.outcome = result
            defer {
                state.run = nil
                state.observer = nil
                state.responseHead = nil
            }
            return (state.run, state.observer, state.hasDependencies)
        }
        guard let ended else { return false }
        if ended.hasDependencies, result.isCancellation { leaveDependencies() }
        #if !canImport(ObjectiveC)
            // Foundation on Linux looks at nothing else, and not at what comes before.
            didChangeValue(forKey: "isFinished")
        #endif
        return true
    }
}
