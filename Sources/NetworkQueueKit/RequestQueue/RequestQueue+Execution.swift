import Foundation

extension RequestQueue {
    /// Adds an operation; it starts at once when a slot is free. O(1).
    ///
    /// An operation that is in a queue already, or has been started, traps.
    public func add(_ operation: RequestOperation) {
        add(operation, stage: .transfer)
    }

    // MARK: For NetworkQueue

    /// Keeps transfers, but not sizing, from starting. Nothing is started from here: see `startWaiting`.
    func setGated(_ isGated: Bool) {
        state.withLock { $0.scheduler.isGated = isGated }
    }

    /// Starts what may start.
    func startWaiting() {
        mutate { _ in }
    }

    /// Sets how many requests of stage `.sizing` run at a time; returns whether that is a change. Nothing is started from here: see
    /// `startWaiting`.
    @discardableResult
    func setSizingLimit(_ limit: Int) -> Bool {
        state.withLock { state in
            defer { state.scheduler.maximumSizing = limit }
            return state.scheduler.maximumSizing != limit
        }
    }

    /// How many requests of that stage are worth having in the queue: more than can run, so that there is always one to start. Hosts may
    /// be full, and others should not wait for these.
    var sizingWindow: Int {
        state.withLock { state in
            if state.scheduler.hosts.isRuleInForce { return 4096 }
            let limits = [state.scheduler.maximumRunning, state.scheduler.maximumSizing]
            return limits.contains(0) ? 256 : limits.max().map { $0 * 2 } ?? 256
        }
    }

    /// Notes whether the queue, which a batch is part of, keeps itself alive while it has requests. Returns what is to be let go of
    /// outside of any lock.
    func setStarted(_ isStarted: Bool) -> (any AnyObject & Sendable)? {
        state.withLock { state in
            state.isStarted = isStarted
            return state.updateKeptQueue(self)
        }
    }

    /// Has `listener` told of all operations in place of their handlers.
    func setListener(_ listener: any OperationListener) {
        reference.setBatch(listener)
    }

    /// - Parameter time: now, on the queue's clock, where the caller has looked at it.
    func add(_ operation: RequestOperation, stage: Scheduler.Stage, at time: Duration? = nil) {
        let time = time ?? timekeeper.now
        let isParked = operation.attach(to: reference)
        // Outside the lock, as what may take its time is.
        let hash =
            stage == .transfer && looksForDuplicates.load(ordering: .relaxed) ? operation.request.equivalenceHash : nil
        let candidates = mutate { state in
            operation.queueEntry.addTime = QueueTicks(time)
            let ticket = state.scheduler.add(
                operation, priority: RequestPriority(operation.priority), stage: stage, isParked: isParked)
            operation.queueEntry.ticket = ticket
            return stage == .transfer ? state.duplicates.insert(operation, hash: hash) : []
        }
        for other in candidates where other.request.isEquivalent(to: operation.request) { other.cancel() }
        if isParked { unparkWhenReady(operation) }
        // It may have been cancelled before it was in the queue: then there was no queue to take it out.
        if operation.isCancelled { cancelWaiting(operation) }
    }

    /// Cancels the operations for which `isIncluded` returns `true`. It is called under the queue's lock.
    func cancelAll(where isIncluded: (RequestOperation) -> Bool) {
        let (waiting, running) = mutate { state in
            let running = state.scheduler.runningElements.filter(isIncluded)
            let waiting = state.scheduler.removeWaiting(where: isIncluded)
            state.forget(waiting)
            state.endingCount += waiting.count
            return (waiting, running)
        }
        endCancelled(waiting)
        for operation in running { operation.cancel() }
    }

    /// Ends operations that have been taken out of the queue, and counted in `endingCount`.
    func endCancelled(_ operations: consuming [RequestOperation]) {
        let count = operations.count
        guard count > 0 else { return }
        defer {
            state.withLock { $0.endingCount -= count }
            if emptyWaiters.hasWaiters { emptyWaiters.check() }
        }
        let listener = reference.listener
        // One for all, as they have been cancelled together.
        let result = RequestResult(error: .cancelled, endDate: .now)
        operations.reverse()
        // Each is let go of when it has ended: what is in the processor's cache yet is freed soonest.
        while let operation = operations.popLast() {
            let (_, run, ownListener) = operation.noteCancellation()
            if let run {
                // It waits for a retry: the end is the run's.
                run.cancel()
            } else {
                operation.end(with: result, telling: ownListener ?? listener)
            }
        }
    }

    /// Cancels those operations that have not been started, of those for which `isIncluded` returns `true`; it is called under
    /// the queue's lock.
    func cancelWaiting(where isIncluded: (RequestOperation) -> Bool) {
        let waiting = mutate { state in
            let waiting = state.scheduler.removeWaiting { isIncluded($0) && $0.status == .waiting }
            state.forget(waiting)
            state.endingCount += waiting.count
            return waiting
        }
        endCancelled(waiting)
    }

    func listener(of operation: RequestOperation) -> any OperationListener {
        operation.listener ?? reference.listener
    }

    /// Changes the state, then starts what may start, outside the lock.
    ///
    /// One thread at a time starts operations, in a loop: so they start in order, and an operation that ends while it is
    /// being started does not pile up stack frames, however many of them follow one another.
    @discardableResult
    func mutate<Result>(_ body: (inout State) -> Result) -> Result {
        var next: Start?
        let (result, isSizing, formerQueue) = state.withLock { state in
            let result = body(&state)
            // First, as what starts is given it.
            let formerQueue = state.updateKeptQueue(self)
            next = state.nextToStart(for: self, isOwnTurn: false)
            return (result, state.scheduler.sizingCount > 0, formerQueue)
        }
        while let start = next.take() {
            run(consume start)
            state.withLock { next = $0.nextToStart(for: self, isOwnTurn: true) }
        }
        // Sizing is to delay no transfer: not by a place at a host, either.
        if isSizing { state.withLock { $0.scheduler.nextObstructingSizing() }?.cancel() }
        if emptyWaiters.hasWaiters { emptyWaiters.check() }
        // Last: it may be the last reference to the queue.
        withExtendedLifetime(formerQueue) {}
        return result
    }

    /// Lets an operation start that has been added as parked, once those have ended that it depends on.
    ///
    /// Foundation tells only the operations that depend on an operation about its end.
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

    /// An operation to start, with what applies to it at this moment.
    struct Start {
        let operation: RequestOperation
        let environment: RunEnvironment
        let kept: KeptQueue?
    }

    private func run(_ start: consuming Start) {
        let (run, listener, hasAutoRetry) = start.operation.execution
        if let run { return run.resume() }
        let kept =
            listener.map { KeptQueue(self, listener: $0) } ?? start.kept
            ?? KeptQueue(self, listener: reference.listener)
        OperationRun.start(
            start.operation, in: start.environment, telling: listener, scheduler: reference, keeping: kept,
            hasAutoRetry: hasAutoRetry)
    }
}

extension RequestQueue.State {
    /// The next operation to start, when it is the caller's to start it.
    mutating func nextToStart(for queue: RequestQueue, isOwnTurn: Bool) -> RequestQueue.Start? {
        // Those that have ended, or wait for a retry, give their places back.
        queue.cap.end(placeCount - scheduler.runningCount)
        placeCount = scheduler.runningCount
        guard isOwnTurn || !isStarting else { return nil }
        var isRefused = false
        let next = scheduler.startNext { [placeCount] in
            isRefused = !queue.cap.tryStart(isFirst: placeCount == 0)
            return !isRefused
        }
        placeCount = scheduler.runningCount
        // Nothing tells when another queue has given a place back.
        if isRefused, !asksAgain {
            asksAgain = true
            _ = queue.timekeeper.schedule(after: .seconds(1)) { [weak queue] in queue?.mutate { $0.asksAgain = false } }
        }
        isStarting = next != nil
        return next.map {
            RequestQueue.Start(operation: $0.element, environment: environment, kept: keptQueue)
        }
    }
}
