/// Reads requests from a list as they are needed.
extension Batch {
    /// The number of unstarted requests to keep while a list is read: enough to keep slots and probes busy until the
    /// next look.
    var readAheadCount: Int {
        // The maxima may be any numbers.
        let widest = max(core.scheduler.maximumRunning, core.scheduler.maximumSizing)
        return max(SizingPlan.orderedCount, 2 * min(widest, 1 << 30))
    }

    /// The number of operations that have been added and have not started.
    var unstartedCount: Int { ledger.counts.waiting - ledger.unreadCount }

    /// The number of ended operations whose last callback has not returned.
    private var untoldCount: Int {
        let counts = ledger.counts
        return outstandingCount - unstartedCount - counts.running - counts.paused - counts.retrying
    }

    /// Whether there is room for more requests from a list. Ended operations count too: otherwise they would pile up
    /// behind a delegate that is slower than the transfers.
    ///
    /// - Parameter count: the limit for operations that have not started, and for ended ones that have not been
    ///   reported.
    func hasRoom(upTo count: Int) -> Bool { max(aheadCount, untoldCount) < count }

    /// Whether the task that reads a list must go on: to read more, or because it must stop.
    ///
    /// It goes on when half of the requests read ahead are used up. Otherwise each start would wake it to read a single
    /// request.
    func mustWakeReader(_ key: ReadingKey) -> Bool { mayEndWaits || !mayRead(key) }

    // An empty queue has room, too, and so has one that has been reset. This is evaluated after each change: with `||`,
    // each time would copy the batch for the right side.
    var mayEndWaits: Bool { mustStopReading ? true : hasRoom(upTo: readAheadCount / 2 + 1) }

    /// Whether a new plan stays open for requests that are still to be read.
    var sizesWhatIsRead: Bool { readerCount > 0 && settings.showsAccurateProgress && !sizesNoMore }

    /// Notes that reading of a list begins. Returns the key for ``mayRead(_:)``.
    mutating func beginReading() -> ReadingKey {
        readerCount += 1
        boundStages()
        if sizesWhatIsRead {
            if phase == .transferring, plan == nil { plan = SizingPlan([], isOpen: true) }
            plan?.isOpen = true
        }
        return ReadingKey(generation: generation, epoch: epoch)
    }

    /// Whether to continue reading: the batch has not been reset, and no failure has canceled what was read.
    func mayRead(_ key: ReadingKey) -> Bool { key == ReadingKey(generation: generation, epoch: epoch) }

    /// Requests the size of an operation that was read and added.
    mutating func noteRead(_ operation: RequestOperation, now: Duration, into effects: inout [Effect]) {
        plan?.barrier.noteRead(now: now)
        guard plan?.add(operation) == true else { return }
        ledger.addSize(now: now)
        effects.append(.own(.askForSizes))
    }

    /// Notes that reading of a list has ended or was stopped.
    mutating func endReading(_ key: ReadingKey, now: Duration, into effects: inout [Effect]) {
        guard key.generation == generation else { return }
        readerCount -= 1
        guard readerCount == 0 else { return }
        mustStopReading = false
        boundStages()
        ledger.expectUnread(-ledger.unreadCount)
        plan?.isOpen = false
        endSizingIfDone(now: now, into: &effects)
        askAfterAdding(now: now, into: &effects)
        lookAtBarrier(now: now, into: &effects)
    }
}

/// The generation and the epoch in which a list is read. Reading stops when either changes.
struct ReadingKey: Equatable {
    let generation: Int
    let epoch: Int
}
