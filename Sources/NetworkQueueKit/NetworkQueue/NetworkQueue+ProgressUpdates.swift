import Foundation

extension NetworkQueue {
    /// How far the queue is, as of now; one consistent snapshot.
    public var progress: Progress {
        state.withLock { $0.ledger.snapshot(now: timekeeper.now) }
    }

    /// The progress in Foundation's form, for user interfaces that bind to one. The same object at each call, across runs.
    ///
    /// It is updated together with the delegate, on `delegateQueue`. Cancelling it cancels all operations.
    public var foundationProgress: Foundation.Progress {
        let created = Foundation.Progress(totalUnitCount: Foundation.Progress.unitsOfAll)
        created.isPausable = false
        created.cancellationHandler = { [weak self] in self?.cancelAll() }
        return state.withLock { state in
            if let existing = state.foundationProgress { return existing }
            state.foundationProgress = created
            return created
        }
    }

    /// Has an update delivered after at most `progressInterval`.
    ///
    /// One call is scheduled at a time, and none while nothing runs. While something does, updates go on even if no byte
    /// comes: the rate has to be seen falling.
    func noteProgress() {
        state.withLock { state in
            guard state.progressTimer == nil, state.isStarted, state.ledger.phase != .finished else { return }
            state.latestTick += 1
            let tick = state.latestTick
            state.progressTimer = timekeeper.schedule(after: state.settings.progressInterval) { [weak self] in
                self?.updateProgress(tick)
            }
        }
    }

    private func updateProgress(_ tick: Int) {
        let (mustPost, mustGoOn) = state.withLock { state in
            guard state.latestTick == tick, state.progressTimer != nil else { return (false, false) }
            state.progressTimer = nil
            guard state.isStarted, state.ledger.phase != .finished else { return (false, false) }
            defer { state.isProgressPosted = true }
            return (!state.isProgressPosted, state.ledger.counts.running > 0)
        }
        if mustPost { post(.progress) }
        if mustGoOn { noteProgress() }
    }
}

extension Foundation.Progress {
    /// Fine enough for any bar. Bytes would not do: their expected total may move, and the fraction must not go back.
    fileprivate static let unitsOfAll: Int64 = 1_000_000

    func show(_ progress: NetworkQueue.Progress) {
        completedUnitCount = Int64(progress.fractionCompleted * Double(totalUnitCount))
    }
}
