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
