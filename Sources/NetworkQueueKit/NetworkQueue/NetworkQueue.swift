import Dispatch
import Foundation
import Synchronization

/// Runs a batch of requests with one delegate and one overall progress.
///
/// Add the requests, then call ``go()``. The queue first requests the sizes of the downloads, so that progress is
/// accurate from the first byte. Then the requests run, and ``NetworkQueueDelegate/networkQueueDidFinish(_:summary:)``
/// reports when all have ended. Requests added while the queue runs, or after it has drained, start at once.
///
/// Every member may be used from any thread and from inside any callback. The one exception is ``waitUntilFinished()``,
/// which traps inside a callback.
///
/// A started queue stays alive until it drains, even without references: its waiting requests still start. A request
/// with ``RequestOperation/autoRetry`` to a server that does not answer keeps it alive until you cancel the request. A
/// queue that has not been started, is suspended, or has only paused requests left, cancels its remaining requests when
/// its last reference and its last running request are gone.
public final class NetworkQueue: RequestQueueing {
    /// A snapshot of a queue's progress.
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
    ///   - transport: the transport that performs the exchanges.
    ///   - delegateQueue: the queue on which all callbacks are made, serially and in order, even if it is concurrent. A
    ///     `@MainActor` delegate needs the main queue. Default: the main queue.
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
        headRefusals = HeadRefusals(transport, timekeeper: timekeeper)
        handle = QueueHandle(callbacks: CallbackQueue(target: delegateQueue))
        bandwidth = BandwidthLimit(configuration.maxBytesPerSecond, timekeeper: timekeeper)
        var core = QueueCore<RequestOperation>(cap: .shared, hostOf: { $0.host }, groupOf: { $0.queueEntry.group })
        core.apply(configuration.queueSettings)
        let environment = RunEnvironment(
            transport: transport, timekeeper: timekeeper, pacer: bandwidth, defaults: configuration.requestDefaults,
            rateSwitch: RateSwitch(isOn: core.rates.isInUse))
        loop = EffectLoop(
            Batch(settings: configuration.batchSettings, core: core, upkeep: QueueUpkeep(handle, environment)))
        handle.refer(to: self)
    }

    deinit {
        cancelRemaining()
        for stream in loop.access({ $0.receivers }).allStreams { stream.finish() }
    }

    // MARK: Adding

    /// Adds an operation. It starts after ``go()``, or at once if the queue has been started. O(1).
    ///
    /// Traps if the operation is already in a queue or has been started.
    public func add(_ operation: RequestOperation) {
        add(operation, if: { _ in true }) { _, _, _ in }
    }

    /// Adds an operation if the batch accepts it, and calls `note` in the same change. Returns whether it was added.
    @discardableResult
    func add(
        _ operation: RequestOperation, if isTaken: (Batch) -> Bool,
        then note: (inout Batch, Duration, inout [Batch.Effect]) -> Void
    ) -> Bool {
        let isParked = operation.attach(to: handle)
        // Outside the lock: this may be slow.
        let expectation = BatchExpectation(operation.request)
        let hash = loop.access { $0.core.looksForDuplicates } ? operation.request.equivalenceHash : nil
        let isAdded = modify { batch, now, effects in
            guard isTaken(batch) else { return false }
            batch.enroll(operation, expectation, now: now, into: &effects)
            batch.addToCore(operation, isParked: isParked, hash: hash, now: now, into: &effects)
            note(&batch, now, &effects)
            batch.endIfStageFailed(operation, now: now, into: &effects)
            batch.endIfGroupIsUnsupported(operation, now: now, into: &effects)
            return true
        }
        if isAdded, isParked { requestSlotWhenReady(operation) }
        return isAdded
    }

    /// Adds requests in order and returns their operations. A started queue does not drain between them.
    @discardableResult
    public func add(contentsOf requests: some Sequence<NetworkRequest>) -> [RequestOperation] {
        let operations = requests.map { RequestOperation($0) }
        addTogether(operations)
        return operations
    }

    /// Adds the requests of records in order and returns their operations. Paused ones are added paused.
    ///
    /// A started queue does not drain between them.
    @discardableResult
    public func add(contentsOf records: some Sequence<NetworkRequest.Record>) -> [RequestOperation] {
        let operations = records.map { RequestOperation($0) }
        addTogether(operations)
        return operations
    }

    /// Adds operations so that they belong to one run, however soon the first of them end.
    private func addTogether(_ operations: [RequestOperation]) {
        guard !operations.isEmpty else { return }
        let names = Set(operations.lazy.compactMap(\.request.group).map { ByteText($0) })
        let (generation, groups) = loop.access { ($0.deferDrain(), $0.holdGroups(named: names)) }
        for operation in Self.sortedByStage(operations) { add(operation) }
        modify { batch, now, effects in
            batch.release(groups, generation, now: now, into: &effects)
            batch.release(generation, now: now, into: &effects)
        }
    }

    /// The lower stages first: otherwise, in a started queue, operations of higher ones would start before them.
    private static func sortedByStage(_ operations: [RequestOperation]) -> [RequestOperation] {
        guard operations.contains(where: { $0.request.stage != 0 }) else { return operations }
        return Dictionary(grouping: operations, by: \.request.stage).sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Ends a deferral of the drain.
    func releaseDrain(_ generation: Int) {
        modify { batch, now, effects in batch.release(generation, now: now, into: &effects) }
    }

    /// Runs the failed requests of this run again, as new operations, and returns those.
    ///
    /// The delegate is notified as usual. The new operations take over the handlers of the failed ones, which the queue
    /// keeps until this call or until the next run begins. On a drained queue this begins a new run: progress and
    /// counts start from zero, and the drain is reported again. On a running queue the operations join the run. If
    /// nothing has failed, nothing happens. Requests ended by `cancel` or `cancelAll` are not run again, nor are
    /// requests that a task awaited, such as `data(for:)`: that task has received the error.
    ///
    /// - Parameter includingCancelled: whether to include operations that `cancelsAllOnFailure` canceled because
    ///   another one failed. Default `false`.
    @discardableResult
    public func retryFailed(includingCancelled: Bool = false) -> [RequestOperation] {
        let operations = loop.access { $0.takeUnfinished(includingCancelled: includingCancelled) }
            .map { $0.makeOperation() }
        addTogether(operations)
        return operations
    }

    // MARK: Running

    /// Starts the queue: requests sizes if ``showsAccurateProgress`` is set, then runs what has been added.
    ///
    /// Returns immediately. On a running queue it has no effect; on an empty one it reports the drain.
    public func go() {
        let plan = makePlan()
        modify { batch, now, effects in batch.go(plan, now: now, into: &effects) }
    }

    /// Plans the sizes to request, if the batch has not been started. Must be called outside the lock: comparing
    /// requests may call the users' adapters.
    func makePlan() -> SizingPlan? {
        let (operations, isOpen) = loop.access { ($0.operationsToSize, $0.sizesWhatIsRead) }
        let plan = SizingPlan(operations, isOpen: isOpen)
        return plan.groups.isEmpty && !isOpen ? nil : plan
    }

    /// Whether the queue has been started and has not drained: an operation has not ended or has not been reported yet,
    /// or files are being flushed to the disk.
    public var isRunning: Bool { loop.access { $0.isRunning } }

    /// Cancels an operation of this queue. O(1). The other operations continue: a cancellation is not a failure.
    public func cancel(_ operation: RequestOperation) {
        cancelMember(operation)
    }

    /// Cancels every operation in the queue. Each is reported as `didFail(.cancelled)`. Operations added later are not
    /// affected.
    public func cancelAll() {
        modify { batch, now, effects in
            batch.endQuestion(now: now, into: &effects)
            batch.cancelBatch(now: now, into: &effects)
        }
    }

    /// Cancels the operations that have not started. Each is reported as `didFail(.cancelled)`. Operations that run or
    /// wait for a retry continue. O(n).
    public func cancelWaiting() {
        cancelUnstarted { $0.batchEntry != nil }
    }

    /// Cancels everything, forgets the delegate and the counts, and returns to the state before `go()`. Settings stay.
    ///
    /// After it returns, no callback about the old batch is made, including the operations' own handlers. It waits for
    /// a callback that is running on another thread, so do not call it while that callback waits for you.
    public func reset() {
        modify { batch, now, effects in batch.reset(now: now, into: &effects) }
        handle.callbacks.waitForRunningCall()
    }

    // MARK: Contents

    /// The queue on which all callbacks are made, one after another.
    public var delegateQueue: DispatchQueue { handle.callbacks.target }

    /// The number of operations that have not ended.
    public var requestCount: Int {
        loop.access { batch in
            let counts = batch.ledger.counts
            return batch.unstartedCount + counts.running + counts.retrying + counts.paused
        }
    }

    /// The operations that have not ended: first the running ones, then the waiting ones in the order in which they
    /// would start, then those that are paused or wait for a retry or a dependency. O(n log n).
    public var requests: [RequestOperation] {
        loop.access { batch in batch.core.scheduler.elementsInOrder.filter { batch.isCurrent($0) } }
    }
}

extension NetworkQueue: CustomStringConvertible {
    /// The queue's state on one line, such as `NetworkQueue: 4 of 4 running, 17 waiting, 37 %`, followed by `suspended`
    /// or `not started` if that applies.
    ///
    /// Requests that are paused or wait for a retry count as waiting.
    public var description: String {
        let (progress, isStarted) = loop.access { ($0.ledger.snapshot(now: timekeeper.now), $0.isStarted) }
        let counts = progress.counts
        var line =
            "NetworkQueue: "
            + RequestQueue.loadLine(
                running: counts.running, waiting: counts.waiting + counts.retrying + counts.paused,
                limit: self.maxConcurrentRequestCount)
        // Rounded down, so that 100 % appears only at the end.
        line += ", \(Int(progress.fractionCompleted * 100)) %"
        if case .sizing(let completed, let total) = progress.phase { line += ", \(completed) of \(total) sizes known" }
        if isSuspended { line += ", suspended" }
        if !isStarted { line += ", not started" }
        return line
    }
}

extension NetworkQueue: CustomReflectable {
    /// The requests, and the settings with which they run. `userInfo` is left out.
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
