import Foundation

extension RequestQueue {
    // MARK: For NetworkQueue

    /// Keeps transfers, but not sizing, from starting. Nothing is started from here: see `startWaiting`.
    func setHeld(_ isHeld: Bool) {
        state.withLock { $0.scheduler.isHeld = isHeld }
    }

    /// Starts what may start.
    func startWaiting() {
        mutate { _ in }
    }

    /// Has `observer` told of all operations in place of their handlers.
    func setObserver(_ observer: any OperationObserver) {
        state.withLock { $0.observer = WeakObserver(observer) }
    }

    func add(_ operation: RequestOperation, stage: Scheduler.Stage) {
        operation.attach(to: reference)
        let isParked = operation.isWaitingForDependencies
        let earlier = mutate { state in
            let ticket = state.scheduler.add(
                operation, priority: RequestPriority(operation.request.priority), stage: stage, isParked: isParked)
            operation.ticket = ticket
            return stage == .transfer ? state.duplicates.insert(operation) : []
        }
        for other in earlier { other.cancel() }
        if isParked { unparkWhenReady(operation) }
        // It may have been cancelled before it was anybody's: then nobody was there to take it out.
        if operation.isCancelled { cancelWaiting(operation) }
    }

    /// Cancels the operations for which `isIncluded` returns `true`. It is called under the queue's lock.
    func cancelAll(where isIncluded: (RequestOperation) -> Bool) {
        let (waiting, running) = mutate { state in
            let running = state.scheduler.runningElements.filter(isIncluded)
            let waiting = state.scheduler.removeWaiting(where: isIncluded)
            for operation in waiting { state.forget(operation) }
            return (waiting, running)
        }
        for operation in waiting {
            // One that waits for a retry has a run, whose end is its own.
            if operation.isExecuting {
                operation.cancel()
            } else {
                operation.endCancelled(observer: observer(of: operation))
            }
        }
        for operation in running { operation.cancel() }
    }

    // MARK: For RequestOperation and RequestRun

    /// Takes an operation out that has been cancelled, and ends it, unless it runs.
    func cancelWaiting(_ operation: RequestOperation) {
        let wasWaiting = mutate { state in
            guard let ticket = operation.ticket, case .removed = state.scheduler.cancel(ticket) else { return false }
            state.forget(operation)
            return true
        }
        if wasWaiting { observer(of: operation).end(operation, with: OperationResult(error: .cancelled)) }
    }

    /// Has an operation that is about to end count no more. It keeps its slot until it has ended: what starts in its place
    /// must not come before its end.
    func hide(_ operation: RequestOperation) {
        state.withLock { state in
            guard !operation.isHidden, let ticket = operation.ticket, state.scheduler.contains(ticket) else { return }
            operation.isHidden = true
            state.hiddenCount += 1
        }
    }

    /// Takes an operation that has ended out of the queue, which frees its slot.
    func release(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.ticket, state.scheduler.finish(ticket) == nil {
                // It had no slot: it was waiting for one to retry.
                _ = state.scheduler.cancel(ticket)
            }
            state.forget(operation)
        }
    }

    /// Takes an operation's slot away while it waits for a retry.
    func park(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.ticket { state.scheduler.park(ticket) }
        }
    }

    /// Gives an operation the next slot: its wait is over.
    func unpark(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.ticket { state.scheduler.unpark(ticket) }
        }
    }

    func observer(of operation: RequestOperation) -> any OperationObserver {
        operation.observer ?? state.withLock { $0.observer?.value } ?? handlers
    }

    /// Changes the state, then starts what may start, outside the lock.
    ///
    /// One thread at a time starts operations, in a loop: so they start in order, and an operation that ends while it is
    /// being started does not pile up stack frames, however many of them follow one another.
    @discardableResult
    func mutate<Result>(_ body: (inout State) -> Result) -> Result {
        var (result, next) = state.withLock { state in
            let result = body(&state)
            return (result, state.nextToStart(isOwnTurn: false))
        }
        while let start = next.take() {
            run(consume start)
            next = state.withLock { $0.nextToStart(isOwnTurn: true) }
        }
        return result
    }

    /// Lets an operation start that has been added as parked, once those have ended that it depends on.
    ///
    /// Foundation tells nobody about the end of an operation but the operations that depend on it.
    private func unparkWhenReady(_ operation: RequestOperation) {
        let gate = OperationQueue()
        let last = BlockOperation { [weak self, weak operation] in
            if let self, let operation { unpark(operation) }
            // Until here the gate is kept by what stands in it.
            withExtendedLifetime(gate) {}
        }
        for dependency in operation.dependencies { last.addDependency(dependency) }
        gate.addOperation(last)
    }

    private func run(_ start: consuming Start) {
        let (run, observer, hasAutoRetry) = start.operation.execution
        if let run { return run.resume() }
        RequestRun(
            start.operation, environment: start.environment, observer: observer ?? start.observer ?? handlers,
            queue: self, hasAutoRetry: hasAutoRetry
        ).start()
    }
}
