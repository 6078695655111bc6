import Dispatch
import Foundation
import Synchronization

/// Runs requests, a limited number at a time, first in first out or last in first out.
///
/// A request starts as soon as it is added and a slot is free. All settings may be changed at any time and take effect
/// at once; requests that run already are not affected by them. Everything may be called from any thread and from
/// inside any handler.
///
/// A queue to which nothing refers any more lives until all its requests have ended: those that wait start as ever, and a request
/// with ``RequestOperation/autoRetry`` to a server that does not answer keeps it alive without end, unless it is cancelled. A queue that
/// is suspended does not: when its last reference and its last running request have gone, it cancels the others.
public final class RequestQueue: RequestQueueing {
    /// A queue for the whole process, with the default settings.
    public static let main = RequestQueue()

    let handle: QueueHandle
    let bandwidth: BandwidthLimit
    let loop: EffectLoop<State, State.Effect>
    let stateWaiters = WaiterList()
    let timekeeper: any Timekeeper

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - configuration: the settings to start with.
    ///   - transport: what performs the exchanges.
    public convenience init(
        configuration: Configuration = Configuration(), transport: any Transport = DefaultTransport.shared
    ) {
        self.init(configuration: configuration, transport: transport, timekeeper: SystemTimekeeper())
    }

    package convenience init(configuration: Configuration, transport: any Transport, timekeeper: any Timekeeper) {
        self.init(configuration: configuration, transport: transport, timekeeper: timekeeper, cap: .shared)
    }

    init(configuration: Configuration, transport: any Transport, timekeeper: any Timekeeper, cap: RequestCap) {
        let callbackQueue =
            configuration.callbackQueue ?? DispatchQueue(label: "NetworkQueueKit.RequestQueue.callbacks")
        handle = QueueHandle(callbacks: CallbackQueue(target: callbackQueue))
        self.timekeeper = timekeeper
        bandwidth = BandwidthLimit(configuration.maxBytesPerSecond, timekeeper: timekeeper)
        var core = QueueCore<RequestOperation>(cap: cap) { $0.request.host }
        core.apply(configuration.queueSettings)
        core.scheduler.isSuspended = configuration.isSuspended
        let environment = RunEnvironment(
            transport: transport, timekeeper: timekeeper, pacer: bandwidth, defaults: configuration.requestDefaults)
        loop = EffectLoop(State(core: core, upkeep: QueueUpkeep(handle, environment)))
        handle.refer(to: self)
    }

    deinit { cancelRemaining() }

    /// Adds an operation; it starts at once when a slot is free. O(1).
    ///
    /// An operation that is in a queue already, or has been started, traps.
    public func add(_ operation: RequestOperation) {
        let isParked = operation.attach(to: handle)
        // Outside the lock, as what may take its time is.
        let hash = loop.access { $0.core.looksForDuplicates } ? operation.request.equivalenceHash : nil
        modify { state, effects in
            state.add(operation, isParked: isParked, hash: hash, now: timekeeper.now, into: &effects)
        }
        if isParked { requestSlotWhenReady(operation) }
    }

    /// How many requests are in the queue, running or waiting. One that has ended is not, also in its own handler.
    public var requestCount: Int { loop.access { $0.core.scheduler.count } }

    /// The requests in the queue: first those that run, then those that wait, in the order in which they would start. O(n log n).
    public var requests: [RequestOperation] {
        loop.access { $0.core.scheduler.elementsInOrder }
    }

    /// Cancels an operation, if it is in this queue. O(1).
    public func cancel(_ operation: RequestOperation) {
        cancelMember(operation)
    }

    /// Cancels every operation in the queue. Those that are added from now on are not affected.
    public func cancelAll() {
        cancelAll { _ in true }
    }

    /// Cancels the operations that have not started; those that run, or wait for a retry, go on to their end. O(n).
    public func cancelWaiting() {
        cancelUnstarted { _ in true }
    }

    /// The name of the original RequestQueue for ``cancelAll()``.
    public func cancelAllRequests() {
        cancelAll()
    }

    /// Waits until the queue is empty and the last handler has returned. Returns at once when that is so, and as soon as the task is
    /// cancelled. What is added meanwhile is waited for, too.
    public func waitUntilEmpty() async {
        await waitUntilCoreIsEmpty()
    }
}

extension RequestQueue: CoreQueue {
    func perform(_ effect: State.Own) {
        switch effect {
        case .report(let operation):
            handle.callbacks.post { [self] in
                operation.reportCompletion()
                operation.finish()
                modify { state, _ in state.outstandingCount -= 1 }
            }
        }
    }

    func operation(_ operation: RequestOperation, did event: RequestEvent) {
        guard case .willRetry = event else { return }
        modify { state, _ in state.core.park(operation) }
    }

    func operationHasProgress(_ operation: RequestOperation) {
        handle.callbacks.post { operation.reportProgress() }
    }
}
