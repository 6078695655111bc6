/// What both queues share: one lock around a value that contains the core, one function that changes the value, and
/// effects that are performed outside the lock.
protocol CoreQueue: OperationQueueing {
    associatedtype State: CoreQueueState

    var loop: EffectLoop<State, CoreEffect<State.Own>> { get }
    var handle: QueueHandle { get }
    var bandwidth: BandwidthLimit { get }
    var timekeeper: any Timekeeper { get }
    /// Tasks that wait for the queue to reach a state.
    var stateWaiters: WaiterList { get }

    /// Performs an effect of this kind of queue.
    func perform(_ effect: State.Own)
}

/// The value behind the lock of a queue.
protocol CoreQueueState: Sendable {
    /// The effects of one kind of queue.
    associatedtype Own: Sendable

    var core: QueueCore<RequestOperation> { get set }
    var upkeep: QueueUpkeep { get set }
    /// Whether requests may start. Until then, waiting requests do not keep the queue alive.
    var isStarted: Bool { get }
    /// The number of operations whose last callback has not returned.
    var outstandingCount: Int { get }
    /// Whether anything observes the progress of single operations.
    var metersOperations: Bool { get }
    /// Whether a task that waits for the queue to reach a state may go on.
    var mayEndWaits: Bool { get }

    /// Whether an event of an operation, other than its end, may change the value.
    static func isChanged(by event: RequestEvent, of operation: RequestOperation) -> Bool
    /// Records an event of an operation that changes the value, except for its end.
    mutating func note(
        _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [CoreEffect<Own>])

    /// Ends an operation that runs or waits, with all consequences. An operation that has already ended is unchanged.
    mutating func end(
        _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [CoreEffect<Own>])
    /// The time at which the alarm for a purpose should ring.
    func deadline(of purpose: QueueUpkeep.Purpose) -> Duration?
    /// Handles an alarm that has rung.
    mutating func alarmDidRing(
        _ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [CoreEffect<Own>])
}

/// Work to perform outside the lock of a queue.
enum CoreEffect<Own: Sendable>: Sendable {
    /// An operation has received a slot.
    case start(RequestOperation)
    /// A running operation must end.
    case cancel(RequestOperation)
    /// An operation was paused or resumed with all others, and its run must follow.
    case followPause(RequestOperation)
    /// Cancels the second operation if it equals the first, which has just been added.
    case compare(RequestOperation, with: RequestOperation)
    /// An operation has ended. If the end is not reported to any handler, the operation is finished at once.
    case settle(RequestOperation.End, isReported: Bool)
    /// An alarm must ring at another time, or (`nil`) not at all.
    case setAlarm(QueueUpkeep.Purpose, Duration?)
    /// Releases a value outside the lock, because the deinitializers of users' objects may call the queue.
    case release(any Sendable)
    case own(Own)
}

/// The environment and the alarms of a queue.
struct QueueUpkeep: Sendable {
    enum Purpose: Hashable, Sendable, CaseIterable {
        /// A host's hold ends, or the process may have room for another request.
        case core
        /// The sizing barrier.
        case sizing
        /// The next progress update.
        case progress
    }

    /// The reference that operations have to their queue.
    let handle: QueueHandle
    /// The environment for requests that start.
    var environment: RunEnvironment
    var alarms = AlarmSet<Purpose>()
    /// The queue itself, retained while its requests need it even if nothing else refers to it.
    var keeper: (any AnyObject & Sendable)?

    init(_ handle: QueueHandle, _ environment: RunEnvironment) {
        self.handle = handle
        self.environment = environment
    }
}

extension CoreQueue {
    /// Changes the value under the lock, then performs the resulting effects.
    @discardableResult
    func modify<Result: Sendable>(
        _ body: (inout State, inout [CoreEffect<State.Own>]) -> Result
    ) -> Result {
        let now = timekeeper.now
        let (result, mayEndWaits) = loop.modify(
            { state, effects in
                let result = body(&state, &effects)
                state.finishChange(of: self, now: now, into: &effects)
                // In a suspended queue, a task may wait for the last operation to stop.
                return (result, state.core.scheduler.isSuspended ? true : state.mayEndWaits)
            }, perform: perform)
        if mayEndWaits, stateWaiters.hasWaiters { stateWaiters.check() }
        return result
    }

    private func perform(_ effect: CoreEffect<State.Own>) {
        switch effect {
        case .start(let operation): start(operation)
        case .cancel(let operation): operation.cancel()
        case .followPause(let operation): operation.followPause()
        case .compare(let operation, let other):
            if other.request.isEquivalent(to: operation.request) { other.cancel() }
        case .settle(let end, let isReported):
            end.settle()
            if !isReported { end.operation.finishUnreported() }
        case .setAlarm(let purpose, let deadline): setAlarm(purpose, deadline)
        case .release: break
        case .own(let effect): perform(effect)
        }
    }

    private func start(_ operation: RequestOperation) {
        guard !operation.hasStarted, let path = operation.request.partPath,
            PartHolders.shared.isBeingLeft(path)
        else {
            let (environment, isMetered) = loop.access { ($0.upkeep.environment, $0.metersOperations) }
            if isMetered, !operation.isAuxiliary { operation.meterForQueue() }
            return operation.run(in: environment)
        }
        // Park it without a slot, since the operation that still has the part may need the slot.
        modify { state, effects in
            state.core.park(operation, for: .waiting)
            // If it was canceled while it had the slot, nothing else ends it.
            guard operation.isCancelled else { return }
            state.end(operation, with: RequestResult(error: .cancelled), now: timekeeper.now, into: &effects)
        }
        PartHolders.shared.whenLeft(path) { [weak self, weak operation] in
            if let operation { self?.requestSlot(for: operation) }
        }
    }

    private func setAlarm(_ purpose: QueueUpkeep.Purpose, _ deadline: Duration?) {
        let call = deadline.map { deadline in
            timekeeper.schedule(at: deadline) { [weak self] in self?.alarmRings(purpose, deadline) }
        }
        // A call that is already ringing is ignored, because its deadline no longer matches.
        loop.access { $0.upkeep.alarms.replaceCall(of: purpose, with: call) }?.cancel()
    }

    private func alarmRings(_ purpose: QueueUpkeep.Purpose, _ deadline: Duration) {
        modify { state, effects in
            guard state.upkeep.alarms.didRing(purpose, at: deadline) else { return }
            state.alarmDidRing(purpose, now: max(timekeeper.now, deadline), into: &effects)
        }
    }

    // MARK: Shared operations

    /// Requests a slot for an operation that was added parked, once its dependencies have ended.
    func requestSlotWhenReady(_ operation: RequestOperation) {
        operation.whenReady { [weak self, weak operation] in
            if let operation { self?.requestSlot(for: operation) }
        }
    }

    /// Cancels the operations for which `isIncluded`, which is called under the queue's lock, returns `true`.
    func cancelAll(where isIncluded: (RequestOperation) -> Bool) {
        modify { state, effects in
            state.cancelAll(now: timekeeper.now, into: &effects, where: isIncluded)
        }
    }

    /// Cancels the included operations that have not been started.
    func cancelUnstarted(where isIncluded: (RequestOperation) -> Bool) {
        modify { state, effects in
            state.cancelWaiting(now: timekeeper.now, into: &effects) {
                !$0.hasStarted && $0.helped == nil && isIncluded($0)
            }
        }
    }

    /// Cancels an operation, if it is in this queue.
    func cancelMember(_ operation: RequestOperation) {
        // Check the operation first: its ticket has no meaning in another queue.
        guard operation.isAttached(to: self), loop.access({ $0.core.contains(operation) }) else { return }
        operation.cancel()
    }

    var isCoreSuspended: Bool { loop.access { $0.core.scheduler.isSuspended } }

    func setCoreSuspended(_ isSuspended: Bool) {
        modify { state, _ in state.core.scheduler.isSuspended = isSuspended }
        endWaitsForPause(isSuspended)
    }

    /// Lets tasks that wait for a pause go on when the queue is resumed.
    private func endWaitsForPause(_ isSuspended: Bool) {
        if !isSuspended, stateWaiters.hasWaiters { stateWaiters.check() }
    }

    /// Suspends the queue and pauses the running operations.
    func pauseCore() {
        modify { state, effects in
            state.core.scheduler.isSuspended = true
            // Helpers end when the operation that they help pauses.
            for operation in state.core.scheduler.runningElements
            where operation.helped == nil && operation.notePause(by: .queue) {
                effects.append(.followPause(operation))
            }
        }
    }

    /// Resumes the queue and the operations that ``pauseCore()`` has paused.
    func resumeCore() {
        modify { state, effects in
            state.core.scheduler.isSuspended = false
            for operation in state.core.scheduler.runningElements + state.core.parkedElements
            where operation.noteResume(of: .queue) {
                state.endPause(of: operation, now: timekeeper.now, into: &effects)
                effects.append(.followPause(operation))
            }
        }
        endWaitsForPause(false)
    }

    func waitUntilCoreIsPaused() async -> Bool {
        await stateWaiters.wait { [loop] in
            loop.access { !$0.core.scheduler.isSuspended || $0.core.scheduler.runningCount == 0 }
        }
        return loop.access { $0.core.scheduler.isSuspended && $0.core.scheduler.runningCount == 0 }
    }

    func waitUntilCoreIsEmpty() async {
        await stateWaiters.wait { [loop] in loop.access { $0.isEmpty } }
    }

    /// Cancels the waiting operations of a queue that is being deallocated; nothing runs in it.
    func cancelRemaining() {
        for operation in loop.access({ $0.core.waitingElements }) {
            operation.cancel()
            // An operation with a run ends through its run.
            if !operation.hasStarted { operation.end(with: RequestResult(error: .cancelled)) }
        }
    }

    // MARK: OperationQueueing

    func end(_ operation: RequestOperation, with result: RequestResult) {
        modify { state, effects in state.end(operation, with: result, now: timekeeper.now, into: &effects) }
    }

    func cancelWaiting(_ operation: RequestOperation) {
        modify { state, effects in
            guard state.core.contains(operation), !state.core.isRunning(operation) else { return }
            state.end(operation, with: RequestResult(error: .cancelled), now: timekeeper.now, into: &effects)
        }
    }

    func operation(_ operation: RequestOperation, did event: RequestEvent) {
        guard State.isChanged(by: event, of: operation) else { return }
        modify { state, effects in state.note(event, of: operation, now: timekeeper.now, into: &effects) }
    }

    func pause(_ operation: RequestOperation) {
        modify { state, effects in
            // A running operation gives its slot back when it has stopped.
            guard state.core.contains(operation), !state.core.isRunning(operation), operation.isPauseWanted else {
                return
            }
            operation.noteStatus(.paused)
            state.note(.paused, of: operation, now: timekeeper.now, into: &effects)
        }
    }

    func resume(_ operation: RequestOperation) {
        modify { state, effects in state.endPause(of: operation, now: timekeeper.now, into: &effects) }
    }

    func changePriority(of operation: RequestOperation) {
        modify { state, _ in state.core.setPriority(of: operation, to: operation.priority) }
    }

    func moveToFront(_ operation: RequestOperation) {
        modify { state, _ in state.core.moveToFront(operation) }
    }

    func add(_ helper: RequestOperation, for operation: RequestOperation) {
        _ = helper.attach(to: handle)
        modify { state, effects in
            guard state.core.contains(operation) else { return effects.append(.cancel(helper)) }
            state.addToCore(
                helper, stage: .helping, isParked: false, hash: nil, now: timekeeper.now, into: &effects)
        }
    }

    func requestSlot(for operation: RequestOperation) {
        modify { state, _ in state.core.unpark(operation, from: .waiting) }
    }

    func hold(_ host: String, for delay: Duration) {
        modify { state, _ in state.core.hold(host, until: timekeeper.now + delay) }
    }
}

extension CoreQueueState {
    /// Whether every operation has ended and the last callback about one has returned.
    var isEmpty: Bool { core.scheduler.count == 0 && outstandingCount == 0 }

    /// Adds an operation that is attached to the queue.
    ///
    /// - Parameter hash: the operation's hash; `nil` if it has not been computed.
    mutating func addToCore(
        _ operation: RequestOperation, stage: RequestStage = .transfer, isParked: Bool, hash: UInt32?, now: Duration,
        into effects: inout [CoreEffect<Own>]
    ) {
        let others = core.add(
            operation, priority: operation.priority, stage: stage, isParked: isParked, hash: hash,
            now: now)
        for other in others { effects.append(.compare(operation, with: other)) }
        // No queue has heard of a cancellation or a pause that came before.
        let (isCancelled, isPaused) = operation.state.withLock { ($0.isCancelled, $0.pause != .none) }
        if isCancelled {
            end(operation, with: RequestResult(error: .cancelled), now: now, into: &effects)
        } else if isPaused {
            operation.noteStatus(.paused)
            note(.paused, of: operation, now: now, into: &effects)
        }
    }

    /// Parks an operation in the core when an event requires it, and ends a pause that is no longer wanted.
    mutating func follow(
        _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [CoreEffect<Own>]
    ) {
        switch event {
        case .willRetry:
            core.park(operation, for: .waiting)
            guard operation.isPauseWanted, core.contains(operation) else { return }
            operation.noteStatus(.paused)
            note(.paused, of: operation, now: now, into: &effects)
        case .paused:
            core.park(operation, for: .paused)
            if !operation.isPauseWanted { endPause(of: operation, now: now, into: &effects) }
        default: break
        }
    }

    /// Ends a pause that has taken effect, unless the operation is also paused for another reason.
    mutating func endPause(of operation: RequestOperation, now: Duration, into effects: inout [CoreEffect<Own>]) {
        guard core.isParked(operation, for: .paused), !operation.isPauseWanted else { return }
        let isRetrying = operation.hasStarted && core.isParked(operation, for: .waiting)
        operation.noteStatus(isRetrying ? .retrying : .waiting)
        core.unpark(operation, from: .paused)
        note(.resumed(isRetrying: isRetrying), of: operation, now: now, into: &effects)
    }

    /// Ends the included operations that wait, and cancels those that run.
    mutating func cancelAll(
        now: Duration, into effects: inout [CoreEffect<Own>], where isIncluded: (RequestOperation) -> Bool
    ) {
        // Collected first, so that no operation starts in between.
        let running = core.scheduler.runningElements.filter(isIncluded)
        cancelWaiting(now: now, into: &effects, where: isIncluded)
        for operation in running { effects.append(.cancel(operation)) }
    }

    /// Ends the included operations that wait. An operation with a run ends through its run.
    mutating func cancelWaiting(
        now: Duration, into effects: inout [CoreEffect<Own>], where isIncluded: (RequestOperation) -> Bool
    ) {
        // One result for all, since they were canceled together.
        let result = RequestResult(error: .cancelled, endDate: .now)
        for operation in core.waitingElements where isIncluded(operation) {
            if !operation.hasStarted {
                operation.noteCancelled()
                end(operation, with: result, now: now, into: &effects)
            } else {
                effects.append(.cancel(operation))
            }
        }
    }

    /// Whether the requests keep the queue alive without other references: some run, or some wait and can start without
    /// a call from outside.
    private var keepsItself: Bool {
        core.scheduler.runningCount > 0
            || (isStarted && !core.scheduler.isSuspended && core.scheduler.count > core.pausedCount)
    }

    /// Gives slots to operations that may start, and updates the alarms and the queue's reference to itself.
    fileprivate mutating func finishChange(
        of queue: any AnyObject & Sendable, now: Duration, into effects: inout [CoreEffect<Own>]
    ) {
        for effect in core.effects(now: now) {
            switch effect {
            case .start(let operation): effects.append(.start(operation))
            case .cancel(let operation): effects.append(.cancel(operation))
            }
        }
        for purpose in QueueUpkeep.Purpose.allCases {
            let deadline = deadline(of: purpose)
            if upkeep.alarms.set(purpose, to: deadline) { effects.append(.setAlarm(purpose, deadline)) }
        }
        guard keepsItself != (upkeep.keeper != nil) else { return }
        if keepsItself {
            upkeep.keeper = queue
        } else if let keeper = upkeep.keeper.take() {
            effects.append(.release(keeper))
        }
    }
}
