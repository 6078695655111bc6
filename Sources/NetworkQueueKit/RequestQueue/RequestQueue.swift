import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs requests, a limited number at a time, first in first out or last in first out.
///
/// A request starts as soon as it is added and a slot is free. All settings may be changed at any time and take effect
/// at once; requests that run already are not affected by them. Everything may be called from any thread and from
/// inside any handler. A queue that nobody refers to any more lets its running requests end and cancels the others.
public final class RequestQueue: Sendable {
    typealias Scheduler = RequestScheduler<RequestOperation>

    /// A queue for the whole process, with the default settings.
    public static let main = RequestQueue()

    private let handlers: HandlerObserver
    private let state: Guarded<State>

    private struct State {
        var scheduler: Scheduler
        var duplicates: DuplicateIndex
        var environment: RunEnvironment
        /// Told what happens in place of `handlers`.
        var observer: WeakObserver?
        /// Whether a thread is starting operations: what others add or free meanwhile, it will see.
        var isStarting = false

        /// The next operation to start, when it is the caller's to start it.
        mutating func nextToStart(isOwnTurn: Bool) -> Start? {
            guard isOwnTurn || !isStarting else { return nil }
            let next = scheduler.startNext()
            isStarting = next != nil
            return next.map { Start(operation: $0.element, environment: environment, observer: observer?.value) }
        }
    }

    /// An operation to start, with what applies to it at this moment.
    private struct Start {
        let operation: RequestOperation
        let environment: RunEnvironment
        let observer: (any OperationObserver)?
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

    package init(configuration: Configuration, transport: any Transport, timekeeper: any Timekeeper) {
        handlers = HandlerObserver(
            queue: configuration.callbackQueue ?? DispatchQueue(label: "NetworkQueueKit.RequestQueue.callbacks"))
        var scheduler = Scheduler { $0.request.urlRequest.url?.host()?.lowercased() }
        scheduler.maximumRunning = max(configuration.maxConcurrentRequestCount, 0)
        scheduler.maximumRunningPerHost = configuration.maxConcurrentRequestCountPerHost
        scheduler.mode = configuration.mode
        scheduler.isSuspended = configuration.isSuspended
        state = Guarded(
            State(
                scheduler: scheduler, duplicates: DuplicateIndex(isActive: !configuration.allowsDuplicateRequests),
                environment: RunEnvironment(
                    transport: transport, validation: configuration.validation, retryPolicy: configuration.retryPolicy,
                    timekeeper: timekeeper)))
    }

    deinit {
        for operation in state.withLock({ $0.scheduler.removeAllWaiting() }) {
            operation.endCancelled(observer: observer(of: operation))
        }
    }

    // MARK: Settings

    /// How many requests run at a time; 0 means no limit. Raising it starts more at once, lowering it lets the running ones end.
    public var maxConcurrentRequestCount: Int {
        get { state.withLock { $0.scheduler.maximumRunning } }
        set { mutate { $0.scheduler.maximumRunning = max(newValue, 0) } }
    }

    /// How many requests to one host run at a time; `nil` means no limit. Ports are not told apart.
    public var maxConcurrentRequestCountPerHost: Int? {
        get { state.withLock { $0.scheduler.maximumRunningPerHost } }
        set { mutate { $0.scheduler.maximumRunningPerHost = newValue } }
    }

    /// Which waiting request of one priority starts next.
    public var mode: QueueMode {
        get { state.withLock { $0.scheduler.mode } }
        set { mutate { $0.scheduler.mode = newValue } }
    }

    /// Whether equal requests may be in the queue at a time.
    ///
    /// When they may not, adding a request that equals one still in the queue, waiting or running, cancels the earlier one.
    public var allowsDuplicateRequests: Bool {
        get { state.withLock { !$0.duplicates.isActive } }
        set {
            mutate { state in
                guard state.duplicates.isActive == newValue else { return }
                state.duplicates = DuplicateIndex(isActive: !newValue)
                for operation in state.scheduler.elementsInOrder { _ = state.duplicates.insert(operation) }
            }
        }
    }

    /// Whether requests are kept from starting. Running ones go on; setting it to `false` starts the next at once.
    public var isSuspended: Bool {
        get { state.withLock { $0.scheduler.isSuspended } }
        set { mutate { $0.scheduler.isSuspended = newValue } }
    }

    /// The serial queue that handlers run on.
    public var callbackQueue: DispatchQueue { handlers.queue }

    // MARK: Requests

    /// How many requests are in the queue, running or waiting.
    public var requestCount: Int { state.withLock { $0.scheduler.count } }

    /// The requests in the queue: first those that run, then those that wait, in the order in which they would start. O(n log n).
    public var requests: [RequestOperation] { state.withLock { $0.scheduler.elementsInOrder } }

    /// Adds an operation; it starts at once when a slot is free. O(1).
    ///
    /// An operation that is in a queue already, or has been started, traps.
    public func add(_ operation: RequestOperation) {
        add(operation, stage: .transfer)
    }

    /// Adds a request and returns its operation.
    @discardableResult
    public func add(
        _ request: URLRequest, completionHandler: RequestOperation.CompletionHandler? = nil
    ) -> RequestOperation {
        let operation = RequestOperation(request: request)
        operation.completionHandler = completionHandler
        add(operation)
        return operation
    }

    /// Cancels every operation in the queue whose request is `request`. O(n).
    public func cancel(_ request: URLRequest) {
        for operation in requests where operation.request.urlRequest.isSame(as: request) { cancel(operation) }
    }

    /// Cancels an operation, if it is in this queue. O(1).
    public func cancel(_ operation: RequestOperation) {
        // Asked of the operation first: its ticket means nothing to another queue.
        guard operation.isAttached(to: self) else { return }
        let isMember = state.withLock { state in
            operation.ticket.map { state.scheduler.contains($0) } ?? false
        }
        if isMember { operation.cancel() }
    }

    /// Cancels every operation in the queue. Those that are added from now on are not affected.
    public func cancelAllRequests() {
        cancelAll { _ in true }
    }

    // MARK: For NetworkQueue

    /// Keeps transfers, but not sizing, from starting. Nothing is started from here: see `startWaiting`.
    func setHeld(_ isHeld: Bool) {
        state.withLock { $0.scheduler.isHeld = isHeld }
    }

    /// Starts what may start.
    func startWaiting() {
        mutate { _ in }
    }

    /// Which responses count as a success, for requests that do not say. Applies to requests that start from now on.
    public var validation: ResponseValidation {
        get { state.withLock { $0.environment.validation } }
        set { state.withLock { $0.environment.validation = newValue } }
    }

    /// Which failures are worth another attempt, for requests that do not say. Applies to requests that start from now on.
    public var retryPolicy: RetryPolicy {
        get { state.withLock { $0.environment.retryPolicy } }
        set { state.withLock { $0.environment.retryPolicy = newValue } }
    }

    /// Has `observer` told of all operations in place of their handlers.
    func setObserver(_ observer: any OperationObserver) {
        state.withLock { $0.observer = WeakObserver(observer) }
    }

    func add(_ operation: RequestOperation, stage: Scheduler.Stage) {
        operation.attach(to: WeakReference(self))
        let earlier = mutate { state in
            operation.ticket = state.scheduler.add(
                operation, priority: RequestPriority(operation.request.priority), stage: stage)
            return stage == .transfer ? state.duplicates.insert(operation) : nil
        }
        earlier?.cancel()
        // It may have been cancelled before it was anybody's: then nobody was there to take it out.
        if operation.isCancelled { cancelWaiting(operation) }
    }

    /// Cancels the operations for which `isIncluded` returns `true`. It is called under the queue's lock.
    func cancelAll(where isIncluded: (RequestOperation) -> Bool) {
        let (waiting, running) = mutate { state in
            let running = state.scheduler.runningElements.filter(isIncluded)
            let waiting = state.scheduler.removeWaiting(where: isIncluded)
            for operation in waiting { state.duplicates.remove(operation) }
            return (waiting, running)
        }
        for operation in waiting {
            // One that waits for a retry has a run, whose end is its own.
            if operation.isExecuting {
                operation.cancel()
            } else {
                operation.endCancelled(observer: observer(of: operation))
            }
        }
        for operation in running { operation.cancel() }
    }

    // MARK: For RequestOperation and RequestRun

    /// Takes a cancelled operation out and ends it, unless it runs.
    func cancelWaiting(_ operation: RequestOperation) {
        let wasWaiting = mutate { state in
            guard let ticket = operation.ticket, case .removed = state.scheduler.cancel(ticket) else { return false }
            state.duplicates.remove(operation)
            return true
        }
        if wasWaiting { operation.endCancelled(observer: observer(of: operation)) }
    }

    /// Takes an operation that has ended out of the queue, which frees its slot.
    func release(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.ticket, state.scheduler.finish(ticket) == nil {
                // It had no slot: it was waiting for one to retry.
                _ = state.scheduler.cancel(ticket)
            }
            state.duplicates.remove(operation)
        }
    }

    /// Takes an operation's slot away while it waits for a retry.
    func park(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.ticket { state.scheduler.park(ticket) }
        }
    }

    /// Gives an operation the next slot: its wait is over.
    func unpark(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.ticket { state.scheduler.unpark(ticket) }
        }
    }

    private func observer(of operation: RequestOperation) -> any OperationObserver {
        operation.observer ?? state.withLock { $0.observer?.value } ?? handlers
    }

    /// Changes the state, then starts what may start, outside the lock.
    ///
    /// One thread at a time starts operations, in a loop: so they start in order, and an operation that ends while it is
    /// being started does not pile up stack frames, however many of them follow one another.
    @discardableResult
    private func mutate<Result>(_ body: (inout State) -> Result) -> Result {
        var (result, next) = state.withLock { state in
            let result = body(&state)
            return (result, state.nextToStart(isOwnTurn: false))
        }
        while let start = next {
            run(start)
            next = state.withLock { $0.nextToStart(isOwnTurn: true) }
        }
        return result
    }

    private func run(_ start: Start) {
        if let run = start.operation.run {
            run.resume()
            return
        }
        RequestRun(
            start.operation, environment: start.environment,
            observer: start.operation.observer ?? start.observer ?? handlers, queue: self
        ).start()
    }
}
