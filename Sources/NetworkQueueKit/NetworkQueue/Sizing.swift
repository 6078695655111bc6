/// Asks for the sizes of downloads before they start, through the same queue, and never fails anything by it.
///
/// A few probes more than can run are in the queue at a time, so that sizing a hundred thousand requests does not double them
/// all. At the end, or when the time is up, the owner is told once, after the last probe has ended.
final class Sizing: OperationListener {
    /// How many groups there are.
    let total: Int
    /// Weak: while sizes are asked for, the queue lives as it does at any other time.
    private let owner: WeakListener
    private let requestQueue: RequestQueue
    private let timekeeper: any Timekeeper
    private let state: Guarded<SizingPlan>

    /// Prepares the sizing of those operations that need it; `nil` when none does.
    init?(_ operations: [RequestOperation], owner: NetworkQueue, requestQueue: RequestQueue) {
        let plan = SizingPlan(operations)
        guard !plan.groups.isEmpty else { return nil }
        self.owner = WeakListener(owner)
        timekeeper = owner.timekeeper
        self.requestQueue = requestQueue
        total = plan.groups.count
        state = Guarded(plan)
    }

    private var batch: NetworkQueue? { owner.value as? NetworkQueue }

    /// Sends the first probes. All must be over after `timeout`.
    func start(timeout: Duration) {
        let timer = timekeeper.schedule(after: timeout) { [weak self] in self?.end() }
        let isOver = state.withLock { state in
            state.timer = timer
            return state.isEnding
        }
        if isOver { timer.cancel() }
        feed()
    }

    /// Calls off what is not known yet.
    func end() {
        let probes = stop()
        // Cancel waiting probes together; cancelled one at a time, each would start the next.
        requestQueue.cancelAll { probes[$0.id] != nil }
        for probe in probes.values { probe.cancel() }
        finishIfDone()
    }

    /// Sends no more probes; returns those that have not ended.
    func stop() -> [RequestOperation.ID: RequestOperation] {
        state.withLock { state in
            state.isEnding = true
            return state.groupOfProbe.reduce(into: [:]) { $0[$1.key] = state.groups[$1.value].probe }
        }
    }

    /// Notes that an operation has ended before its size was known.
    func forget(_ operation: RequestOperation) {
        let probe = state.withLock { state -> RequestOperation? in
            guard let index = state.groupOfOperation[operation.id] else { return nil }
            state.groups[index].liveCount -= 1
            return state.groups[index].liveCount == 0 ? state.groups[index].probe : nil
        }
        probe?.cancel()
    }

    // MARK: Probes

    /// Whether adapters for all requests, or the authenticator, will look at the probes.
    private var areProbesSeen: Bool { !requestQueue.adapters.isEmpty || requestQueue.authenticator != nil }

    private func feed() {
        let limit = requestQueue.maxConcurrentRequestCount
        let window = limit == 0 ? 256 : limit * 2
        let areSeen = areProbesSeen
        while let (index, operations) = state.withLock({ $0.nextGroup(window: window) }) {
            // One that fails before it is sent needs no size.
            let isWanted = operations.contains { $0.request.obstacle == nil }
            guard let probe = state.withLock({ $0.probe(for: index, isWanted: isWanted, isSeen: areSeen) }) else {
                continue
            }
            probe.listener = self
            requestQueue.add(probe, stage: .sizing)
        }
        finishIfDone()
    }

    func operation(_ probe: RequestOperation, did event: RequestEvent) {
        guard case .ended = event else { return }
        let answer = SizeAnswer(probe)
        let areSeen = areProbesSeen
        let (sized, followUp) = state.withLock { $0.take(answer, from: probe, isSeen: areSeen) }
        if let (operations, completedCount) = sized {
            if let duration = probe.metrics?.duration {
                for operation in operations { operation.setSizingDuration(duration) }
            }
            batch?.sizing(self, hasSized: operations, bytes: answer.bytes, completedCount: completedCount)
            state.withLock { $0.noteReport() }
        }
        if let followUp {
            followUp.listener = self
            requestQueue.add(followUp, stage: .sizing)
        }
        feed()
    }

    private func finishIfDone() {
        if state.withLock({ $0.closeIfDone() }) { batch?.sizingDidEnd(self) }
    }
}
