/// What both queues do with the core that they contain: one lock around a value, one function that changes it, and
/// effects that are performed outside the lock.
protocol CoreQueue: OperationQueueing {
    associatedtype State: CoreQueueState

    var loop: EffectLoop<State, CoreEffect<State.Own>> { get }
    var handle: QueueHandle { get }
    var bandwidth: BandwidthLimit { get }
    var timekeeper: any Timekeeper { get }
    /// Tasks that wait for a state of the queue.
    var stateWaiters: WaiterList { get }

    /// Performs an effect of this kind of queue.
    func perform(_ effect: State.Own)
}

/// What a queue has behind its lock.
protocol CoreQueueState: Sendable {
    /// Effects of this kind of queue alone.
    associatedtype Own: Sendable

    var core: QueueCore<RequestOperation> { get set }
    var upkeep: QueueUpkeep { get set }
    /// Whether requests may start, so that those that wait need the queue.
    var isStarted: Bool { get }
    /// Operations whose last callback has not returned.
    var outstandingCount: Int { get }
    /// Whether somebody listens to the progress of single operations.
    var metersOperations: Bool { get }

    /// Notes what has happened to an operation, but for its end.
    mutating func note(
        _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [CoreEffect<Own>])

    /// Ends an operation, which runs or waits, and whatever that entails. One that has ended before is left as it is.
    mutating func end(
        _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [CoreEffect<Own>])
    /// When the alarm for a purpose is to ring, as things stand.
    func deadline(of purpose: QueueUpkeep.Purpose) -> Duration?
    /// The time for a purpose has come.
    mutating func alarmDidRing(
        _ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [CoreEffect<Own>])
}

/// What is to be done outside the lock of a queue.
enum CoreEffect<Own: Sendable>: Sendable {
    /// An operation has got a slot.
    case start(RequestOperation)
    /// An operation that runs is to end.
    case cancel(RequestOperation)
    /// An operation has been paused or resumed with all others, and its run is to follow.
    case followPause(RequestOperation)
    /// The second of two operations has been added, and the first is to end if they are equal.
    case compare(RequestOperation, with: RequestOperation)
    /// An operation has ended. One that is not reported is finished with it.
    case settle(RequestOperation.End, isReported: Bool)
    /// An alarm is to ring at another time, or not at all.
    case setAlarm(QueueUpkeep.Purpose, Duration?)
    /// This is needed no more. Users' objects among it may call the queue when they end.
    case release(any Sendable)
    case own(Own)
}

/// What keeps a queue going.
struct QueueUpkeep: Sendable {
    enum Purpose: Hashable, Sendable, CaseIterable {
        /// The core: a host is no longer held, or the process may have room.
        case core
        /// The barrier of sizing.
        case sizing
        /// The next update of the progress.
        case progress
    }

    /// What the operations of the queue know of it.
    let handle: QueueHandle
    /// What requests find that start.
    var environment: RunEnvironment
    var alarms = AlarmSet<Purpose>()
    /// The queue itself, as long as its requests need it even if nothing else refers to it.
    var keeper: (any AnyObject & Sendable)?

    init(_ handle: QueueHandle, _ environment: RunEnvironment) {
        self.handle = handle
        self.environment = environment
    }
}

extension CoreQueue {
    /// Changes what is behind the lock, then does what follows.
    @discardableResult
    func modify<Result: Sendable>(
        _ body: (inout State, inout [CoreEffect<State.Own>]) -> Result
    ) -> Result {
        let now = timekeeper.now
        let result = loop.modify(
            { state, effects in
                let result = body(&state, &effects)
                state.finishChange(of: self, now: now, into: &effects)
                return result
            }, perform: perform)
        if stateWaiters.hasWaiters { stateWaiters.check() }
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
        // Without a slot, which the one that it waits for may need.
        modify { state, effects in
            state.core.park(operation, for: .waiting)
            // It was cancelled while it had the slot: then nothing else ends it.
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
        // One that has rung already finds that it does not count.
        loop.access { $0.upkeep.alarms.replaceCall(of: purpose, with: call) }?.cancel()
    }

    private func alarmRings(_ purpose: QueueUpkeep.Purpose, _ deadline: Duration) {
        modify { state, effects in
            guard state.upkeep.alarms.didRing(purpose, at: deadline) else { return }
            state.alarmDidRing(purpose, now: max(timekeeper.now, deadline), into: &effects)
        }
    }

    // MARK: What both queues offer

    /// Lets an operation start that has been added as parked, once those have ended that it depends on.
    func requestSlotWhenReady(_ operation: RequestOperation) {
        operation.whenReady { [weak self, weak operation] in
            if let operation { self?.requestSlot(for: operation) }
        }
    }

    /// Cancels the operations for which `isIncluded` returns `true`. It is called under the queue's lock.
    func cancelAll(where isIncluded: (RequestOperation) -> Bool) {
        modify { state, effects in
            state.cancelAll(now: timekeeper.now, into: &effects, where: isIncluded)
        }
    }

    /// Cancels those that have not been started.
    func cancelUnstarted(where isIncluded: (RequestOperation) -> Bool) {
        modify { state, effects in
            state.cancelWaiting(now: timekeeper.now, into: &effects) {
                !$0.hasStarted && $0.helped == nil && isIncluded($0)
            }
        }
    }

    /// Cancels an operation, if it is in this queue.
    func cancelMember(_ operation: RequestOperation) {
        // Asked of the operation first: its ticket means nothing to another queue.
        guard operation.isAttached(to: self), loop.access({ $0.core.contains(operation) }) else { return }
        operation.cancel()
    }

    var isCoreSuspended: Bool { loop.access { $0.core.scheduler.isSuspended } }

    func setCoreSuspended(_ isSuspended: Bool) {
        modify { state, _ in state.core.scheduler.isSuspended = isSuspended }
    }

    /// Suspends the queue and pauses what runs.
    func pauseCore() {
        modify { state, effects in
            state.core.scheduler.isSuspended = true
            // Helpers end with the pause of what they help.
            for operation in state.core.scheduler.runningElements
            where operation.helped == nil && operation.notePause(by: .queue) {
                effects.append(.followPause(operation))
            }
        }
    }

    /// Resumes the queue and what ``pauseCore()`` has paused.
    func resumeCore() {
        modify { state, effects in
            state.core.scheduler.isSuspended = false
            for operation in state.core.scheduler.runningElements + state.core.parkedElements
            where operation.noteResume(of: .queue) {
                state.endPause(of: operation, now: timekeeper.now, into: &effects)
                effects.append(.followPause(operation))
            }
        }
    }

    func waitUntilCoreIsEmpty() async {
        await stateWaiters.wait { [loop] in
            loop.access { $0.core.scheduler.count == 0 && $0.outstandingCount == 0 }
        }
    }

    /// Cancels what waits in a queue that is being let go: nothing runs in it.
    func cancelRemaining() {
        for operation in loop.access({ $0.core.waitingElements }) {
            operation.cancel()
            // One that has a run is ended by that.
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
        modify { state, effects in state.note(event, of: operation, now: timekeeper.now, into: &effects) }
    }

    func pause(_ operation: RequestOperation) {
        modify { state, effects in
            // One that runs gives its slot back when it has stopped.
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
    /// Adds an operation that is attached to the queue.
    ///
    /// - Parameter hash: `nil` where it has not been worked out.
    mutating func addToCore(
        _ operation: RequestOperation, stage: RequestStage = .transfer, isParked: Bool, hash: UInt32?, now: Duration,
        into effects: inout [CoreEffect<Own>]
    ) {
        let others = core.add(
            operation, priority: operation.priority, stage: stage, isParked: isParked, hash: hash,
            now: now)
        for other in others { effects.append(.compare(operation, with: other)) }
        // It was cancelled before it was in the queue: then there was no queue to take it out.
        if operation.isCancelled { end(operation, with: RequestResult(error: .cancelled), now: now, into: &effects) }
    }

    /// Moves an operation in the core by what has happened to it, and ends a pause that is not wanted any more.
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

    /// Ends a pause that has taken effect, unless there is another.
    mutating func endPause(of operation: RequestOperation, now: Duration, into effects: inout [CoreEffect<Own>]) {
        guard core.isParked(operation, for: .paused), !operation.isPauseWanted else { return }
        let isRetrying = operation.hasStarted && core.isParked(operation, for: .waiting)
        operation.noteStatus(isRetrying ? .retrying : .waiting)
        core.unpark(operation, from: .paused)
        note(.resumed(isRetrying: isRetrying), of: operation, now: now, into: &effects)
    }

    /// Ends those that wait, and has those end that run.
    mutating func cancelAll(
        now: Duration, into effects: inout [CoreEffect<Own>], where isIncluded: (RequestOperation) -> Bool
    ) {
        // First, as nothing is to start meanwhile.
        let running = core.scheduler.runningElements.filter(isIncluded)
        cancelWaiting(now: now, into: &effects, where: isIncluded)
        for operation in running { effects.append(.cancel(operation)) }
    }

    /// Ends those that wait. One that has a run is ended by that.
    mutating func cancelWaiting(
        now: Duration, into effects: inout [CoreEffect<Own>], where isIncluded: (RequestOperation) -> Bool
    ) {
        // One for all, as they have been cancelled together.
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

    /// Whether the requests need the queue, even if nothing else refers to it: some run, or wait and are not kept from
    /// starting by what only code with a reference to the queue could end.
    private var keepsItself: Bool {
        core.scheduler.runningCount > 0
            || (isStarted && !core.scheduler.isSuspended && core.scheduler.count > core.pausedCount)
    }

    /// Gives slots to those that may start, and brings the alarms and the queue's own life up to date.
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
