/// Requests that are read from a list as they are needed.
extension Batch {
    /// How many requests that have not started are there at a time while a list is read: enough for slots and probes to
    /// be busy until it is looked at again.
    var readAheadCount: Int {
        max(SizingPlan.orderedCount, 2 * core.scheduler.maximumRunning, 2 * core.scheduler.maximumSizing)
    }

    /// How many operations have been added and have not started.
    var unstartedCount: Int { ledger.counts.waiting - ledger.unreadCount }

    /// How many operations have ended whose last callback has not returned.
    private var untoldCount: Int {
        let counts = ledger.counts
        return outstandingCount - unstartedCount - counts.running - counts.paused - counts.retrying
    }

    /// Whether there is room for more requests of a list. With a delegate that is slower than the transfers, ended
    /// operations would else pile up.
    ///
    /// - Parameter count: how many may wait to start, and how many to be told.
    func hasRoom(upTo count: Int) -> Bool { unstartedCount < count && untoldCount < count }

    /// Whether a plan made now is to stay open for what is read.
    var sizesWhatIsRead: Bool { readerCount > 0 && settings.showsAccurateProgress }

    /// Notes that a list is going to be read; returns what ``mayRead(_:)`` asks for.
    mutating func beginReading() -> ReadingKey {
        readerCount += 1
        if sizesWhatIsRead {
            if case .transferring(nil) = phase { phase = .transferring(SizingPlan([], isOpen: true)) }
            withPlan { $0.isOpen = true }
        }
        return ReadingKey(generation: generation, epoch: epoch)
    }

    /// Whether the list is to be read on: neither has the batch been thrown away, nor has a failure cancelled what was
    /// read.
    func mayRead(_ key: ReadingKey) -> Bool { key == ReadingKey(generation: generation, epoch: epoch) }

    /// Has the size of an operation asked for that was read and added.
    mutating func noteRead(_ operation: RequestOperation, now: Duration, into effects: inout [Effect]) {
        let isAdded = withPlan { plan in
            plan.barrier.noteRead(now: now)
            return plan.add(operation)
        }
        guard isAdded == true else { return }
        ledger.addSize(now: now)
        effects.append(.own(.askForSizes))
    }

    /// Notes that a list has been read to its end, or is not read on.
    mutating func endReading(_ key: ReadingKey, now: Duration, into effects: inout [Effect]) {
        guard key.generation == generation else { return }
        readerCount -= 1
        guard readerCount == 0 else { return }
        ledger.expectUnread(-ledger.unreadCount)
        withPlan { $0.isOpen = false }
        endSizingIfDone(now: now, into: &effects)
        lookAtBarrier(now: now, into: &effects)
    }
}

/// What a list is read into: another generation, and the epoch after a failure, are not meant.
struct ReadingKey: Equatable {
    let generation: Int
    let epoch: Int
}
