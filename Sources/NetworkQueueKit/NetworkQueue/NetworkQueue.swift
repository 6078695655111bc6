import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs a batch of requests under one delegate, with one progress for all of them.
///
/// Add the requests, then call ``go()``. It asks for the sizes of the downloads first, so that the progress is accurate
/// from the first byte; then the requests run, and ``NetworkQueueDelegate/networkQueueDidFinish(_:summary:)`` tells when
/// all is done. More may be added while the queue runs, and after it has drained: they start at once.
///
/// Everything may be called from any thread and from inside any callback.
///
/// A queue that has been started, and to which nothing refers any more, lives until it has drained: those requests that wait start as
/// ever, and one with ``RequestOperation/autoRetry`` to a server that does not answer keeps it alive without end, unless it is
/// cancelled. A queue that has not been started, or is suspended, does not: when its last reference and its last running request
/// have gone, it cancels the others.
///
/// The settings of ``QueueSettings``, ``BatchSettings`` and ``RequestDefaults`` are written as if they were the queue's own properties:
/// `queue.mode = .lastInFirstOut`, `queue.cancelsAllOnFailure = false`, `queue.retryPolicy = .standard`.
@dynamicMemberLookup
public final class NetworkQueue: RequestQueueing {
    /// How far a queue is.
    public typealias Progress = QueueProgress

    let requestQueue: RequestQueue
    let relay: CallbackRelay<NetworkQueue>
    /// The outermost lock. Taken under it: those of `requestQueue`, `relay`, `suspension`, an operation, and a timer that is called
    /// off. It is taken under no other.
    let state: Guarded<State>
    /// Whether there has ever been a delegate or a stream of events. Where not, events are not told: to look for listeners takes the lock,
    /// for which the threads that bring responses would wait.
    let hasHadAudience = Atomic(false)
    let timekeeper: any Timekeeper
    let headRefusals: HeadRefusals
    /// Taken under `state`, under the lock of `requestQueue`, or alone.
    let suspension: Guarded<Suspension>

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - configuration: the settings to start with.
    ///   - transport: what performs the exchanges.
    ///   - delegateQueue: the queue on which all callbacks are made, one after the other and in order, whatever kind of queue it is.
    ///     A `@MainActor` delegate needs the main queue. Default: the main queue.
    public convenience init(
        configuration: Configuration = Configuration(), transport: any Transport = DefaultTransport.shared,
        delegateQueue: DispatchQueue = .main
    ) {
        self.init(
            configuration: configuration, transport: transport, delegateQueue: delegateQueue,
            timekeeper: SystemTimekeeper())
    }

    package init(
        configuration: Configuration, transport: any Transport, delegateQueue: DispatchQueue, timekeeper: any Timekeeper
    ) {
        self.timekeeper = timekeeper
        headRefusals = HeadRefusals(transport)
        var inner = configuration.requestQueue
        inner.callbackQueue = delegateQueue
        requestQueue = RequestQueue(configuration: inner, transport: transport, timekeeper: timekeeper)
        requestQueue.setSizingLimit(configuration.batchSettings.maxConcurrentSizingCount)
        requestQueue.setGated(true)
        _ = requestQueue.setStarted(false)
        suspension = Guarded(Suspension(isSuspended: inner.isSuspended))
        relay = CallbackRelay(queue: delegateQueue)
        state = Guarded(State(settings: configuration.batchSettings))
        requestQueue.setListener(self)
    }

    // MARK: Adding

    /// Adds an operation. It starts after ``go()``, or at once when the queue has been started. O(1).
    ///
    /// One that is in a queue already, or has been started, traps.
    public func add(_ operation: RequestOperation) {
        let expectation = BatchExpectation(operation.request, hasBody: operation.hasBody)
        let now = timekeeper.now
        let sweep = state.withLock { state in
            let isFirst = state.cancellationEpoch == nil && state.isCancelledByProgress
            defer { state.enroll(operation, expectation, now: now) }
            return isFirst ? state.cancellationByProgress() : nil
        }
        if let sweep { cancel(sweep) }
        requestQueue.add(operation, stage: .transfer, at: now)
        // A `reset()` or a failure of another may have cancelled all others before this one was there.
        let (isUpToDate, lacksTimer) = state.withLock { ($0.isUpToDate(operation), $0.lacksProgressTimer) }
        if !isUpToDate { requestQueue.cancel(operation) }
        if lacksTimer { noteProgress() }
    }

    /// Adds requests in order and returns their operations. A queue that has been started does not drain between them.
    @discardableResult
    public func add(contentsOf requests: some Sequence<NetworkRequest>) -> [RequestOperation] {
        let operations = requests.map { RequestOperation($0) }
        addTogether(operations)
        return operations
    }

    /// Adds operations so that they belong to one run, however fast the first of them end.
    func addTogether(_ operations: [RequestOperation]) {
        guard !operations.isEmpty else { return }
        let generation = deferDrain()
        for operation in operations { add(operation) }
        release(generation)
    }

    /// Keeps the queue from draining until what this returns has been given to ``release(_:)``.
    func deferDrain() -> Int {
        state.withLock { state in
            state.outstandingCount += 1
            return state.generation
        }
    }

    /// Lets the queue drain again.
    func release(_ generation: Int) {
        state.withLock { if $0.generation == generation { $0.outstandingCount -= 1 } }
        post(.check)
    }

    // MARK: Running

    /// Starts the queue: asks for sizes when ``showsAccurateProgress`` is set, then runs what has been added.
    ///
    /// Returns at once. Calling it on a queue that runs changes nothing; on one that is empty it reports the drain.
    public func go() {
        // Also when its handler is doing so: what waits must not start before that has reached it.
        let sweep = state.withLock { $0.isCancelledByProgress ? $0.cancellationByProgress() : nil }
        if let sweep { cancel(sweep) }
        let (isFirst, generation, isAccurate, formerQueue) = state.withLock { state in
            defer {
                state.isStarted = true
                state.owesReport = true
            }
            // Under the lock, so that a `reset()` comes before or after.
            let formerQueue = requestQueue.setStarted(true)
            // What a drained queue has to report is a run of nothing, not the former run again.
            if state.isStarted { state.beginRunIfNeeded(now: timekeeper.now) }
            return (!state.isStarted, state.generation, state.settings.showsAccurateProgress, formerQueue)
        }
        withExtendedLifetime(formerQueue) {}
        if isFirst { begin(generation: generation, isAccurate: isAccurate) }
        post(.check)
        noteProgress()
    }

    /// Whether `go()` has been called and something is not done, or not reported yet.
    public var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Cancels an operation of this queue. O(1). The others go on: cancelling it yourself is not a failure.
    public func cancel(_ operation: RequestOperation) {
        requestQueue.cancel(operation)
    }

    /// Cancels every operation in the queue, each reported as `didFail(.cancelled)`. What is added from now on is not affected.
    public func cancelAll() {
        cancel(state.withLock { Sweep(generation: $0.generation, sizing: $0.sizing) })
    }

    func cancel(_ sweep: Sweep) {
        let probes = sweep.sizing?.stop() ?? [:]
        requestQueue.cancelAll {
            guard let membership = $0.batchMembership else { return probes[$0.id] != nil }
            return membership.generation == sweep.generation && membership.epoch < sweep.endEpoch ?? .max
        }
        sweep.sizing?.end()
    }

    /// Cancels the operations that have not started, each reported as `didFail(.cancelled)`; those that run, or wait for a retry, go
    /// on to their end. O(n).
    public func cancelWaiting() {
        let generation = state.withLock { $0.generation }
        requestQueue.cancelWaiting { $0.batchMembership?.generation == generation }
    }

    /// Cancels everything, forgets the delegate and the counts, and returns to the state before `go()`. Settings stay.
    ///
    /// When it has returned, no callback about the old batch is made any more, operations' own handlers included. It waits
    /// for a callback that is running on another thread, so do not call it while such a callback waits for you.
    public func reset() {
        let (old, generation, discarded, formerQueue) = state.withLock { state in
            let old = state
            requestQueue.setGated(true)
            let formerQueue = requestQueue.setStarted(false)
            state = State(settings: old.settings)
            state.userInfo = old.userInfo
            state.generation = old.generation + 1
            state.latestTick = old.latestTick
            if let progress = old.foundationProgress, !progress.isCancelled { state.foundationProgress = progress }
            state.streams = old.streams.filter(\.value.isAcrossRuns)
            state.latestStream = old.latestStream
            let discarded = relay.discardAll(startingGeneration: state.generation)
            return (old, state.generation, discarded, formerQueue)
        }
        withExtendedLifetime(formerQueue) {}
        old.progressTimer?.cancel()
        requestQueue.cancelAll { ($0.batchMembership?.generation ?? generation) < generation }
        old.sizing?.end()
        requestQueue.forgetServers()
        abandonWaiters(of: old)
        // First: the callback that is waited for may wait for one of these.
        for case .end(let operation) in discarded.notices.lazy.map(\.kind) { operation.finishUnreported() }
        discarded.settle()
        let (foundationProgress, progress) = state.withLock {
            ($0.foundationProgress, $0.ledger.snapshot(now: timekeeper.now))
        }
        foundationProgress?.show(progress)
    }

    // MARK: Contents

    /// The queue on which all callbacks are made, one after the other.
    public var delegateQueue: DispatchQueue { relay.queue }

    /// How many operations have not ended.
    public var requestCount: Int {
        let counts = state.withLock { $0.ledger.counts }
        return counts.waiting + counts.running + counts.retrying
    }

    /// The operations that have not ended: first those that run, then those that wait, in the order in which they would
    /// start. O(n log n).
    public var requests: [RequestOperation] {
        let generation = state.withLock { $0.generation }
        return requestQueue.requests.filter { $0.batchMembership?.generation == generation }
    }

    deinit {
        // Its probes refer to the queue that runs them.
        state.withLock { $0.sizing }?.end()
        state.withLock { $0.progressTimer }?.cancel()
        for stream in state.withLock({ $0.streams }).values { stream.finish() }
    }
}
