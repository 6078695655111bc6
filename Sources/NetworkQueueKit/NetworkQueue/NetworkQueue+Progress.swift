import Foundation

extension NetworkQueue {
    /// How far the queue is, as of now; one consistent snapshot.
    public var progress: Progress {
        loop.access { $0.ledger.snapshot(now: timekeeper.now) }
    }

    /// The progress in Foundation's form, for user interfaces that bind to one. It is updated together with the delegate, on
    /// `delegateQueue`, and shows from the beginning how far the queue is.
    ///
    /// One object a run: ask again when a run has ended, or after a ``reset()``. Pausing it sets ``isSuspended``, resuming it ends that, and
    /// cancelling it cancels all operations, like ``cancelAll()``. On Linux Foundation passes these on a moment later, on a thread of its
    /// own. The object of a run that has ended has no power over later ones.
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
        // Fine enough for any bar. Bytes would not do: their expected total may move, and the fraction must not go back.
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
