import Foundation

extension NetworkQueue {
    /// How far the queue is, as of now; one consistent snapshot.
    public var progress: Progress {
        state.withLock { $0.ledger.snapshot(now: timekeeper.now) }
    }

    /// The progress in Foundation's form, for user interfaces that bind to one. It is updated together with the delegate, on
    /// `delegateQueue`, and shows from the beginning how far the queue is.
    ///
    /// Pausing it sets ``isSuspended``, resuming it ends that, before the call returns; and it shows a suspension by other means, too.
    /// Cancelling it cancels all operations, like ``cancelAll()``. On Linux Foundation passes a cancellation on a moment later, on a thread
    /// of its own; what waits then does not start all the same when ``go()`` follows, and what is added after that is not cancelled.
    ///
    /// The same object at each call and across runs, until it is cancelled: as Foundation's progress stays cancelled, the next run, and
    /// the batch after a `reset()`, have a new one, so ask again when a run begins. The cancelled one has no power over later runs.
    /// It belongs to no parent, whatever is current where it is first asked for: see `Foundation.Progress.addChild(_:withPendingUnitCount:)`.
    public var foundationProgress: Foundation.Progress {
        if let existing = state.withLock({ $0.foundationProgress }) { return existing }
        // Outside the lock: Foundation may call a handler as soon as it is set.
        let created = makeFoundationProgress()
        let current = state.withLock { state in
            if let existing = state.foundationProgress { return existing }
            // Under the lock, so that no update comes between; a new object has no observers.
            created.show(state.ledger.snapshot(now: timekeeper.now))
            suspension.withLock { $0.beginChange() }
            state.foundationProgress = created
            state.cancellationEpoch = nil
            return created
        }
        if current === created { endSuspensionChange() }
        return current
    }

    private func makeFoundationProgress() -> FoundationProgress {
        let progress = FoundationProgress { [weak self] progress, isSuspended in
            if let self { setSuspended(isSuspended, by: progress) } else { progress.setPaused(isSuspended) }
        }
        progress.cancellationHandler = { [weak self, weak progress] in
            if let self, let progress { takeCancellation(from: progress) }
        }
        // For a parent that pauses its children in a way of its own.
        progress.pausingHandler = { [weak self] in self?.adoptSuspension() }
        progress.resumingHandler = progress.pausingHandler
        return progress
    }

    private func takeCancellation(from progress: FoundationProgress) {
        let sweep = state.withLock { $0.foundationProgress === progress ? $0.cancellationByProgress() : nil }
        if let sweep { cancel(sweep) }
    }

    /// Suspends the queue or lets it go on, and shows it.
    func setSuspended(_ isSuspended: Bool) {
        suspension.withLock { $0.beginChange(to: isSuspended) }
        followSuspension()
        endSuspensionChange()
    }

    private func setSuspended(_ isSuspended: Bool, by progress: FoundationProgress) {
        let isCurrent = state.withLock { state in
            guard state.foundationProgress === progress else { return false }
            suspension.withLock { $0.beginChange(to: isSuspended) }
            return true
        }
        if isCurrent { followSuspension() }
        progress.setPaused(isSuspended)
        if isCurrent { endSuspensionChange() }
    }

    private func adoptSuspension() {
        let isAdopted = state.withLock { state in
            guard let progress = state.foundationProgress else { return false }
            return suspension.withLock { $0.adopt(isPaused: progress.isPaused) }
        }
        if isAdopted { followSuspension() }
    }

    private func followSuspension() {
        requestQueue.setSuspended { suspension.withLock { $0.isSuspended } }
    }

    private func endSuspensionChange() {
        while let (progress, isSuspended) = suspensionToShow() { progress.setPaused(isSuspended) }
    }

    private func suspensionToShow() -> (FoundationProgress, Bool)? {
        state.withLock { state in
            let progress = state.foundationProgress
            guard let isSuspended = suspension.withLock({ $0.endChange(isPaused: progress?.isPaused) }), let progress
            else { return nil }
            return (progress, isSuspended)
        }
    }

    /// Has an update delivered after at most `progressInterval`.
    ///
    /// One call is scheduled at a time, and none while nothing runs. While something does, updates go on even if no byte
    /// comes: the rate has to be seen falling.
    func noteProgress() {
        state.withLock { state in
            guard state.lacksProgressTimer else { return }
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

extension NetworkQueue.State {
    /// Whether an update is to be scheduled.
    var lacksProgressTimer: Bool { progressTimer == nil && isStarted && ledger.phase != .finished }
}
