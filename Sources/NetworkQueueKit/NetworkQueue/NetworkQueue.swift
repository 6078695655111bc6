import Dispatch
import Foundation
import Synchronization

/// Runs a batch of requests under one delegate, with one progress for all of them.
///
/// Add the requests, then call ``go()``. It asks for the sizes of the downloads first, so that the progress is accurate
/// from the first byte; then the requests run, and ``NetworkQueueDelegate/networkQueueDidFinish(_:summary:)`` tells
/// when all is done. More may be added while the queue runs, and after it has drained: they start at once.
///
/// Everything may be called from any thread and from inside any callback.
///
/// A queue that has been started, and to which nothing refers any more, lives until it has drained: those requests that
/// wait start as ever, and one with ``RequestOperation/autoRetry`` to a server that does not answer keeps it alive
/// without end, unless it is cancelled. A queue that has not been started, or is suspended, does not: when its last
/// reference and its last running request have gone, it cancels the others.
public final class NetworkQueue: RequestQueueing {
    /// How far a queue is.
    public typealias Progress = QueueProgress

    let handle: QueueHandle
    let bandwidth: BandwidthLimit
    let loop: EffectLoop<Batch, Batch.Effect>
    let stateWaiters = WaiterList()
    let timekeeper: any Timekeeper
    let headRefusals: HeadRefusals

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - configuration: the settings to start with.
    ///   - transport: what performs the exchanges.
    ///   - delegateQueue: the queue on which all callbacks are made, one after the other and in order, whatever kind of
    ///     queue it is. A `@MainActor` delegate needs the main queue. Default: the main queue.
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
        handle = QueueHandle(callbacks: CallbackQueue(target: delegateQueue))
        bandwidth = BandwidthLimit(configuration.maxBytesPerSecond, timekeeper: timekeeper)
        var core = QueueCore<RequestOperation>(cap: .shared) { $0.host }
        core.apply(configuration.queueSettings)
        let environment = RunEnvironment(
            transport: transport, timekeeper: timekeeper, pacer: bandwidth, defaults: configuration.requestDefaults)
        loop = EffectLoop(
            Batch(settings: configuration.batchSettings, core: core, upkeep: QueueUpkeep(handle, environment)))
        handle.refer(to: self)
    }

    deinit {
        cancelRemaining()
        for stream in loop.access({ $0.receivers.allStreams }) { stream.finish() }
    }

    // MARK: Adding

    /// Adds an operation. It starts after ``go()``, or at once when the queue has been started. O(1).
    ///
    /// One that is in a queue already, or has been started, traps.
    public func add(_ operation: RequestOperation) {
        add(operation, if: { _ in true }) { _, _, _ in }
    }

    /// Adds an operation if the batch takes it, and has `note` called in the same change; returns whether it was added.
    @discardableResult
    func add(
        _ operation: RequestOperation, if isTaken: (Batch) -> Bool,
        then note: (inout Batch, Duration, inout [Batch.Effect]) -> Void
    ) -> Bool {
        let isParked = operation.attach(to: handle)
        // Outside the lock, as what may take its time is.
        let expectation = BatchExpectation(operation.request)
        let hash = loop.access { $0.core.looksForDuplicates } ? operation.request.equivalenceHash : nil
        let isAdded = modify { batch, effects in
            guard isTaken(batch) else { return false }
            let now = timekeeper.now
            batch.enroll(operation, expectation, now: now, into: &effects)
            batch.addToCore(operation, isParked: isParked, hash: hash, now: now, into: &effects)
            note(&batch, now, &effects)
            return true
        }
        if isAdded, isParked { requestSlotWhenReady(operation) }
        return isAdded
    }

    /// Adds requests in order and returns their operations. A queue that has been started does not drain between them.
    @discardableResult
    public func add(contentsOf requests: some Sequence<NetworkRequest>) -> [RequestOperation] {
        let operations = requests.map { RequestOperation($0) }
        addTogether(operations)
        return operations
    }

    /// Adds operations so that they belong to one run, however fast the first of them end.
    private func addTogether(_ operations: [RequestOperation]) {
        guard !operations.isEmpty else { return }
        let generation = loop.access { $0.deferDrain() }
        for operation in operations { add(operation) }
        releaseDrain(generation)
    }

    /// Lets the queue drain again that was deferred.
    func releaseDrain(_ generation: Int) {
        modify { batch, effects in batch.release(generation, now: timekeeper.now, into: &effects) }
    }

    /// Runs the requests that have failed in this run again, as new operations, and returns those.
    ///
    /// The delegate hears of them as of any other, and the handlers of the former operations go along: until then, or
    /// until the next run has begun, the queue keeps those of failed operations. On a drained
    /// queue they begin a new run: progress and counts start from zero, and the drain is reported again. On one that
    /// still runs they are added to the run. When nothing has failed, nothing happens. What `cancel` and `cancelAll`
    /// have ended is not run again, nor is what a task has awaited, such as `data(for:)`: that task has been told of
    /// the failure.
    ///
    /// - Parameter includingCancelled: whether those are run again, too, that `cancelsAllOnFailure` has cancelled
    ///   because of the failure of another. Default `false`.
    @discardableResult
    public func retryFailed(includingCancelled: Bool = false) -> [RequestOperation] {
        let operations = loop.access { $0.takeUnfinished(includingCancelled: includingCancelled) }
            .map { $0.makeOperation() }
        addTogether(operations)
        return operations
    }

    // MARK: Running

    /// Starts the queue: asks for sizes when ``showsAccurateProgress`` is set, then runs what has been added.
    ///
    /// Returns at once. Calling it on a queue that runs changes nothing; on one that is empty it reports the drain.
    public func go() {
        let plan = makePlan()
        modify { batch, effects in batch.go(plan, now: timekeeper.now, into: &effects) }
    }

    /// The sizes to ask for, if the batch has not been started. Made outside the lock: to tell requests apart may call
    /// the users' adapters.
    func makePlan() -> SizingPlan? {
        let (operations, isOpen) = loop.access { ($0.operationsToSize, $0.sizesWhatIsRead) }
        let plan = SizingPlan(operations, isOpen: isOpen)
        return plan.groups.isEmpty && !isOpen ? nil : plan
    }

    /// Whether `go()` has been called and something is not done, or not reported yet.
    public var isRunning: Bool { loop.access { $0.isRunning } }

    /// Cancels an operation of this queue. O(1). The others go on: cancelling it yourself is not a failure.
    public func cancel(_ operation: RequestOperation) {
        cancelMember(operation)
    }

    /// Cancels every operation in the queue, each reported as `didFail(.cancelled)`. What is added from now on is not
    /// affected.
    public func cancelAll() {
        modify { batch, effects in
            let now = timekeeper.now
            batch.endSizing(now: now, into: &effects)
            batch.cancelAll(now: now, into: &effects) { [generation = batch.generation] in
                $0.batchEntry?.generation == generation
            }
        }
    }

    /// Cancels the operations that have not started, each reported as `didFail(.cancelled)`; those that run, or wait
    /// for a retry, go on to their end. O(n).
    public func cancelWaiting() {
        cancelUnstarted { $0.batchEntry != nil }
    }

    /// Cancels everything, forgets the delegate and the counts, and returns to the state before `go()`. Settings stay.
    ///
    /// When it has returned, no callback about the old batch is made any more, operations' own handlers included. It
    /// waits for a callback that is running on another thread, so do not call it while such a callback waits for you.
    public func reset() {
        modify { batch, effects in batch.reset(now: timekeeper.now, into: &effects) }
        handle.callbacks.waitForRunningCall()
    }

    // MARK: Contents

    /// The queue on which all callbacks are made, one after the other.
    public var delegateQueue: DispatchQueue { handle.callbacks.target }

    /// How many operations have not ended.
    public var requestCount: Int {
        loop.access { batch in
            let counts = batch.ledger.counts
            return batch.unstartedCount + counts.running + counts.retrying + counts.paused
        }
    }

    /// The operations that have not ended: first those that run, then those that wait, in the order in which they would
    /// start. O(n log n).
    public var requests: [RequestOperation] {
        loop.access { batch in batch.core.scheduler.elementsInOrder.filter { batch.isCurrent($0) } }
    }
}

extension NetworkQueue: CustomStringConvertible {
    /// How far the queue is, on one line: `NetworkQueue: 4 of 4 running, 17 waiting, 37 %`, and then `suspended` or
    /// `not started` where that is so.
    ///
    /// Requests that are paused, or wait for a retry, count as waiting.
    public var description: String {
        let (progress, isStarted) = loop.access { ($0.ledger.snapshot(now: timekeeper.now), $0.isStarted) }
        let counts = progress.counts
        var line =
            "NetworkQueue: "
            + RequestQueue.loadLine(
                running: counts.running, waiting: counts.waiting + counts.retrying + counts.paused,
                limit: self.maxConcurrentRequestCount)
        // Rounded down: 100 % is told at the end alone.
        line += ", \(Int(progress.fractionCompleted * 100)) %"
        if case .sizing(let completed, let total) = progress.phase { line += ", \(completed) of \(total) sizes known" }
        if isSuspended { line += ", suspended" }
        if !isStarted { line += ", not started" }
        return line
    }
}

/// A text without what users' code keeps for itself.
extension NetworkQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "requests": requests, "isSuspended": isSuspended,
                "maxConcurrentRequestCount": self.maxConcurrentRequestCount, "mode": self.mode,
                "batchSettings": loop.access { $0.settings },
            ], displayStyle: .class)
    }
}
