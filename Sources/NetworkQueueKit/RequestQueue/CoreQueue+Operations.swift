/// What both queues do with their operations.
extension CoreQueue {
    /// Requests a slot for an operation that was added parked, once its dependencies have ended.
    func requestSlotWhenReady(_ operation: RequestOperation) {
        operation.whenReady { [weak self, weak operation] in
            if let operation { self?.requestSlot(for: operation) }
        }
    }

    /// Cancels the operations for which `isIncluded`, which is called under the queue's lock, returns `true`.
    func cancelAll(where isIncluded: (RequestOperation) -> Bool) {
        modify { state, now, effects in
            state.cancelAll(now: now, into: &effects, where: isIncluded)
        }
    }

    /// Cancels the included operations that have not been started.
    func cancelUnstarted(where isIncluded: (RequestOperation) -> Bool) {
        modify { state, now, effects in
            state.cancelWaiting(now: now, into: &effects) {
                !$0.hasStarted && $0.helped == nil && isIncluded($0)
            }
        }
    }

    /// Cancels an operation, if it is in this queue.
    func cancelMember(_ operation: RequestOperation) {
        // Check the operation first: its ticket has no meaning in another queue.
        guard operation.isAttached(to: self), loop.access({ $0.core.contains(operation) }) else { return }
        operation.cancel()
    }

    var isCoreSuspended: Bool { loop.access { $0.core.scheduler.isSuspended } }

    func setCoreSuspended(_ isSuspended: Bool) {
        modify { state, _, _ in state.core.scheduler.isSuspended = isSuspended }
        endWaitsForPause(isSuspended)
    }

    /// Lets tasks that wait for a pause go on when the queue is resumed.
    private func endWaitsForPause(_ isSuspended: Bool) {
        if !isSuspended, stateWaiters.hasWaiters { stateWaiters.check() }
    }

    /// Suspends the queue and pauses the running operations.
    func pauseCore() {
        modify { state, _, effects in
            state.core.scheduler.isSuspended = true
            // Helpers end when the operation that they help pauses.
            for operation in state.core.scheduler.runningElements
            where operation.helped == nil && operation.notePause(by: .queue) {
                effects.append(.followPause(operation))
            }
        }
    }

    /// Resumes the queue and the operations that ``pauseCore()`` has paused.
    func resumeCore() {
        modify { state, now, effects in
            state.core.scheduler.isSuspended = false
            for operation in state.core.scheduler.runningElements + state.core.parkedElements
            where operation.noteResume(of: .queue) {
                state.endPause(of: operation, now: now, into: &effects)
                effects.append(.followPause(operation))
            }
        }
        endWaitsForPause(false)
    }

    func waitUntilCoreIsPaused() async -> Bool {
        await stateWaiters.wait { [loop] in
            loop.access { !$0.core.scheduler.isSuspended || $0.core.scheduler.runningCount == 0 }
        }
        return loop.access { $0.core.scheduler.isSuspended && $0.core.scheduler.runningCount == 0 }
    }

    func waitUntilCoreIsEmpty() async {
        await stateWaiters.wait { [loop] in loop.access { $0.isEmpty } }
    }

    /// Cancels the waiting operations of a queue that is being deallocated; nothing runs in it.
    func cancelRemaining() {
        for operation in loop.access({ $0.core.waitingElements }) {
            operation.cancel()
            // An operation with a run ends through its run.
            if !operation.hasStarted { operation.end(with: RequestResult(error: .cancelled)) }
        }
    }
}

/// What operations ask of their queue.
extension CoreQueue {
    func end(_ operation: RequestOperation, with result: RequestResult) {
        modify { state, now, effects in state.end(operation, with: result, now: now, into: &effects) }
    }

    func cancelWaiting(_ operation: RequestOperation) {
        modify { state, now, effects in
            guard state.core.contains(operation), !state.core.isRunning(operation) else { return }
            state.end(operation, with: RequestResult(error: .cancelled), now: now, into: &effects)
        }
    }

    func operation(_ operation: RequestOperation, did event: RequestEvent) {
        if event.freesSlot {
            modify { state, now, effects in state.note(event, of: operation, now: now, into: &effects) }
        } else if State.notesEvents {
            change { state, now, effects in state.note(event, of: operation, now: now, into: &effects) }
        }
    }

    func pause(_ operation: RequestOperation) {
        modify { state, now, effects in
            // A running operation gives its slot back when it has stopped.
            guard state.core.contains(operation), !state.core.isRunning(operation), operation.isPauseWanted else {
                return
            }
            operation.noteStatus(.paused)
            state.note(.paused, of: operation, now: now, into: &effects)
        }
    }

    func resume(_ operation: RequestOperation) {
        modify { state, now, effects in state.endPause(of: operation, now: now, into: &effects) }
    }

    func changePriority(of operation: RequestOperation) {
        modify { state, _, _ in state.core.setPriority(of: operation, to: operation.priority) }
    }

    func moveToFront(_ operation: RequestOperation) {
        modify { state, _, _ in state.core.moveToFront(operation) }
    }

    func add(_ helper: RequestOperation, for operation: RequestOperation) {
        _ = helper.attach(to: handle)
        modify { state, now, effects in
            guard state.core.contains(operation) else { return effects.append(.cancel(helper)) }
            helper.queueEntry.group = operation.queueEntry.group
            state.addToCore(
                helper, kind: .helping, isParked: false, hash: nil, now: now, into: &effects)
        }
    }

    func requestSlot(for operation: RequestOperation) {
        modify { state, _, _ in state.core.unpark(operation, from: .waiting) }
    }

    func hold(_ host: String, for delay: Duration) {
        modify { state, now, _ in state.core.hold(host, until: now + delay) }
    }

    func operation(
        _ operation: RequestOperation, mayStartExchangeWith host: String?,
        orLater begin: @escaping @Sendable () -> Void
    ) -> Bool {
        modify { state, now, _ in state.core.start(operation, host: host, now: now, orLater: begin) }
    }

    func releaseStart(of operation: RequestOperation) {
        modify { state, _, _ in state.core.releaseStart(of: operation) }
    }
}
