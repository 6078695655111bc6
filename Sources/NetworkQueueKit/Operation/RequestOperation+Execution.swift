import Foundation

extension RequestOperation {
    /// Told what happens, in place of the queue's own listener.
    var listener: (any OperationListener)? {
        get { state.withLock { $0.listener } }
        set {
            hasExecution.store(true, ordering: .releasing)
            state.withLock { $0.listener = newValue }
        }
    }

    /// What runs the operation, from its start to its end; what it tells in place of the queue's own listener; and whether the
    /// `autoRetry` properties have been used.
    var execution: (run: RequestRun?, listener: (any OperationListener)?, hasAutoRetry: Bool) {
        guard hasExecution.load(ordering: .acquiring) else { return (nil, nil, false) }
        return state.withLock { ($0.run, $0.listener, $0.hasAutoRetry) }
    }

    /// Has `listener` told what has happened.
    func tell(_ listener: any OperationListener, of event: RequestEvent) {
        listener.operation(self, did: event)
        if noteProgress(event) { listener.operationHasProgress(self) }
    }

    /// Makes the operation belong to a queue; returns whether it waits for another operation.
    func attach(to queue: OperationSchedulerReference) -> Bool {
        let hasDependencies = state.withLock { state -> Bool? in
            guard case .none = state.home else { return nil }
            state.home = .queue(queue)
            return state.hasDependencies
        }
        // Not `precondition`, which says nothing in release builds.
        guard let hasDependencies else {
            fatalError("A RequestOperation can be started or added to a queue once.")
        }
        return hasDependencies && !isReady
    }

    /// Lets go of the operations that this one need not wait for any more.
    ///
    /// On Linux they refer to it by an unsafe pointer until they end, and would then follow it wherever it leads.
    func leaveDependencies() {
        #if !canImport(ObjectiveC)
            for dependency in dependencies { removeDependency(dependency) }
        #endif
    }

    /// Whether the operation was added to `queue`.
    func isAttached(to queue: any OperationScheduler) -> Bool {
        // Not under the lock: this may be the last reference to another queue, which would then cancel this operation.
        guard case .queue(let home) = state.withLock({ $0.home }) else { return false }
        return home.value === queue
    }

    /// Ends the operation, unless it has ended before.
    func end(with result: consuming RequestResult, telling listener: any OperationListener) {
        if let error = result.error, !error.isCancellation {
            let last = listener.answerer?.operation(self, willEndWith: error) ?? error
            result.error = last.completed(
                id: id, attempts: result.attempts, request: request, response: result.response)
        }
        if result.endDate == nil { result.endDate = .now }
        conclude(result, telling: listener)
    }

    /// Makes the operation running; returns `false` when it must not go on because it has been cancelled or has ended.
    func begin(_ run: RequestRun) -> Bool {
        // Foundation on Linux has no observers but its own, which do not look at `isExecuting`.
        #if canImport(ObjectiveC)
            willChangeValue(forKey: "isExecuting")
            defer { didChangeValue(forKey: "isExecuting") }
        #endif
        let running = Self.running
        defer { running.report() }
        hasExecution.store(true, ordering: .releasing)
        return state.withLock { state in
            guard state.status == .waiting else { return false }
            running.add(1)
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
            state.answer = .none
        }
    }

    /// Makes the operation running again.
    func beginNextAttempt() {
        state.withLock { state in
            state.status = .running
            state.attempts += 1
        }
    }

    /// How the operation ended; `nil` before.
    var finalResult: RequestResult? { state.withLock { $0.answer.result }.map { completed($0) } }

    /// A result of this operation with what its error lacks about it.
    ///
    /// Cancellations are completed here, where they are read, and not at the end: operations that are cancelled together share one result,
    /// and most of their errors are never read. One that a hook has thrown may be about another operation.
    func completed(_ result: RequestResult) -> RequestResult {
        guard let error = result.error, error.operationID != id else { return result }
        var result = result
        result.error = error.completed(id: id, attempts: result.attempts, request: request, response: result.response)
        return result
    }

    /// Notes how long the question for the size took.
    func setSizingDuration(_ duration: Duration) {
        state.withLock { $0.sizingMicroseconds = UInt32(clamping: Int64(duration.seconds * 1_000_000)) }
    }

    /// What the question for the size has told, where it tells whether a file that is there is current.
    var sizedHead: ResponseHead? { request.destination.mayKeepFile ? state.withLock { $0.handlers?.sizedHead } : nil }

    /// Notes that the question for the size was answered with success.
    func noteSized(_ head: ResponseHead) {
        state.withLock { state in
            state.hasSizedHead = true
            guard request.destination.mayKeepFile else { return }
            let handlers = state.handlers ?? Handlers()
            handlers.sizedHead = head
            state.handlers = handlers
        }
    }

    func setResponseHead(_ head: ResponseHead) {
        state.withLock { $0.answer = .head(head) }
    }

    /// Lets go of the page of its failure, where very many have failed.
    func dropPage() {
        state.withLock { state in
            guard case .result(var result) = state.answer else { return }
            result.dropPage()
            state.answer = .result(result)
        }
    }

    /// Makes the operation ended, unless it was before; then has the listener told. When the callbacks have been made, or there are none,
    /// it is finished, and those that depend on it may start.
    private func conclude(_ result: consuming RequestResult, telling listener: any OperationListener) {
        #if canImport(ObjectiveC)
            let status = status
            guard !status.isTerminal else { return }
            let wasExecuting = status != .waiting
            if wasExecuting { willChangeValue(forKey: "isExecuting") }
        #endif
        let running = Self.running
        // The run and the listener refer back to the operation and its queue: let go of them outside the lock.
        let ended = state.withLock { state -> Ended? in
            guard !state.status.isTerminal else { return nil }
            if state.status != .waiting { running.add(-1) }
            state.status = Status(result.outcome)
            // What has begun need not have been sent.
            state.attempts = UInt32(clamping: result.attempts)
            // Not where there are none: a result that is shared would be copied.
            if state.sizingMicroseconds > 0, result.metrics != nil {
                result.metrics?.sizingDuration = .microseconds(Int64(state.sizingMicroseconds))
            }
            if state.hasSizedHead, let code = result.error?.code, NetworkError.mayComeFromHead.contains(code) {
                result.error?.mayComeFromHead = true
            }
            state.answer = .result(result)
            defer {
                state.run = nil
                state.listener = nil
            }
            return Ended(
                run: state.run, listener: state.listener, hasDependencies: state.hasDependencies,
                waiters: state.handlers?.takeWaiters() ?? [])
        }
        #if canImport(ObjectiveC)
            if wasExecuting { didChangeValue(forKey: "isExecuting") }
        #endif
        guard let ended else { return }
        if !ended.waiters.isEmpty {
            let result = completed(result).asResult
            for waiter in ended.waiters { waiter(result) }
        }
        running.report()
        if ended.hasDependencies, result.isCancellation { leaveDependencies() }
        listener.operation(self, did: .ended(result))
        if !listener.finishesOperations { finish() }
    }

    /// What an operation lets go of at its end.
    private struct Ended {
        let run: RequestRun?
        let listener: (any OperationListener)?
        let hasDependencies: Bool
        let waiters: [@Sendable (Result<Response, NetworkError>) -> Void]
    }
}
