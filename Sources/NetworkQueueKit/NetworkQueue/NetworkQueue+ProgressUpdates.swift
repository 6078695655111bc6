import Foundation

extension NetworkQueue {
    /// How far the queue is, as of now; one consistent snapshot.
    public var progress: Progress {
        state.withLock { $0.ledger.snapshot(now: timekeeper.now) }
    }

    /// The progress in Foundation's form, for user interfaces that bind to one. It is updated together with the delegate, on
    /// `delegateQueue`, and shows from the beginning how far the queue is.
    ///
    /// Cancelling it cancels all operations, like ``cancelAll()``. Pausing it sets ``isSuspended``, resuming it ends that, and
    /// it shows a suspension by other means, too. On Linux Foundation passes these on a moment later, on a thread of its own; what waits
    /// when the progress is cancelled does not start all the same when ``go()`` follows, and what is added after that is not cancelled.
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
            shownSuspension.withLock { $0.isPaused = false }
            state.foundationProgress = created
            state.cancellationEpoch = nil
            return created
        }
        // A pause by a thread that has the object already stays where the queue is not suspended.
        if current === created, isSuspended { showSuspension() }
        return current
    }

    private func makeFoundationProgress() -> Foundation.Progress {
        let progress = Foundation.Progress(parent: nil, userInfo: nil)
        progress.totalUnitCount = Foundation.Progress.unitsOfAll
        progress.isCancellable = true
        progress.isPausable = true
        progress.cancellationHandler = { [weak self, weak progress] in
            if let self, let progress { takeCancellation(from: progress) }
        }
        // For what the queue shows, too: see `ShownSuspension`.
        progress.pausingHandler = { [weak self, weak progress] in
            if let self, let progress { applySuspension(from: progress) }
        }
        progress.resumingHandler = progress.pausingHandler
        return progress
    }

    private func isCurrent(_ progress: Foundation.Progress) -> Bool {
        state.withLock { $0.foundationProgress === progress }
    }

    private func takeCancellation(from progress: Foundation.Progress) {
        let sweep = state.withLock { $0.foundationProgress === progress ? $0.cancellationByProgress() : nil }
        if let sweep { cancel(sweep) }
    }

    /// Does what the user has asked the progress for.
    private func applySuspension(from progress: Foundation.Progress) {
        guard isCurrent(progress),
            let isSuspensionRequested = shownSuspension.withLock({ $0.userRequest(from: progress.isPaused) })
        else { return }
        isSuspended = isSuspensionRequested
    }

    /// Has Foundation's progress show whether the queue is suspended.
    func showSuspension() {
        guard var progress = state.withLock({ $0.foundationProgress }) else { return }
        var isShown = false
        while !isShown, shownSuspension.withLock({ $0.beginShowing() }) {
            let isSuspended = isSuspended
            // Another may have taken its place, whose first showing is left to this thread.
            progress = state.withLock { $0.foundationProgress } ?? progress
            if progress.isPaused != isSuspended {
                if isSuspended { progress.pause() } else { progress.resume() }
            }
            isShown = shownSuspension.withLock { !$0.endShowing(isSuspended) }
        }
        // What the user has asked for meanwhile, when a handler could not tell.
        applySuspension(from: progress)
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

extension Foundation.Progress {
    /// Fine enough for any bar. Bytes would not do: their expected total may move, and the fraction must not go back.
    fileprivate static let unitsOfAll: Int64 = 1_000_000

    func show(_ progress: NetworkQueue.Progress) {
        completedUnitCount = Int64(progress.fractionCompleted * Double(totalUnitCount))
    }
}
