/// The value behind the lock of a queue.
protocol CoreQueueState: Sendable {
    /// The effects of one kind of queue.
    associatedtype Own: Sendable

    var core: QueueCore<RequestOperation> { get set }
    var upkeep: QueueUpkeep { get set }
    /// Whether requests may start. Until then, waiting requests do not keep the queue alive.
    var isStarted: Bool { get }
    /// Whether requests wait for an answer of the user. Meanwhile they do not keep the queue alive either.
    var isAsking: Bool { get }
    /// The number of operations whose last callback has not returned.
    var outstandingCount: Int { get }
    /// Whether anything observes the progress of single operations.
    var metersOperations: Bool { get }
    /// Whether a task that waits for the queue to reach a state may go on.
    var mayEndWaits: Bool { get }

    /// Whether events that free no slot are recorded.
    static var notesEvents: Bool { get }
    /// Records an event of an operation, except for its end.
    mutating func note(
        _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [CoreEffect<Own>])

    /// Ends an operation that runs or waits, with all consequences. An operation that has already ended is unchanged.
    mutating func end(
        _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [CoreEffect<Own>])
    /// Ends the operations that wait for something that will not come.
    mutating func endUnstartable(now: Duration, into effects: inout [CoreEffect<Own>])
    /// Follows a change of the core's settings.
    mutating func settingsDidChange()
    /// Sets the alarms that only this kind of queue has.
    mutating func setOwnAlarms(into effects: inout [CoreEffect<Own>])
    /// Handles an alarm that has rung.
    mutating func alarmDidRing(
        _ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [CoreEffect<Own>])
}

/// Work to perform outside the lock of a queue.
enum CoreEffect<Own: Sendable>: Sendable {
    /// An operation has received a slot.
    case start(RequestOperation)
    /// The turn of an exchange has come, which had to wait because of a rate.
    case begin(QueueCore<RequestOperation>.Turn)
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
    enum Purpose: Sendable {
        /// A host's hold ends, or the process may have room for another request.
        case core
        /// The sizing barrier.
        case sizing
        /// The next progress update.
        case progress
        /// The next flush of files.
        case flush
    }

    /// The reference that operations have to their queue.
    let handle: QueueHandle
    /// The environment for requests that start.
    var environment: RunEnvironment
    var alarms = Alarms()
    /// The queue itself, retained while its requests need it even if nothing else refers to it.
    var keeper: (any AnyObject & Sendable)?

    init(_ handle: QueueHandle, _ environment: RunEnvironment) {
        self.handle = handle
        self.environment = environment
    }

    /// The alarms of a queue, one for each purpose.
    struct Alarms: Sendable {
        private var core = Alarm()
        private var sizing = Alarm()
        private var progress = Alarm()
        private var flush = Alarm()

        subscript(purpose: Purpose) -> Alarm {
            get {
                switch purpose {
                case .core: core
                case .sizing: sizing
                case .progress: progress
                case .flush: flush
                }
            }
            _modify {
                switch purpose {
                case .core: yield &core
                case .sizing: yield &sizing
                case .progress: yield &progress
                case .flush: yield &flush
                }
            }
        }
    }
}

extension CoreQueueState {
    var isAsking: Bool { false }

    mutating func settingsDidChange() {}

    mutating func setOwnAlarms(into effects: inout [CoreEffect<Own>]) {}

    mutating func endUnstartable(now: Duration, into effects: inout [CoreEffect<Own>]) {}

    /// Has the alarms ring at the times that have changed.
    mutating func setAlarms(into effects: inout [CoreEffect<Own>]) {
        setAlarm(.core, to: core.wakeTime, into: &effects)
        setOwnAlarms(into: &effects)
    }

    mutating func setAlarm(
        _ purpose: QueueUpkeep.Purpose, to deadline: Duration?, into effects: inout [CoreEffect<Own>]
    ) {
        if upkeep.alarms[purpose].set(to: deadline) { effects.append(.setAlarm(purpose, deadline)) }
    }

    /// Whether every operation has ended and the last callback about one has returned.
    var isEmpty: Bool { core.scheduler.count == 0 && outstandingCount == 0 }

    /// Adds an operation that is attached to the queue.
    ///
    /// - Parameters:
    ///   - hash: the operation's hash; `nil` if it has not been computed.
    ///   - size: the operation's size; `nil` if it has not been determined or is not known.
    mutating func addToCore(
        _ operation: RequestOperation, kind: RequestKind = .transfer, isParked: Bool, hash: UInt32?,
        size: Int64? = nil, now: Duration, into effects: inout [CoreEffect<Own>]
    ) {
        let others = core.add(
            operation, priority: operation.priority, kind: kind, isParked: isParked, hash: hash,
            stage: kind == .transfer ? operation.request.stage : 0, size: size, now: now)
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

    /// Gives slots to operations that may start, and updates the queue's reference to itself.
    mutating func giveSlots(
        in queue: any AnyObject & Sendable, now: Duration, into effects: inout [CoreEffect<Own>]
    ) {
        endUnstartable(now: now, into: &effects)
        // This call also says how busy the core is, because reading its properties through the protocol copies it.
        let activity = core.giveSlots(
            now: now, begin: { effects.append(.begin($0)) }, start: { effects.append(.start($0)) })
        // Sizing must not delay a transfer, so it also gives way at the limit of a host.
        while let probe = core.scheduler.nextObstructingSizing() { effects.append(.cancel(probe)) }
        let keepsItself = activity.isRunning || isStarted && !isAsking && activity.isWaiting
        guard keepsItself != (upkeep.keeper != nil) else { return }
        if keepsItself {
            upkeep.keeper = queue
        } else if let keeper = upkeep.keeper.take() {
            effects.append(.release(keeper))
        }
    }
}
