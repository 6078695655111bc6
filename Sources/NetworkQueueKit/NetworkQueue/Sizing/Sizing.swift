import Foundation

/// Asks for the sizes of downloads, through the same queue, and never fails anything by it.
///
///     start ── barrier lifts ── end
///
/// Until the barrier lifts the transfers wait. It does when all is answered, when only stragglers are missing, or when the time is up;
/// what is not known then is asked for beside the transfers, up to the moment when they start. The end comes after the last probe.
///
/// A few probes more than can run are in the queue at a time, so that sizing a hundred thousand requests does not double them all.
final class Sizing: OperationListener {
    /// How many groups there are.
    let total: Int
    /// Weak: while sizes are asked for, the queue lives as it does at any other time.
    private let owner: WeakListener
    private let requestQueue: RequestQueue
    private let timekeeper: any Timekeeper
    /// Taken under no other. Under it that of a probe may be taken, when the last reference to the probe goes.
    private let state: Guarded<State>

    private struct State {
        var plan: SizingPlan
        var isLifted = false
        /// What was not answered while the transfers waited. This sizing goes on beside them; the next one asks these origins nothing.
        var silentURLs: [URL] = []
        /// The time for all, and the time for stragglers.
        var timeout: (any ScheduledCall)?
        var straggle: (deadline: Duration, call: any ScheduledCall)?
    }

    /// Prepares the sizing of those operations that need it; `nil` when none does.
    ///
    /// - Parameter operations: in the order in which they start.
    init?(_ operations: [RequestOperation], owner: NetworkQueue, requestQueue: RequestQueue) {
        let plan = SizingPlan(operations)
        guard !plan.groups.isEmpty else { return nil }
        self.owner = WeakListener(owner)
        timekeeper = owner.timekeeper
        self.requestQueue = requestQueue
        total = plan.groups.count
        state = Guarded(State(plan: plan))
    }

    private var batch: NetworkQueue? { owner.value as? NetworkQueue }

    /// Sends the first probes. The transfers wait for `timeout` at most.
    func start(timeout: Duration) {
        state.withLock { $0.plan.barrier.startTime = timekeeper.now }
        let timer = timekeeper.schedule(after: timeout) { [weak self] in self?.lift() }
        let isLifted = state.withLock { state in
            if !state.isLifted { state.timeout = timer }
            return state.isLifted
        }
        if isLifted { timer.cancel() }
        feed()
    }

    /// Calls off what is not known yet.
    func end() {
        let probes = stop()
        // Cancel waiting probes together; cancelled one at a time, each would start the next.
        if !probes.isEmpty { requestQueue.cancelAll { probes[$0.id] != nil } }
        for probe in probes.values { probe.cancel() }
        finishIfDone()
    }

    /// Sends no more probes; returns those that have not ended.
    func stop() -> [RequestID: RequestOperation] {
        state.withLock { state in
            state.plan.end()
            return state.plan.probes
        }
    }

    /// Notes that an operation has started, or has ended before that: its size is not asked for any more.
    func forget(_ operation: RequestOperation) {
        state.withLock { $0.plan.forget(operation) }?.cancel()
    }

    // MARK: Probes

    /// Whether adapters for all requests, or the authenticator, will look at the probes.
    private var areProbesSeen: Bool { !requestQueue.adapters.isEmpty || requestQueue.authenticator != nil }

    private func feed() {
        let window = requestQueue.sizingWindow
        let areSeen = areProbesSeen
        while let (index, operations) = state.withLock({ $0.plan.nextGroup(window: window) }) {
            let isWanted = operations.contains { mayAsk(for: $0.request) }
            guard let probe = state.withLock({ $0.plan.probe(for: index, isWanted: isWanted, isSeen: areSeen) }) else {
                continue
            }
            probe.listener = self
            requestQueue.add(probe, stage: .sizing)
        }
        finishIfDone()
    }

    /// Whether a HEAD may be sent for a request. It may ask the file system.
    private func mayAsk(for request: NetworkRequest) -> Bool {
        // One that fails before it is sent needs no size, and one whose file may have its checksum already may need no request.
        request.obstacle == nil && !request.mayNeedNoRequest && batch?.headRefusals.contain(request.url) != true
    }

    func operation(_ probe: RequestOperation, did event: RequestEvent) {
        switch event {
        case .started: state.withLock { $0.plan.barrier.noteSent(probe.id, now: timekeeper.now) }
        case .ended: take(SizeAnswer(probe), from: probe)
        default: break
        }
    }

    private func take(_ answer: SizeAnswer, from probe: RequestOperation) {
        let areSeen = areProbesSeen
        let (sized, followUp) = state.withLock { state in
            state.plan.barrier.noteEnd(of: probe.id, isAnswer: answer.isAnswer, now: timekeeper.now)
            return state.plan.take(answer, from: probe, isSeen: areSeen)
        }
        if answer.isLoss, batch?.headRefusals.noteLoss(probe.request.url) == true { cancelRefusedProbes() }
        if let (operations, completedCount) = sized {
            if let duration = probe.metrics?.duration {
                for operation in operations { operation.setSizingDuration(duration) }
            }
            if let head = answer.head { for operation in operations { operation.noteSized(head) } }
            batch?.sizing(self, hasSized: operations, answer, completedCount: completedCount)
            state.withLock { $0.plan.noteReport() }
        }
        if let followUp {
            followUp.listener = self
            requestQueue.add(followUp, stage: .sizing)
        }
        feed()
        lookAtBarrier()
    }

    // MARK: The barrier and the end

    /// Lifts the barrier, or sees to it that it is looked at again.
    private func lookAtBarrier() {
        let verdict = state.withLock { state -> SizingBarrier.Verdict in
            guard !state.isLifted else { return .wait }
            return state.plan.barrier.verdict(unansweredCount: state.plan.unansweredCount, now: timekeeper.now)
        }
        switch verdict {
        case .wait: break
        // When it is all over, `finishIfDone` lifts it, after the last result has been reported.
        case .lift: if state.withLock({ $0.plan.unansweredCount > 0 }) { lift() }
        case .look(let deadline): look(at: deadline)
        }
    }

    private func look(at deadline: Duration) {
        let former = state.withLock { state -> (any ScheduledCall)? in
            if state.isLifted || state.straggle.map({ $0.deadline <= deadline }) == true { return nil }
            let former = state.straggle?.call
            let call = timekeeper.schedule(at: deadline) { [weak self] in self?.lookAgain(deadline) }
            state.straggle = (deadline, call)
            return former
        }
        former?.cancel()
    }

    private func lookAgain(_ deadline: Duration) {
        state.withLock { if $0.straggle?.deadline == deadline { $0.straggle = nil } }
        lookAtBarrier()
    }

    /// Lets the transfers start; once.
    private func lift() {
        let now = timekeeper.now
        let timers = state.withLock { state -> [(any ScheduledCall)?]? in
            guard !state.isLifted else { return nil }
            state.isLifted = true
            state.silentURLs = state.plan.silentURLs(now: now)
            return [state.timeout.take(), state.straggle.take()?.call]
        }
        guard let timers else { return }
        for timer in timers { timer?.cancel() }
        batch?.sizingLiftsBarrier(self)
    }

    /// Calls off the probes of origins that are sent no HEADs any more.
    private func cancelRefusedProbes() {
        let probes = state.withLock { $0.plan.probes }.values
        for probe in probes where batch?.headRefusals.contain(probe.request.url) == true { probe.cancel() }
    }

    private func finishIfDone() {
        guard state.withLock({ $0.plan.closeIfDone() }) else { return }
        lift()
        for url in state.withLock({ $0.silentURLs }) { batch?.headRefusals.add(url) }
        batch?.sizingDidEnd(self)
    }
}

extension NetworkRequest {
    /// Whether a file that is there may have the checksum that the request expects. It is read when the operation has its slot.
    fileprivate var mayNeedNoRequest: Bool {
        guard expectedChecksum != nil, mayKeepFile, case .file(let url, onConflict: _, resume: _) = destination,
            let names = try? PartNames(url)
        else { return false }
        return ExistingFile(names) != nil
    }
}
