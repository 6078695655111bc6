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

extension CoreQueue {
    /// Changes the value under the lock, starts what may start then, and performs the resulting effects.
    @discardableResult
    func modify<Result: Sendable>(
        _ body: (inout State, Duration, inout [CoreEffect<State.Own>]) -> Result
    ) -> Result {
        change { state, now, effects in
            let result = body(&state, now, &effects)
            state.giveSlots(in: self, now: now, into: &effects)
            return result
        }
    }

    /// Changes the value under the lock in a way that neither frees nor wants a slot, and performs the resulting effects.
    @discardableResult
    func change<Result: Sendable>(
        _ body: (inout State, Duration, inout [CoreEffect<State.Own>]) -> Result
    ) -> Result {
        let (result, mayEndWaits) = loop.modify(
            { state, effects in
                let result = body(&state, timekeeper.now, &effects)
                state.setAlarms(into: &effects)
                guard stateWaiters.hasWaiters else { return (result, false) }
                // In a suspended queue, a task may wait for the last operation to stop.
                return (result, state.core.scheduler.isSuspended ? true : state.mayEndWaits)
            }, perform: perform)
        if mayEndWaits { stateWaiters.check() }
        return result
    }

    private func perform(_ effect: CoreEffect<State.Own>) {
        switch effect {
        case .start(let operation): start(operation)
        case .begin(let turn): turn.begin()
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
        modify { state, now, effects in
            state.core.park(operation, for: .waiting)
            // If it was canceled while it had the slot, nothing else ends it.
            guard operation.isCancelled else { return }
            state.end(operation, with: RequestResult(error: .cancelled), now: now, into: &effects)
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
        loop.access { $0.upkeep.alarms[purpose].replaceCall(with: call) }?.cancel()
    }

    private func alarmRings(_ purpose: QueueUpkeep.Purpose, _ deadline: Duration) {
        modify { state, now, effects in
            guard state.upkeep.alarms[purpose].didRing(at: deadline) else { return }
            state.alarmDidRing(purpose, now: max(now, deadline), into: &effects)
        }
    }
}
