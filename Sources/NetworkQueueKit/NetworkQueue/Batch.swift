import Foundation

/// What a ``NetworkQueue`` decides, as a value: who runs, who is told, when the queue has drained. It contains the core
/// that decides who runs next. It has no lock and calls nothing; what is to be done it leaves as effects.
///
///     idle ─ go ─→ sizing ─ lift ─→ transferring ─ the last callback has returned ─→ drained
///       └────────────── go, nothing to size ──↑                                         │
///                                             └──────────────── add, go ────────────────┘
///
/// A reset leads back to idle from everywhere, under a new generation.
struct Batch: CoreQueueState {
    /// How far the run is. What is true in one phase only is in its case.
    enum Phase: Sendable {
        /// Nothing starts before `go()`.
        case idle
        /// Transfers wait until the sizes are known.
        case sizing(SizingPlan)
        /// Transfers run. Sizes that were late are asked for beside them.
        case transferring(SizingPlan?)
        /// All has ended and has been told; the drain is being told, or has been.
        case drained
    }

    /// What the queue does for its batch alone.
    enum Own: Sendable {
        /// A callback is to be made.
        case call(Callback, generation: Int)
        /// The callbacks that have not been made are of a batch that has been thrown away.
        case discardCallbacks
        /// There may be sizes to ask for.
        case askForSizes
        /// The connection was lost on a HEAD.
        case noteLoss(URL)
        /// These URLs have left a HEAD unanswered.
        case refuseHeads([URL])
        /// These streams have come to their end.
        case finish([EventBuffer])
        /// Code that waited for the batch goes on.
        case resume([DrainWaiter], Summary)
    }

    typealias Effect = CoreEffect<Own>
    typealias Summary = NetworkQueue.Summary
    typealias DrainWaiter = DrainTracker.Waiter

    var settings: NetworkQueue.BatchSettings
    var core: QueueCore<RequestOperation>
    var upkeep: QueueUpkeep
    var userInfo: [String: any Sendable] = [:]
    /// That of this run, if it has been asked for.
    var foundationProgress: Foundation.Progress?
    var phase = Phase.idle
    var ledger: ProgressLedger
    var receivers = EventReceivers()
    /// Raised by a reset: what older operations still do is not told any more.
    private(set) var generation = 0
    /// Raised by a failure that cancels the rest: what is added afterwards is a new piece of work.
    private(set) var epoch = 0
    /// How many lists are being read.
    var readerCount = 0
    private(set) var record = RunRecord()
    var drains = DrainTracker()
    var updates = UpdateSchedule()

    init(settings: NetworkQueue.BatchSettings, core: QueueCore<RequestOperation>, upkeep: QueueUpkeep) {
        self.settings = settings
        self.core = core
        self.upkeep = upkeep
        ledger = ProgressLedger(isAccurate: settings.showsAccurateProgress)
        applySettings()
    }

    /// Whether `go()` has been called.
    var isStarted: Bool { if case .idle = phase { false } else { true } }

    /// Whether there is something to wait for.
    var isRunning: Bool { isStarted && drains.isOwed }

    var metersOperations: Bool { !receivers.streams.isEmpty }

    /// Operations whose last callback has not returned, and what else keeps the queue from draining.
    var outstandingCount: Int { drains.outstandingCount }

    /// Whether `operation` still concerns the batch.
    func isCurrent(_ operation: RequestOperation) -> Bool { operation.batchEntry?.generation == generation }

    /// Takes over the settings, and lets start what the phase allows to start.
    mutating func applySettings() {
        let width: SizingWidth? = withPlan { $0.width }
        core.scheduler.maximumSizing = settings.chosenSizingCount ?? width?.value ?? SizingWidth.first
        core.scheduler.isGated =
            switch phase {
            case .idle, .sizing: true
            case .transferring, .drained: false
            }
    }

    // MARK: Adding and starting

    /// Opens the books for an operation that is being added.
    mutating func enroll(
        _ operation: RequestOperation, _ expectation: BatchExpectation, now: Duration, into effects: inout [Effect]
    ) {
        if case .drained = phase {
            beginRun(now: now, into: &effects)
            drains.isRunBegunByAdding = true
        }
        if let forgotten = record.noteAdding() { effects.append(.release(forgotten)) }
        if !isStarted { ledger.isAccurate = settings.showsAccurateProgress }
        let account = ledger.open(
            uploadLength: expectation.uploadLength, expectedDownload: expectation.downloadLength,
            hasBody: expectation.hasBody)
        operation.batchEntry = BatchEntry(generation: generation, epoch: epoch, account: account)
        drains.noteAdding()
        scheduleUpdate(now: now)
    }

    /// Starts the batch.
    ///
    /// - Parameter plan: the sizes to ask for; `nil` when there are none.
    mutating func go(_ plan: SizingPlan?, now: Duration, into effects: inout [Effect]) {
        drains.noteStart()
        switch phase {
        case .idle:
            ledger.isAccurate = settings.showsAccurateProgress
            record.startTime = now
            if let plan { begin(plan, now: now, into: &effects) } else { lift(now: now, into: &effects) }
        case .drained: beginRun(now: now, into: &effects)
        case .sizing, .transferring: break
        }
        scheduleUpdate(now: now)
        endRunIfDrained(now: now, into: &effects)
    }

    private mutating func beginRun(now: Duration, into effects: inout [Effect]) {
        let unreadCount = ledger.unreadCount
        ledger.reset()
        ledger.expectUnread(unreadCount)
        ledger.isAccurate = settings.showsAccurateProgress
        ledger.enter(.transferring, now: now)
        phase = .transferring(sizesWhatIsRead ? SizingPlan([], isOpen: true) : nil)
        record.begin(now: now)
        drains.isRunBegunByAdding = false
        updates = UpdateSchedule()
        // It may have been cancelled, and stays so.
        if let progress = foundationProgress.take() { effects.append(.release(progress)) }
        if let summary = drains.unawaitedSummary.take() { effects.append(.release(summary)) }
    }

    // MARK: Operations

    /// Notes what has happened to an operation that has been started.
    mutating func note(
        _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [Effect]
    ) {
        // Two threads may have paused it.
        if case .paused = event, core.isParked(operation, for: .paused) { return }
        defer { follow(event, of: operation, now: now, into: &effects) }
        if operation.batchEntry == nil {
            if case .started = event, operation.helped == nil {
                withPlan { $0.barrier.noteSent(operation.id, now: now) }
            }
            return
        }
        guard isCurrent(operation) else { return }
        withAccount(of: operation) { ledger, account in ledger.note(event, &account) }
        // From here on its responses tell the size.
        if case .started = event { forgetSize(of: operation, into: &effects) }
        scheduleUpdate(now: now)
        // Also where nobody listens yet: who comes before the callback is told.
        if let event = NetworkQueue.Event(event, of: operation) { call(.event(event), into: &effects) }
    }

    /// Ends an operation, and those that it takes with it.
    mutating func end(
        _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [Effect]
    ) {
        let isCurrent = isCurrent(operation)
        var result = result
        let cancelsOthers = isCurrent && judgeFailure(of: operation, &result)
        guard let end = operation.conclude(result) else { return }
        if cancelsOthers { epoch += 1 }
        core.remove(operation)
        let isReported = isCurrent && (receivers.exist || operation.hasHandlers.load(ordering: .acquiring))
        effects.append(.settle(end, isReported: isReported))
        if operation.helped != nil { return }
        if operation.batchEntry == nil { return takeSize(from: operation, now: now, into: &effects) }
        guard isCurrent else { return }
        note(result, of: operation)
        forgetSize(of: operation, into: &effects)
        scheduleUpdate(now: now)
        call(.end(operation), into: &effects)
        if cancelsOthers { cancelFormer(now: now, into: &effects) }
    }

    /// Cancels what was there when a failure began a new epoch.
    private mutating func cancelFormer(now: Duration, into effects: inout [Effect]) {
        cancelAll(now: now, into: &effects) { [generation, epoch] in
            guard let entry = $0.batchEntry else { return false }
            return entry.generation == generation && entry.epoch < epoch
        }
    }

    /// Decides what a failure means to the others; returns whether it cancels them.
    private func judgeFailure(of operation: RequestOperation, _ result: inout RequestResult) -> Bool {
        guard result.outcome == .failed, let error = result.error, let entry = operation.batchEntry
        else { return false }
        // Another failure has cancelled this operation already; its own came before it noticed.
        if entry.epoch < epoch {
            result.error = NetworkError(.cancelled, underlying: error)
            return false
        }
        return settings.cancelsAllOnFailure
    }

    /// Enters an end into the books, with what it takes to run the operation again, unless the user has ended it.
    private mutating func note(_ result: RequestResult, of operation: RequestOperation) {
        withAccount(of: operation) { ledger, account in ledger.note(.ended(result), &account) }
        guard result.outcome != .finished else { return }
        let isSwept = operation.batchEntry.map { $0.epoch < epoch } == true
        if record.note(result, of: operation, isSwept: isSwept) { operation.batchEntry?.dropsBody = true }
    }

    /// Takes out what is to run again.
    mutating func takeUnfinished(includingCancelled: Bool) -> [RequestOperation.Blueprint] {
        record.takeUnfinished(includingCancelled: includingCancelled)
    }

    /// Changes the books about an operation, which must be current.
    mutating func withAccount(
        of operation: RequestOperation, _ body: (inout ProgressLedger, inout ProgressLedger.Account) -> Void
    ) {
        guard var entry = operation.batchEntry else { return }
        body(&ledger, &entry.account)
        operation.batchEntry = entry
    }

    func call(_ callback: Callback, into effects: inout [Effect]) {
        effects.append(.own(.call(callback, generation: generation)))
    }

    // MARK: The drain

    /// Keeps the queue from draining until ``release(_:now:into:)``.
    mutating func deferDrain() -> Int {
        drains.hold()
        return generation
    }

    /// Lets the queue drain again that was deferred in `generation`.
    mutating func release(_ generation: Int, now: Duration, into effects: inout [Effect]) {
        guard generation == self.generation else { return }
        drains.release()
        endRunIfDrained(now: now, into: &effects)
    }

    /// The last callback about an operation has returned.
    mutating func noteReturn(
        of operation: RequestOperation, _ generation: Int, now: Duration, into effects: inout [Effect]
    ) {
        if operation.batchEntry?.dropsBody == true { operation.dropBody() }
        release(generation, now: now, into: &effects)
    }

    private mutating func endRunIfDrained(now: Duration, into effects: inout [Effect]) {
        guard isStarted, drains.isDue else { return }
        endSizing(now: now, into: &effects)
        phase = .drained
        applySettings()
        ledger.finishRun()
        updates = UpdateSchedule()
        let progress = ledger.snapshot(now: now)
        let summary = record.summary(of: progress, resumed: ledger.resumed, now: now)
        record.failures = []
        let drain = Drain(
            progress: progress, summary: summary, streams: receivers.allStreams,
            waiters: drains.takeWaiters(for: summary))
        receivers.endRun()
        call(.drain(drain), into: &effects)
    }

    /// A drain has been told.
    mutating func noteReport(of drain: Drain, _ generation: Int, into effects: inout [Effect]) {
        // Where a callback about the drain has reset the queue, those who came later have been told by that.
        let lateWaiters = generation == self.generation ? drains.noteReport() : []
        effects.append(.own(.resume(drain.waiters + lateWaiters, drain.summary)))
    }

    /// Has `waiter` called with the summary of a run that has ended and that nobody has awaited, when its drain has
    /// been told; returns whether there is one.
    mutating func takeSummary(_ waiter: @escaping DrainWaiter, into effects: inout [Effect]) -> Bool {
        guard case .drained = phase, !isRunning, let summary = drains.unawaitedSummary.take() else { return false }
        if drains.isBeingTold {
            drains.waiters.append(waiter)
        } else {
            effects.append(.own(.resume([waiter], summary)))
        }
        return true
    }

    /// Has `waiter` called when the drain has been told that is to come, if one is; returns whether it will be.
    mutating func awaitDrain(_ waiter: @escaping DrainWaiter) -> Bool {
        // While a drain is being told, the delegate has not heard of it.
        guard isRunning || drains.isBeingTold else { return false }
        drains.waiters.append(waiter)
        return true
    }

    /// Cancels everything and returns to the state before `go()`, under a new generation.
    mutating func reset(now: Duration, into effects: inout [Effect]) {
        let summary = record.summary(of: ledger.snapshot(now: now), resumed: ledger.resumed, now: now)
        effects.append(.own(.resume(drains.waiters, summary)))
        endSizing(now: now, into: &effects)
        let former = self
        self = Batch(settings: settings, core: core, upkeep: upkeep)
        upkeep.environment = upkeep.environment.forgettingServers()
        userInfo = former.userInfo
        generation = former.generation + 1
        epoch = former.epoch
        receivers.streams = former.receivers.streams.filter(\.value.isAcrossRuns)
        core.endAllHolds()
        effects.append(.own(.discardCallbacks))
        cancelAll(now: now, into: &effects) { [generation] in ($0.batchEntry?.generation ?? 0) < generation }
        effects.append(.own(.finish(former.receivers.allStreams.filter { !$0.isAcrossRuns })))
    }
}
