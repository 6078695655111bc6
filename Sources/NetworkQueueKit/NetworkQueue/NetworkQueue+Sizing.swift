extension NetworkQueue {
    /// Starts what `go()` starts: sizing first, where there is something to size.
    func begin(generation: Int, isAccurate: Bool) {
        let sizing = isAccurate ? Sizing(requests, owner: self, requestQueue: requestQueue) : nil
        let timeout = state.withLock { state -> Duration? in
            guard state.generation == generation else { return nil }
            state.sizing = sizing
            if let sizing { state.ledger.enter(.sizing(completed: 0, total: sizing.total), now: timekeeper.now) }
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

    /// Notes the size of operations, `nil` when it could not be found out.
    func sizing(_ sizing: Sizing, hasSized operations: [RequestOperation], bytes: Int64?, completedCount: Int) {
        state.withLock { state in
            guard state.sizing === sizing else { return }
            if let bytes {
                for operation in operations where state.isCurrent(operation) {
                    state.withAccount(of: operation) { ledger, account in ledger.setSize(bytes, &account) }
                }
            }
            state.ledger.enter(.sizing(completed: completedCount, total: sizing.total), now: timekeeper.now)
        }
        noteProgress()
    }

    /// Lets the real requests start: the last probe has ended.
    func sizingDidEnd(_ sizing: Sizing) {
        let generation = state.withLock { state -> Int? in
            guard state.sizing === sizing else { return nil }
            state.sizing = nil
            state.ledger.enter(.transferring, now: timekeeper.now)
            return state.generation
        }
        if let generation { liftBarrier(generation: generation) }
    }

    private func liftBarrier(generation: Int) {
        // Under the lock, so that a `reset()` cannot come between the look and the act.
        state.withLock { state in
            if state.generation == generation { requestQueue.setGated(false) }
        }
        requestQueue.startWaiting()
    }
}
