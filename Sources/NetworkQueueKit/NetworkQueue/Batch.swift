import Foundation

/// The state of a ``NetworkQueue`` as a value. It decides which callbacks are made and when the queue has drained; its
/// core decides which operation starts next. It has no lock and calls nothing: it returns its decisions as effects.
///
/// ```text
/// idle ─ go ─→ sizing ─ lift ─→ transferring ─ the last callback has returned ─→ drained
///   └────────────── go, nothing to size ──↑                                         │
///                                         └──────────────── add, go ────────────────┘
/// ```
///
/// A reset returns to `idle` from any phase and begins a new generation.
struct Batch: CoreQueueState {
    /// The phase of the run.
    enum Phase: Sendable {
        /// Nothing starts before `go()`.
        case idle
        /// Transfers wait until the sizing barrier lifts, and for the answer to a question about the plan.
        case sizing
        /// Transfers run. Sizes that were not known in time are requested beside them.
        case transferring
        /// Every operation has ended and been reported. The drain is being reported, or has been.
        case drained
    }

    /// The effects that only a batch has.
    enum Own: Sendable {
        /// Make the callbacks in the outbox.
        case makeCallbacks
        /// Discard callbacks not yet made: they are about a batch that has been reset.
        case discard([Callback])
        /// Send size probes, as far as there is room for them.
        case askForSizes
        /// Ask about the plan of these requests.
        case ask([PlanSurvey.Entry], generation: Int)
        /// A HEAD to this URL lost its connection.
        case noteLoss(URL)
        /// These URLs left a HEAD unanswered: send their origins no more.
        case refuseHeads([URL])
        /// Finish these streams.
        case finish([EventBuffer])
        /// Flush these files to the disk. The drain waits for that.
        case flush(UnflushedFiles, generation: Int)
        /// Check again whether callers that wait for a state may go on.
        case endWaits
        /// Resume the callers that wait for the drain.
        case resume([DrainWaiter], Summary)
    }

    typealias Effect = CoreEffect<Own>
    typealias Summary = NetworkQueue.Summary
    typealias DrainWaiter = DrainTracker.Waiter

    var settings: NetworkQueue.BatchSettings
    var core: QueueCore<RequestOperation>
    var upkeep: QueueUpkeep
    var userInfo: [String: any Sendable] = [:]
    /// The `Foundation.Progress` of this run, or of the next one after a drain, if it has been requested.
    var foundationProgress: Foundation.Progress?
    var phase = Phase.idle
    /// The sizes still to be requested, while the phase is `sizing` or `transferring`. Not the payload of a phase, which
    /// would be copied at each change.
    var plan: SizingPlan?
    /// The question before the first transfer.
    var question = Question.none
    /// When to ask it if there is no sizing; `nil` until there is something to ask about.
    var questionTime: Duration?
    /// The latest such time.
    var questionLimit: Duration?
    var ledger: ProgressLedger
    private(set) var receivers = EventReceivers()
    /// The callbacks to make, in order.
    private var outbox: [Callback] = []
    /// Whether a block that makes them was posted and has not ended.
    private var isCalling = false
    /// Incremented by a reset. Callbacks about operations of an earlier generation are dropped.
    private(set) var generation = 0
    /// Incremented when a failure cancels the other operations. Operations added later are not affected.
    var epoch = 0
    /// The number of lists being read.
    var readerCount = 0
    var stages = RunStages()
    var groups = RunGroups()
    /// Whether a failure has ended the reading of lists, and a task that reads may not have noticed.
    var mustStopReading = false
    /// Whether a 429 has ended the sizing of this run.
    var sizesNoMore = false
    private(set) var record = RunRecord()
    /// Whether the drain waits until files have been flushed.
    private(set) var isFlushing = false
    var drains = DrainTracker()
    var updates = UpdateSchedule()

    init(settings: NetworkQueue.BatchSettings, core: QueueCore<RequestOperation>, upkeep: QueueUpkeep) {
        self.settings = settings
        self.core = core
        self.upkeep = upkeep
        ledger = ProgressLedger(isAccurate: settings.showsAccurateProgress, requestRate: core.rates.rate)
        applySettings()
    }

    /// Whether `go()` has been called.
    var isStarted: Bool { phase != .idle }

    /// Whether the batch has been started and a drain is still to come.
    var isRunning: Bool { isStarted && drains.isOwed }

    var metersOperations: Bool { receivers.haveStreams }

    /// The number of operations whose last callback has not returned, plus deferrals of the drain.
    var outstandingCount: Int { drains.outstandingCount }

    /// Whether `operation` was added to this generation of the batch.
    func isCurrent(_ operation: RequestOperation) -> Bool { operation.batchEntry?.generation == generation }

    /// Applies the sizing width, and opens or closes the core's gate as the phase requires.
    mutating func applySettings() {
        core.scheduler.maximumSizing = settings.chosenSizingCount ?? plan?.width.value ?? SizingWidth.first
        core.scheduler.isGated =
            switch phase {
            case .idle, .sizing: true
            case .transferring, .drained: false
            }
    }

    // MARK: Adding and starting

    /// Opens the ledger account of an operation that is being added.
    mutating func enroll(
        _ operation: RequestOperation, _ expectation: BatchExpectation, now: Duration, into effects: inout [Effect]
    ) {
        if phase == .drained {
            beginRun(now: now, into: &effects)
            if let summary = drains.unawaitedSummary.take() { effects.append(.release(summary)) }
        }
        if let forgotten = record.noteAdding() { effects.append(.release(forgotten)) }
        if !isStarted { ledger.isAccurate = settings.showsAccurateProgress }
        if question == .early { question = .due }
        if question == .due { postponeQuestion(now: now) }
        let account = ledger.open(
            uploadLength: expectation.uploadLength, expectedDownload: expectation.downloadLength,
            hasBody: expectation.hasBody)
        noteStage(operation.request.stage)
        operation.batchEntry = BatchEntry(generation: generation, epoch: epoch, account: account)
        if let name = operation.request.group { enroll(operation, inGroup: name, now: now, into: &effects) }
        drains.noteAdding()
        scheduleUpdate(now: now)
    }

    /// Starts the batch.
    ///
    /// - Parameter plan: the sizes to request; `nil` if there are none.
    mutating func go(_ plan: SizingPlan?, now: Duration, into effects: inout [Effect]) {
        drains.noteStart()
        switch phase {
        case .idle:
            ledger.isAccurate = settings.showsAccurateProgress
            record.startTime = now
            if settings.asksForPlan, drains.outstandingCount > 0 { question = .due }
            if let plan { begin(plan, now: now, into: &effects) } else { lift(now: now, into: &effects) }
        case .drained: beginRun(now: now, into: &effects)
        case .sizing, .transferring: break
        }
        scheduleUpdate(now: now)
        endEmptyGroups(now: now, into: &effects)
        endRunIfDrained(now: now, into: &effects)
    }

    private mutating func beginRun(now: Duration, into effects: inout [Effect]) {
        let unreadCount = ledger.unreadCount
        ledger.reset()
        ledger.expectUnread(unreadCount)
        ledger.isAccurate = settings.showsAccurateProgress
        ledger.enter(.transferring, now: now)
        sizesNoMore = false
        beginStages()
        phase = .transferring
        plan = sizesWhatIsRead ? SizingPlan([], isOpen: true) : nil
        record.begin(now: now)
        updates = UpdateSchedule()
    }

    // MARK: Operations

    static var notesEvents: Bool { true }

    /// Records an event of an operation or of a probe.
    mutating func note(
        _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [Effect]
    ) {
        // Another thread may have paused or ended the operation meanwhile.
        if case .paused = event, !core.contains(operation) || core.isParked(operation, for: .paused) { return }
        defer { follow(event, of: operation, now: now, into: &effects) }
        if operation.batchEntry == nil {
            if case .started = event, operation.helped == nil {
                plan?.barrier.noteSent(operation.id, now: now)
            }
            return
        }
        guard isCurrent(operation) else { return }
        withAccount(of: operation) { ledger, account in ledger.note(event, &account) }
        // From now on, the response gives the size.
        if case .started = event { forgetSize(of: operation, into: &effects) }
        scheduleUpdate(now: now)
        // Posted even without a receiver: one that is attached before the callback runs gets the event.
        if let event = NetworkQueue.Event(event, of: operation) { call(.event(event), into: &effects) }
    }

    /// Ends an operation and, if its failure cancels the others, those too.
    mutating func end(
        _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [Effect]
    ) {
        end(operation, with: result, mayCancelOthers: true, now: now, into: &effects)
    }

    mutating func end(
        _ operation: RequestOperation, with result: RequestResult, mayCancelOthers: Bool, now: Duration,
        into effects: inout [Effect]
    ) {
        let isCurrent = isCurrent(operation)
        var result = result
        let sweep = isCurrent ? judgeFailure(of: operation, &result) : .nothing
        guard let end = operation.conclude(result) else { return }
        if mayCancelOthers { beginEpoch(of: sweep) }
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
        noteStageEnd(of: operation, result)
        if mayCancelOthers { cancelFormer(of: sweep, now: now, into: &effects) }
    }

    /// Records the end of an operation in the ledger. Keeps what a retry needs, unless the user canceled it.
    private mutating func note(_ result: RequestResult, of operation: RequestOperation) {
        withAccount(of: operation) { ledger, account in ledger.note(.ended(result), &account) }
        guard result.outcome != .finished else { return }
        let isSwept = operation.batchEntry.map { self.isSwept($0) } == true
        if record.note(result, of: operation, isSwept: isSwept) { operation.batchEntry?.dropsBody = true }
        if result.outcome == .failed, let group = operation.batchEntry?.runGroup, let failure = record.failures.last {
            group.failures.append(failure)
        }
    }

    /// Removes and returns the requests to run again.
    mutating func takeUnfinished(includingCancelled: Bool) -> [RequestOperation.Blueprint] {
        let blueprints = record.takeUnfinished(includingCancelled: includingCancelled)
        if !blueprints.isEmpty { stages.failed = nil }
        return blueprints
    }

    /// Changes the ledger account of an operation, which must be current.
    mutating func withAccount(
        of operation: RequestOperation, _ body: (inout ProgressLedger, inout ProgressLedger.Account) -> Void
    ) {
        guard var entry = operation.batchEntry else { return }
        if let group = entry.group {
            let (former, moved, resumed) = (entry.account, ledger.moved, ledger.resumed)
            body(&ledger, &entry.account)
            group.ledger.follow(
                former, entry.account, moved: ledger.moved - moved, resumed: ledger.resumed - resumed)
        } else {
            body(&ledger, &entry.account)
        }
        operation.batchEntry = entry
    }

    /// Has a callback made after those before it.
    mutating func call(_ callback: Callback, into effects: inout [Effect]) {
        outbox.append(callback)
        if !isCalling { effects.append(.own(.makeCallbacks)) }
        isCalling = true
    }

    /// Takes the next callbacks, for the caller to make.
    mutating func takeCallbacks() -> [Callback] {
        guard outbox.count > CallbackQueue.callsPerBlock else {
            defer { outbox = [] }
            return outbox
        }
        defer { outbox.removeFirst(CallbackQueue.callsPerBlock) }
        return Array(outbox.prefix(CallbackQueue.callsPerBlock))
    }

    /// Notes that callbacks have returned, among them the last ones about `ended`, and has the next ones made.
    mutating func noteReturn(
        of ended: [RequestOperation], _ generation: Int, now: Duration, into effects: inout [Effect]
    ) {
        if generation == self.generation {
            for operation in ended {
                if operation.batchEntry?.dropsBody == true { operation.dropBody() }
                leaveGroup(operation, now: now, into: &effects)
                drains.release()
            }
            endRunIfDrained(now: now, into: &effects)
        }
        isCalling = !outbox.isEmpty
        if isCalling { effects.append(.own(.makeCallbacks)) }
    }

    // MARK: The drain

    /// Defers the drain until ``release(_:now:into:)``. Returns the generation to pass to it.
    mutating func deferDrain() -> Int {
        drains.hold()
        return generation
    }

    /// Ends a deferral of the drain, unless a reset has ended its generation.
    mutating func release(_ generation: Int, now: Duration, into effects: inout [Effect]) {
        guard generation == self.generation else { return }
        drains.release()
        askAfterAdding(now: now, into: &effects)
        endRunIfDrained(now: now, into: &effects)
    }

    private mutating func endRunIfDrained(now: Duration, into effects: inout [Effect]) {
        guard isStarted, drains.isDue else { return }
        let unflushed = upkeep.environment.storedFiles.unflushed
        guard unflushed.isEmpty else {
            isFlushing = true
            return effects.append(.own(.flush(unflushed, generation: deferDrain())))
        }
        question = .none
        endSizing(now: now, into: &effects)
        phase = .drained
        applySettings()
        ledger.finishRun()
        updates = UpdateSchedule()
        upkeep.environment.storedFiles.forget()
        let progress = ledger.snapshot(now: now)
        let summary = record.summary(of: ledger, now: now)
        record.dropFailures()
        // It may be the last reference to operations, whose deinitializers must not run under the lock.
        if let former = drains.unawaitedSummary { effects.append(.release(former)) }
        let drain = Drain(
            progress: progress, summary: summary, streams: receivers.allStreams,
            waiters: drains.takeWaiters(for: summary),
            // A canceled `Progress` stays canceled, so each run has its own.
            foundationProgress: foundationProgress.take())
        receivers.endRun()
        dropGroups(into: &effects)
        call(.drain(drain), into: &effects)
    }

    /// Notes that files have been flushed, or could not be.
    mutating func noteFlush(
        _ failures: [NetworkError], _ generation: Int, now: Duration, into effects: inout [Effect]
    ) {
        guard generation == self.generation else { return }
        isFlushing = false
        record.flushFailures += failures
        release(generation, now: now, into: &effects)
    }

    /// Notes that a drain has been reported.
    mutating func noteReport(of drain: Drain, _ generation: Int, into effects: inout [Effect]) {
        // If a callback about the drain reset the queue, the reset has resumed the waiters that came later.
        let lateWaiters = generation == self.generation ? drains.noteReport() : []
        effects.append(.own(.resume(drain.waiters + lateWaiters, drain.summary)))
    }

    /// Cancels everything and returns to the state before `go()`, in a new generation.
    mutating func reset(now: Duration, into effects: inout [Effect]) {
        let summary = record.summary(of: ledger, now: now)
        effects.append(.own(.resume(drains.waiters + drains.takers, summary)))
        question = .none
        endSizing(now: now, into: &effects)
        endGroupsOfReset(now: now, into: &effects)
        let former = self
        let unflushed = upkeep.environment.storedFiles.unflushed
        if !unflushed.isEmpty { effects.append(.own(.flush(unflushed, generation: generation))) }
        // They refer to operations, whose deinitializers must not run under the lock.
        effects.append(.release(former.record))
        effects.append(.release(former.drains))
        self = Batch(settings: settings, core: core, upkeep: upkeep)
        groups = former.groups
        upkeep.environment = upkeep.environment.forgettingServers()
        userInfo = former.userInfo
        generation = former.generation + 1
        epoch = former.epoch
        isCalling = former.isCalling
        let streams = former.receivers.end()
        receivers = EventReceivers(streams.filter(\.isAcrossRuns))
        core.endAllHolds()
        effects.append(.own(.discard(former.outbox)))
        cancelAll(now: now, into: &effects) { [generation] in ($0.batchEntry?.generation ?? 0) < generation }
        effects.append(.own(.finish(streams.filter { !$0.isAcrossRuns })))
    }
}
