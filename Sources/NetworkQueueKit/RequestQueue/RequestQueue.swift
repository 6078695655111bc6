import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs requests, a limited number at a time, first in first out or last in first out.
///
/// A request starts as soon as it is added and a slot is free. All settings may be changed at any time and take effect
/// at once; requests that run already are not affected by them. Everything may be called from any thread and from
/// inside any handler.
///
/// A queue to which nothing refers any more lives until all its requests have ended: those that wait start as ever, and a request
/// with ``RequestOperation/autoRetry`` to a server that does not answer keeps it alive without end, unless it is cancelled. A queue that
/// is suspended does not: when its last reference and its last running request have gone, it cancels the others.
///
/// The settings of ``QueueSettings`` and ``RequestDefaults`` are written as if they were the queue's own: `queue.mode = .lastInFirstOut`,
/// `queue.retryPolicy = .standard`.
@dynamicMemberLookup
public final class RequestQueue: RequestQueueing {
    typealias Scheduler = RequestScheduler<RequestOperation>

    /// A queue for the whole process, with the default settings.
    public static let main = RequestQueue()

    let handlers: HandlerCaller
    let bandwidth: BandwidthLimit
    /// Taken under the lock of the batch that the queue is part of, or alone. Taken under it: those of an operation and `bandwidth`.
    let state: Guarded<State>
    /// Whether the hash of a request that is added will be needed, as far as that can be told without the lock.
    let looksForDuplicates: Atomic<Bool>
    /// Tasks that wait until the queue is empty.
    let emptyWaiters = WaiterList()
    let cap: RequestCap
    let timekeeper: any Timekeeper
    /// Shared by its operations.
    let reference: OperationSchedulerReference

    struct State {
        var scheduler: Scheduler
        var duplicates: DuplicateIndex
        /// How many operations are about to end: their slots are taken, but to users they are not in the queue any more.
        var hiddenCount = 0
        /// How many operations have been taken out as cancelled and are yet to end.
        var endingCount = 0
        var environment: RunEnvironment
        /// The hosts whose requests are blocked for a time, and until when.
        var blocks: [String: HostBlock] = [:]
        /// How many places of the cap the running operations have.
        var placeCount = 0
        /// Whether a timer is set after which the queue asks the cap again.
        var asksAgain = false
        /// Whether a thread is starting operations: what others add or free meanwhile, it will see.
        var isStarting = false
        /// Whether the queue keeps itself alive while it has requests: see `keepsItself`.
        var isStarted = true
        /// What the queue keeps alive: itself, or the queue that its listener is.
        var keptQueue: KeptQueue?

        /// Forgets operations that the scheduler has forgotten.
        mutating func forget(_ operations: [RequestOperation]) {
            // To look at each takes its time: most are not in the processor's cache.
            guard duplicates.isActive || hiddenCount > 0 else { return }
            for operation in operations { forget(operation) }
        }

        mutating func forget(_ operation: RequestOperation) {
            duplicates.remove(operation)
            if operation.queueEntry.isHidden {
                operation.queueEntry.isHidden = false
                hiddenCount -= 1
            }
        }

        /// Whether the requests need the queue, even if nothing refers to it: it has been started, and they are not kept from starting by a
        /// suspension, which only code with a reference to the queue could end.
        var keepsItself: Bool { isStarted && !scheduler.isSuspended && scheduler.count > 0 }

        /// Makes `queue` keep itself alive, or not any more; returns what is to be let go of outside of any lock.
        mutating func updateKeptQueue(_ queue: RequestQueue) -> KeptQueue? {
            guard keepsItself != (keptQueue != nil) else { return nil }
            guard keepsItself else { return keptQueue.take() }
            keptQueue = queue.reference.keep(queue)
            return nil
        }
    }

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
        handlers = HandlerCaller(
            queue: configuration.callbackQueue ?? DispatchQueue(label: "NetworkQueueKit.RequestQueue.callbacks"))
        reference = OperationSchedulerReference(lastListener: handlers)
        self.cap = cap
        self.timekeeper = timekeeper
        bandwidth = BandwidthLimit(configuration.maximumBytesPerSecond, timekeeper: timekeeper)
        looksForDuplicates = Atomic(!configuration.allowsDuplicateRequests)
        var scheduler = Scheduler { $0.request.host }
        scheduler.apply(configuration.queueSettings)
        scheduler.isSuspended = configuration.isSuspended
        state = Guarded(
            State(
                scheduler: scheduler, duplicates: DuplicateIndex(isActive: !configuration.allowsDuplicateRequests),
                environment: RunEnvironment(
                    transport: transport, timekeeper: timekeeper, pacer: bandwidth,
                    defaults: configuration.requestDefaults)))
        reference.refer(to: self)
    }

    deinit {
        let waiting = state.withLock { state in
            let waiting = state.scheduler.removeWaiting { _ in true }
            state.endingCount += waiting.count
            cap.end(state.placeCount)
            return waiting
        }
        endCancelled(waiting)
    }

    /// How many requests are in the queue, running or waiting. One that has ended is not, also in its own handler.
    public var requestCount: Int { state.withLock { $0.scheduler.count - $0.hiddenCount } }

    /// The requests in the queue: first those that run, then those that wait, in the order in which they would start. O(n log n).
    public var requests: [RequestOperation] {
        state.withLock { $0.scheduler.elementsInOrder.filter { !$0.queueEntry.isHidden } }
    }

    /// Cancels an operation, if it is in this queue. O(1).
    public func cancel(_ operation: RequestOperation) {
        // Asked of the operation first: its ticket means nothing to another queue.
        guard operation.isAttached(to: self) else { return }
        let isMember = state.withLock { state in
            operation.queueEntry.ticket.map { state.scheduler.contains($0) } ?? false
        }
        if isMember { operation.cancel() }
    }

    /// Cancels every operation in the queue. Those that are added from now on are not affected.
    public func cancelAll() {
        cancelAll { _ in true }
    }

    /// Cancels the operations that have not started; those that run, or wait for a retry, go on to their end. O(n).
    public func cancelWaiting() {
        cancelWaiting { _ in true }
    }

    /// The name of the original RequestQueue for ``cancelAll()``.
    public func cancelAllRequests() {
        cancelAll()
    }

    /// Waits until the queue is empty. Returns at once when it is, and as soon as the task is cancelled.
    ///
    /// Handlers of the last requests may not have been called yet. What is added meanwhile is waited for, too.
    public func waitUntilEmpty() async {
        await emptyWaiters.wait { [state] in state.withLock { $0.scheduler.count == 0 && $0.endingCount == 0 } }
    }
}
