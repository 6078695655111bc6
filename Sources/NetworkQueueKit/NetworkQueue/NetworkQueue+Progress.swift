import Foundation

extension NetworkQueue {
    /// How far the queue is, as of now; one consistent snapshot.
    public var progress: Progress {
        loop.access { $0.ledger.snapshot(now: timekeeper.now) }
    }

    /// The progress in Foundation's form, for user interfaces that bind to one. It is updated together with the
    /// delegate, on `delegateQueue`, and shows from the beginning how far the queue is.
    ///
    /// One object a run: ask again when a run has ended, or after a ``reset()``. Pausing it sets ``isSuspended``,
    /// resuming it ends that, and cancelling it cancels all operations, like ``cancelAll()``. On Linux Foundation
    /// passes these on a moment later, on a thread of its own. The object of a run that has ended has no power over
    /// later ones.
    public var foundationProgress: Foundation.Progress {
        if let existing = loop.access({ $0.foundationProgress }) { return existing }
        // Outside the lock: Foundation may call a handler as soon as it is set.
        let created = makeFoundationProgress()
        return loop.access { batch in
            if let existing = batch.foundationProgress { return existing }
            // Under the lock, so that no update comes between; a new object has no observers.
            created.update(from: batch.ledger.snapshot(now: timekeeper.now))
            batch.foundationProgress = created
            return created
        }
    }

    private func makeFoundationProgress() -> Foundation.Progress {
        let progress = Foundation.Progress(parent: nil, userInfo: nil)
        // Fine enough for any bar. Bytes would not do: their expected total may move, and the fraction must not go
        // back.
        progress.totalUnitCount = 1_000_000
        progress.isCancellable = true
        progress.isPausable = true
        let change = { @Sendable [weak self, weak progress] (body: (NetworkQueue) -> Void) in
            guard let self, let progress, loop.access({ $0.foundationProgress === progress }) else { return }
            body(self)
        }
        progress.cancellationHandler = { change { $0.cancelAll() } }
        progress.pausingHandler = { change { $0.isSuspended = true } }
        progress.resumingHandler = { change { $0.isSuspended = false } }
        return progress
    }
}

extension Foundation.Progress {
    func update(from progress: QueueProgress) {
        completedUnitCount = Int64(progress.fractionCompleted * Double(totalUnitCount))
    }
}

/// When the progress is told, and when the alarms ring.
extension Batch {
    /// Has an update told after at most `progressInterval`, unless one is to come.
    mutating func scheduleUpdate(now: Duration) {
        switch phase {
        case .idle, .drained: break
        case .sizing, .transferring: updates.nextTime = updates.nextTime ?? now + settings.progressInterval
        }
    }

    /// The update to tell; `nil` when nothing has changed since the last one, or the drain brings its own.
    mutating func takeUpdate(now: Duration) -> QueueProgress? {
        updates.isPosted = false
        let progress = ledger.snapshot(now: now)
        guard progress.phase != .finished, progress != updates.latest else { return nil }
        updates.latest = progress
        return progress
    }

    func deadline(of purpose: QueueUpkeep.Purpose) -> Duration? {
        switch purpose {
        case .core: core.wakeTime
        case .sizing: barrierDeadline
        case .progress: updates.nextTime
        }
    }

    mutating func alarmDidRing(_ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [Effect]) {
        switch purpose {
        case .core: core.wake(now: now)
        case .sizing: lookAtBarrier(now: now, into: &effects)
        case .progress:
            updates.nextTime = nil
            if !updates.isPosted { call(.update, into: &effects) }
            updates.isPosted = true
            // Updates go on while something runs, even if no byte comes: the rate has to be seen falling.
            if ledger.counts.running > 0 { scheduleUpdate(now: now) }
        }
    }
}
