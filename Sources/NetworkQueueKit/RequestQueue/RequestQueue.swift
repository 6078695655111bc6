import Dispatch
import Foundation
import Synchronization

/// Runs requests, a limited number at a time, first in first out or last in first out.
///
/// A request starts as soon as it is added and a slot is free. All settings may be changed at any time and take effect
/// at once; requests that run already are not affected by them. Everything may be called from any thread and from
/// inside any handler.
///
/// A queue to which nothing refers any more lives until all its requests have ended: those that wait start as ever, and
/// a request with ``RequestOperation/autoRetry`` to a server that does not answer keeps it alive without end, unless it
/// is cancelled. A queue that is suspended does not: when its last reference and its last running request have gone, it
/// cancels the others.
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
        var core = QueueCore<RequestOperation>(cap: cap) { $0.host }
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
    public var requestCount: Int { loop.access { $0.core.requestCount } }

    /// The requests in the queue: first those that run, then those that wait, in the order in which they would start.
    /// O(n log n).
    public var requests: [RequestOperation] {
        loop.access { $0.core.scheduler.elementsInOrder }.filter { $0.helped == nil }
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

    /// Waits until the queue is empty and the last handler has returned. Returns at once when that is so, and as soon
    /// as the task is cancelled. What is added meanwhile is waited for, too.
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

    func operationHasProgress(_ operation: RequestOperation) {
        handle.callbacks.post { operation.reportProgress() }
    }
}

extension RequestQueue {
    /// Everything about a queue that changes.
    struct State: CoreQueueState {
        enum Own {
            /// The handlers of an operation that has ended are to be called.
            case report(RequestOperation)
        }

        typealias Effect = CoreEffect<Own>

        var core: QueueCore<RequestOperation>
        var upkeep: QueueUpkeep
        var outstandingCount = 0

        var isStarted: Bool { true }
        var metersOperations: Bool { false }

        mutating func add(
            _ operation: RequestOperation, isParked: Bool, hash: UInt32?, now: Duration, into effects: inout [Effect]
        ) {
            outstandingCount += 1
            addToCore(operation, isParked: isParked, hash: hash, now: now, into: &effects)
        }

        mutating func end(
            _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [Effect]
        ) {
            guard let end = operation.conclude(result) else { return }
            core.remove(operation)
            let isReported = operation.hasHandlers.load(ordering: .acquiring)
            effects.append(.settle(end, isReported: isReported))
            if operation.helped != nil { return }
            if isReported { effects.append(.own(.report(operation))) } else { outstandingCount -= 1 }
        }

        mutating func note(
            _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [Effect]
        ) {
            follow(event, of: operation, now: now, into: &effects)
        }

        func deadline(of purpose: QueueUpkeep.Purpose) -> Duration? { purpose == .core ? core.wakeTime : nil }

        mutating func alarmDidRing(_ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [Effect]) {
            core.wake(now: now)
        }
    }
}

extension RequestQueue: CustomStringConvertible {
    /// How busy the queue is, on one line: `RequestQueue: 2 of 2 running, 17 waiting, suspended`.
    ///
    /// Requests that wait for a retry count as waiting.
    public var description: String {
        let (running, waiting, limit, isSuspended) = loop.access { state in
            let scheduler = state.core.scheduler
            let running = scheduler.runningCount - scheduler.helpingCount
            return (running, state.core.requestCount - running, scheduler.maximumRunning, scheduler.isSuspended)
        }
        return "RequestQueue: " + Self.loadLine(running: running, waiting: waiting, limit: limit)
            + (isSuspended ? ", suspended" : "")
    }

    /// Such as `2 of 4 running, 17 waiting`.
    static func loadLine(running: Int, waiting: Int, limit: Int) -> String {
        (limit > 0 ? "\(running) of \(limit) running" : "\(running) running (no limit)") + ", \(waiting) waiting"
    }
}

/// Texts without what users' code keeps for itself: adapters have tokens, and a cookie storage has cookies.
extension RequestQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "requests": requests, "isSuspended": isSuspended,
                "maxConcurrentRequestCount": self.maxConcurrentRequestCount, "mode": self.mode,
            ], displayStyle: .class)
    }
}

extension RequestQueue {
    /// The settings that a queue starts with. Those that are also properties of the queue may change later.
    public struct Configuration: QueueConfiguration {
        /// Which requests run, in which order and how fast.
        public var queueSettings = QueueSettings(maxConcurrentRequestCount: 2, allowsDuplicateRequests: false)
        /// What applies to requests that do not say themselves.
        public var requestDefaults = RequestDefaults()
        /// Whether the queue starts out suspended. Default `false`.
        public var isSuspended = false
        /// The queue that handlers run on, one after the other and in order, whatever kind of queue it is; `nil`, the
        /// default, means one of the queue's own.
        public var callbackQueue: DispatchQueue?

        /// Creates the default configuration.
        public init() {}
    }
}
