import Dispatch
import Foundation
import Synchronization

/// A queue that runs a limited number of requests at a time, first in first out or last in first out.
///
/// A request starts as soon as it has been added and a slot is free. All settings may be changed at any time, and take
/// effect at once for requests that start later; a changed speed limit also affects running requests. All members may
/// be used from any thread and inside any handler.
///
/// A queue stays alive until all its requests have ended, even without references: waiting requests start as usual.
/// Note that a request with ``RequestOperation/autoRetry`` to a server that does not answer keeps the queue alive until
/// it is canceled. A queue that is suspended, or has only paused requests left, is an exception: once its last
/// reference and its last running request are gone, it cancels the remaining requests.
public final class RequestQueue: RequestQueueing {
    /// A shared queue for the whole process, with the default settings.
    public static let main = RequestQueue()

    let handle: QueueHandle
    let bandwidth: BandwidthLimit
    let loop: EffectLoop<State, State.Effect>
    let stateWaiters = WaiterList()
    let timekeeper: any Timekeeper

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - configuration: the initial settings.
    ///   - transport: the transport that performs the exchanges.
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
        var core = QueueCore<RequestOperation>(cap: cap, hostOf: { $0.host }, groupOf: { _ in 0 })
        core.apply(configuration.queueSettings)
        core.scheduler.isSuspended = configuration.isSuspended
        let environment = RunEnvironment(
            transport: transport, timekeeper: timekeeper, pacer: bandwidth, defaults: configuration.requestDefaults,
            rateSwitch: RateSwitch(isOn: core.rates.isInUse))
        loop = EffectLoop(State(core: core, upkeep: QueueUpkeep(handle, environment)))
        handle.refer(to: self)
    }

    deinit { cancelRemaining() }

    /// Adds an operation, which starts as soon as a slot is free. O(1).
    ///
    /// Adding an operation that is already in a queue or has been started is a programmer error and traps.
    public func add(_ operation: RequestOperation) {
        let isParked = operation.attach(to: handle)
        // Computed outside the lock, because hashing takes time, and the size may be that of a file.
        let (needsHash, needsSize) = loop.access { ($0.core.looksForDuplicates, $0.core.ordersBySize) }
        let hash = needsHash ? operation.request.equivalenceHash : nil
        let size = needsSize ? operation.request.knownSize : nil
        modify { state, now, effects in
            state.add(operation, isParked: isParked, hash: hash, size: size, now: now, into: &effects)
        }
        if isParked { requestSlotWhenReady(operation) }
    }

    /// Whether an earlier change still has effects to perform.
    package var isPerformingEffects: Bool { loop.isPerforming }
    /// Whether callbacks have been posted and not made.
    package var hasCallbacks: Bool { handle.callbacks.hasCalls }

    /// The number of running and waiting requests. A request that has ended is not counted, even in its own handler.
    public var requestCount: Int { loop.access { $0.core.requestCount } }

    /// The requests in the queue: first the running ones, then the waiting ones in the order in which they would start,
    /// then those that are paused or wait for a retry or a dependency. O(n log n).
    public var requests: [RequestOperation] {
        loop.access { $0.core.scheduler.elementsInOrder }.filter { $0.helped == nil }
    }

    /// Cancels an operation if it is in this queue. O(1).
    public func cancel(_ operation: RequestOperation) {
        cancelMember(operation)
    }

    /// Cancels every operation in the queue. Operations added later are not affected.
    public func cancelAll() {
        cancelAll { _ in true }
    }

    /// Cancels the operations that have not started. Those that run or wait for a retry continue. O(n).
    public func cancelWaiting() {
        cancelUnstarted { _ in true }
    }

    /// Cancels every operation in the queue; an alias of ``cancelAll()`` from the original RequestQueue.
    public func cancelAllRequests() {
        cancelAll()
    }

    /// Waits until the queue is empty, the last handler has returned and downloaded files have been flushed
    /// (``RequestQueueing/durability``), or until the task is canceled.
    ///
    /// Requests added meanwhile are waited for, too. If the queue is already empty, this method returns at once.
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
                modify { state, _, _ in state.outstandingCount -= 1 }
                return 1
            }
        case .flush(let files):
            files.flushLater { [self] failures in
                for error in failures {
                    for monitor in requestDefaults.monitors { monitor.didFailToFlush(error) }
                }
                modify { state, now, effects in state.endFlush(now: now, into: &effects) }
            }
        }
    }

    func operationHasProgress(_ operation: RequestOperation) {
        handle.callbacks.post {
            operation.reportProgress()
            return 1
        }
    }
}

extension RequestQueue {
    /// The mutable state of a queue.
    struct State: CoreQueueState {
        enum Own {
            /// Calls the handlers of an operation that has ended.
            case report(RequestOperation)
            /// Flushes these files to the disk.
            case flush(UnflushedFiles)
        }

        typealias Effect = CoreEffect<Own>

        var core: QueueCore<RequestOperation>
        var upkeep: QueueUpkeep
        var outstandingCount = 0
        private(set) var flush = Flush()

        var isStarted: Bool { true }
        var metersOperations: Bool { false }

        mutating func add(
            _ operation: RequestOperation, isParked: Bool, hash: UInt32?, size: Int64?, now: Duration,
            into effects: inout [Effect]
        ) {
            outstandingCount += 1
            guard operation.request.stage == 0 else {
                let error = NetworkError(.unsupportedConfiguration, underlying: StagesUnsupported())
                return end(operation, with: RequestResult(error: error), now: now, into: &effects)
            }
            if operation.request.destination.isFile { setFormerFiles(of: operation) }
            addToCore(operation, isParked: isParked, hash: hash, size: size, now: now, into: &effects)
        }

        mutating func end(
            _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [Effect]
        ) {
            guard let end = operation.conclude(result) else { return }
            core.remove(operation)
            if operation.request.destination.isFile {
                if core.scheduler.count == 0 { upkeep.environment.storedFiles.forget() }
                scheduleFlush(now: now, into: &effects)
            }
            let isReported = operation.hasHandlers.load(ordering: .acquiring)
            effects.append(.settle(end, isReported: isReported))
            if operation.helped != nil { return }
            if isReported { effects.append(.own(.report(operation))) } else { outstandingCount -= 1 }
        }

        /// What was stored before an operation is in the queue does not concern it.
        private func setFormerFiles(of operation: RequestOperation) {
            let files = upkeep.environment.storedFiles
            let (latest, isLong) = files.latest
            operation.queueEntry.formerFiles = latest
            guard isLong else { return }
            let others = core.scheduler.elementsInOrder.filter { $0.request.destination.isFile }
            files.forget(upTo: others.map(\.queueEntry.formerFiles).min() ?? latest)
        }

        var mayEndWaits: Bool { isEmpty }

        static var notesEvents: Bool { false }

        mutating func note(
            _ event: RequestEvent, of operation: RequestOperation, now: Duration, into effects: inout [Effect]
        ) {
            follow(event, of: operation, now: now, into: &effects)
        }

        mutating func setOwnAlarms(into effects: inout [Effect]) {
            setAlarm(.flush, to: flush.time, into: &effects)
        }

        mutating func alarmDidRing(_ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [Effect]) {
            if case .flush = purpose { beginFlush(into: &effects) } else { core.wake(now: now) }
        }
    }
}

/// Flushes files that are not flushed one by one.
extension RequestQueue.State {
    struct Flush {
        /// The longest time that a file waits.
        static let interval = Duration.seconds(5)
        /// When the next flush begins, if the queue is not empty before.
        var time: Duration?
        var isRunning = false
    }

    private mutating func scheduleFlush(now: Duration, into effects: inout [Effect]) {
        guard !flush.isRunning, !upkeep.environment.storedFiles.unflushed.isEmpty else { return }
        if core.scheduler.count == 0 { return beginFlush(into: &effects) }
        flush.time = flush.time ?? now + Flush.interval
    }

    private mutating func beginFlush(into effects: inout [Effect]) {
        flush = Flush(isRunning: true)
        outstandingCount += 1
        effects.append(.own(.flush(upkeep.environment.storedFiles.unflushed)))
    }

    fileprivate mutating func endFlush(now: Duration, into effects: inout [Effect]) {
        flush.isRunning = false
        outstandingCount -= 1
        scheduleFlush(now: now, into: &effects)
    }
}

extension RequestQueue: CustomStringConvertible {
    /// A summary such as `RequestQueue: 2 of 2 running, 17 waiting, suspended`.
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

    /// Returns text such as `2 of 4 running, 17 waiting`.
    static func loadLine(running: Int, waiting: Int, limit: Int) -> String {
        (limit > 0 ? "\(running) of \(limit) running" : "\(running) running (no limit)") + ", \(waiting) waiting"
    }
}

/// The mirror leaves out the contents of users' objects, such as tokens in adapters and cookies in a storage.
extension RequestQueue: CustomReflectable {
    /// The requests and the main settings.
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
    /// The initial settings of a queue. Those that are also properties of the queue may change later.
    public struct Configuration: QueueConfiguration {
        /// Settings for order, concurrency and speed.
        public var queueSettings = QueueSettings(maxConcurrentRequestCount: 2, duplicatePolicy: .cancelEarlier)
        /// Defaults for requests that do not set a value.
        public var requestDefaults = RequestDefaults()
        /// Whether the queue is initially suspended. Default `false`.
        public var isSuspended = false
        /// The dispatch queue for handlers. They run serially and in order, even if it is concurrent. Default `nil`: a
        /// private queue.
        public var callbackQueue: DispatchQueue?

        /// Creates a configuration with the default settings.
        public init() {}
    }
}
