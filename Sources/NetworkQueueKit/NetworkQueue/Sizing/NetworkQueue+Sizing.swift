extension NetworkQueue {
    /// Starts what `go()` starts: sizing first, where there is something to size.
    func begin(generation: Int, isAccurate: Bool) {
        let sizing = isAccurate ? Sizing(requests, owner: self, requestQueue: requestQueue) : nil
        let timeout = state.withLock { state -> Duration? in
            guard state.generation == generation else { return nil }
            state.sizing = sizing
            if let sizing { state.ledger.beginSizing(total: sizing.total, now: timekeeper.now) }
            state.beginRunIfNeeded(now: timekeeper.now)
            return state.settings.sizingTimeout
        }
        guard let timeout else { return }
        if let sizing {
            sizing.start(timeout: timeout)
        } else {
            liftBarrier(generation: generation)
        }
    }

    /// Notes what has been found out about the size of operations.
    func sizing(
        _ sizing: Sizing, hasSized operations: [RequestOperation], _ answer: SizeAnswer, completedCount: Int
    ) {
        state.withLock { state in
            guard state.sizing === sizing else { return }
            for operation in operations where state.isCurrent(operation) {
                state.withAccount(of: operation) { ledger, account in
                    if answer.isMissing { ledger.setMissing(&account) } else { ledger.setSize(answer.bytes, &account) }
                }
            }
            // Answers come on several threads, and some after the barrier has been lifted.
            state.ledger.noteSizing(completed: completedCount, now: timekeeper.now)
        }
        noteProgress()
    }

    /// Lets the real requests start.
    func sizingLiftsBarrier(_ sizing: Sizing) {
        let generation = state.withLock { state -> Int? in
            guard state.sizing === sizing else { return nil }
            state.ledger.enter(.transferring, now: timekeeper.now)
            return state.generation
        }
        if let generation { liftBarrier(generation: generation) }
    }

    /// The last probe has ended.
    func sizingDidEnd(_ sizing: Sizing) {
        state.withLock { state in
            guard state.sizing === sizing else { return }
            state.sizing = nil
            state.ledger.endSizing()
        }
        noteProgress()
    }

    func liftBarrier(generation: Int) {
        // Under the lock, so that a `reset()` cannot come between the look and the act.
        state.withLock { state in
            if state.generation == generation { requestQueue.setGated(false) }
        }
        requestQueue.startWaiting()
    }
}
