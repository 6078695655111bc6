import Foundation

extension NetworkQueue {
    /// A consistent snapshot of the queue's progress.
    public var progress: Progress {
        loop.access { $0.ledger.snapshot(now: timekeeper.now) }
    }

    /// The queue's progress as a `Foundation.Progress`, for user interfaces that bind to one. It is updated on
    /// `delegateQueue`, together with the delegate, and starts at the current progress.
    ///
    /// Each run has its own object: get the property again after a run has ended or after a ``reset()``. Once a drain
    /// has been reached, as in ``NetworkQueueDelegate/networkQueueDidFinish(_:summary:)``, it is that of the next run,
    /// and empty until that begins. Pausing the
    /// object sets ``isSuspended``, resuming it clears ``isSuspended``, and canceling it calls ``cancelAll()``. On
    /// Linux, Foundation forwards these a moment later, on a thread of its own. The object of an ended run does not
    /// affect later ones.
    public var foundationProgress: Foundation.Progress {
        if let existing = loop.access({ $0.foundationProgress }) { return existing }
        // Created outside the lock: Foundation may call a handler as soon as it is set.
        let created = Foundation.Progress.made { [weak self] object, demand in
            guard let self, loop.access({ $0.foundationProgress === object }) else { return }
            switch demand {
            case .cancel: cancelAll()
            case .pause: isSuspended = true
            case .resume: isSuspended = false
            }
        }
        return loop.access { batch in
            if let existing = batch.foundationProgress { return existing }
            // Updated under the lock, so that no other update comes first. A new object has no observers. After a drain
            // the ledger still has the progress of the run that has ended.
            if batch.phase != .drained { created.update(from: batch.ledger.snapshot(now: timekeeper.now)) }
            batch.foundationProgress = created
            return created
        }
    }
}

extension Foundation.Progress {
    /// What a `Foundation.Progress` asks for.
    enum Demand: Sendable {
        case cancel, pause, resume
    }

    /// Creates an object without parent that passes its demands on.
    static func made(_ demand: @escaping @Sendable (Foundation.Progress, Demand) -> Void) -> Foundation.Progress {
        let progress = Foundation.Progress(parent: nil, userInfo: nil)
        // Fine enough for any progress bar. Byte counts would not do: the expected total may change, but the fraction
        // must not decrease.
        progress.totalUnitCount = 1_000_000
        progress.isCancellable = true
        progress.isPausable = true
        progress.cancellationHandler = { [weak progress] in if let progress { demand(progress, .cancel) } }
        progress.pausingHandler = { [weak progress] in if let progress { demand(progress, .pause) } }
        progress.resumingHandler = { [weak progress] in if let progress { demand(progress, .resume) } }
        return progress
    }

    func update(from progress: QueueProgress) {
        completedUnitCount = Int64(progress.fractionCompleted * Double(totalUnitCount))
    }
}

/// Schedules progress updates, and handles the queue's alarms.
extension Batch {
    /// Schedules an update in `progressInterval`, unless one is scheduled already.
    mutating func scheduleUpdate(now: Duration) {
        switch phase {
        case .idle, .drained: break
        case .sizing, .transferring:
            updates.nextTime = updates.nextTime ?? now + max(settings.progressInterval.bounded, .milliseconds(1))
        }
    }

    /// The update to report; `nil` if nothing has changed since the last one, or if the drain reports its own.
    mutating func takeUpdate(now: Duration) -> QueueProgress? {
        updates.isPosted = false
        // It was posted in a run that has drained meanwhile, and the next one has begun: that drain comes first.
        guard !drains.isBeingTold else {
            scheduleUpdate(now: now)
            return nil
        }
        let progress = ledger.snapshot(now: now)
        guard progress.phase != .finished, progress != updates.latest else { return nil }
        updates.latest = progress
        return progress
    }

    mutating func setOwnAlarms(into effects: inout [Effect]) {
        // Not a question to the batch in every phase, which would copy all of it.
        setAlarm(.sizing, to: phase == .sizing ? barrierDeadline : nil, into: &effects)
        setAlarm(.progress, to: updates.nextTime, into: &effects)
    }

    mutating func alarmDidRing(_ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [Effect]) {
        switch purpose {
        case .core: core.wake(now: now)
        case .sizing: lookAtBarrier(now: now, into: &effects)
        case .flush: break
        case .progress:
            updates.nextTime = nil
            if !updates.isPosted { call(.update, into: &effects) }
            updates.isPosted = true
            // Updates continue while something runs, even if no byte arrives, so that the rate is seen to fall.
            if ledger.counts.running > 0 { scheduleUpdate(now: now) }
        }
    }
}
