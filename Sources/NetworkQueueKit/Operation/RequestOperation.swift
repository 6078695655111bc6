import Dispatch
import Foundation
import Synchronization

/// One run of a request.
///
/// Single use: add it to a ``NetworkQueue``, a ``RequestQueue`` or any `OperationQueue`, or `start()` it on its own,
/// once. Adding it a second time is a programmer error and traps.
///
/// Every property may be read from any thread at any time. Set the handlers before the operation is added or started;
/// one that is set later misses what has happened before.
public final class RequestOperation: Operation, Identifiable, @unchecked Sendable {
    // Unchecked, as `Operation` is: `state` and `id` are safe by themselves, and the queues' entries belong to their
    // locks.

    /// Tells operations apart.
    public typealias ID = RequestID
    /// What a run took.
    public typealias Metrics = RequestMetrics

    /// What the operation does. Changing your own copy of it has no effect on the operation.
    public let request: NetworkRequest
    /// Tells this operation from all others of the process.
    public let id = RequestID.next()

    /// Makes the callbacks of the operations that are in no queue of this library.
    static let standaloneCallbacks = CallbackQueue(
        target: DispatchQueue(label: "NetworkQueueKit.RequestOperation.callbacks"))

    /// How many operations of this process run.
    static let running = RunningCounter()

    /// Taken under the lock of its queue, or alone. No other is taken under it.
    let state = Guarded(State())
    /// What the queue that schedules it keeps here. Belongs to that queue's lock.
    var queueEntry = QueueEntry()
    /// Whether there have ever been handlers; asked for every packet.
    let hasHandlers = Atomic(false)
    /// Whether it has ended and no callback is to come any more. Written under the lock of `state`; read without it, as
    /// Foundation asks at the end of each operation.
    let hasFinished = Atomic(false)
    /// The present priority, as its place in `NetworkRequest.Priority.allCases`.
    let priorityValue: Atomic<Int>
    /// What the queue of its batch keeps here. Belongs to that queue's lock.
    var batchEntry: BatchEntry?
    /// The download of another operation that this one fetches a share of; `nil` for every operation of the user's.
    let helped: SplitDownload?

    /// Creates an operation that runs `request`.
    public convenience init(_ request: NetworkRequest) {
        self.init(request, helping: nil)
    }

    init(_ request: NetworkRequest, helping split: SplitDownload?) {
        self.request = request
        helped = split
        priorityValue = Atomic(request.priority.rawValue)
        super.init()
        if request.priority != .normal { super.queuePriority = request.priority.queuePriority }
    }

    /// Creates an operation that runs Foundation's request and keeps the content in memory.
    public convenience init(request: URLRequest) {
        self.init(NetworkRequest(request))
    }

    deinit {
        if state.withLock({ $0.hasDependencies && $0.status == .waiting }) { leaveDependencies() }
    }

    // MARK: Results

    /// Where the operation stands.
    public var status: Status { state.withLock { $0.status } }
    /// The head of the final response, from the moment that it has arrived.
    public var responseHead: ResponseHead? { state.withLock { $0.answer.head } }
    /// Which of the request's ``NetworkRequest/mirrors`` is tried, or was last, without user and password; `nil` while it
    /// is the request's own URL. It changes just before the delegate is told that the operation is tried again.
    public var mirror: URL? { state.withLock { $0.handlers?.mirror }?.withoutUserInformation }
    /// The content of the response, once the operation has succeeded; `nil` unless the destination is `.memory`. The
    /// page of a failure is in ``error``'s ``NetworkError/response``.
    public var data: Data? { state.withLock { $0.answer.result?.content } }
    /// The file that was written, once the operation has ended; `nil` unless the destination is `.file`.
    public var fileURL: URL? { state.withLock { $0.answer.result?.fileURL } }
    /// Why the operation failed; `nil` before its end and after a success.
    public var error: NetworkError? { state.withLock { $0.answer.hasError } ? finalResult?.error : nil }
    /// How many exchanges were started for the final result; redirects are not counted.
    public var attempts: Int { state.withLock { Int($0.attempts) } }
    /// What it took, once the operation has ended; `nil` when it never started.
    public var metrics: Metrics? { state.withLock { $0.answer.result?.metrics } }

    /// Where the operation stands, on one line: number, method, URL, status and attempt, such as
    /// `#12 GET https://example.com/file, running, attempt 1`. Without name and password of the URL. At a mirror, its URL
    /// follows.
    public override var description: String { stateLine }

    // MARK: Operation

    /// Always `true`: the work goes on after `start()` has returned.
    public override var isAsynchronous: Bool { true }
    /// Whether the operation has started and not ended. Waiting for a retry, and being paused, are part of it.
    public override var isExecuting: Bool { hasStarted }
    /// Whether `cancel()` was called before the end.
    public override var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Whether the operation has ended, in whatever way, and its callbacks have been made: the completion handler and
    /// the delegate's last call have returned, were discarded by ``NetworkQueue/reset()``, or there are none.
    ///
    /// What depends on this operation waits for that, and so do ``waitUntilFinished()``, `completionBlock` and the slot
    /// of an `OperationQueue`. ``status``, ``result``, ``response()`` and the counts and slots of the library's queues
    /// do not wait for callbacks: ``Status/isTerminal`` comes first.
    public override var isFinished: Bool { hasFinished.load(ordering: .acquiring) }

    /// Blocks until the operation is finished, see ``isFinished``. It starts nothing.
    ///
    /// An operation that waits in a queue which is suspended, or not started, is finished when another thread resumes
    /// or starts the queue, cancels the operation, or lets go of the last reference to the queue, which cancels it as
    /// well.
    ///
    /// On the main thread it runs the run loop, so that callbacks on the main queue arrive. It traps where it would
    /// wait without an end: inside a callback, be it a handler or a method of the delegate, and in a block of the queue
    /// that the callbacks are made on, if none can be made there for a second.
    ///
    /// It blocks its thread, and the threads of async code are few: there use ``response()``.
    public override func waitUntilFinished() {
        waitForFinish()
    }

    /// ``priority`` in Foundation's terms, which `OperationQueue` goes by.
    public override var queuePriority: Operation.QueuePriority {
        get { super.queuePriority }
        set {
            super.queuePriority = newValue
            setPriority(NetworkRequest.Priority(newValue))
        }
    }

    /// Has the operation wait until another one is finished, in whatever way: one of this library, with its callbacks,
    /// or any other `Operation`.
    ///
    /// `OperationQueue`, ``RequestQueue`` and ``NetworkQueue`` abide by it. There an operation that waits takes no
    /// slot, and when the last one that it waits for is finished, it goes ahead of those that wait in its priority. Add
    /// dependencies before you add the operation to a queue. Cancelling the operation ends the wait.
    public override func addDependency(_ operation: Operation) {
        super.addDependency(operation)
        state.withLock { $0.hasDependencies = true }
    }

    /// Runs the operation on its own, over ``DefaultTransport``. Called by `OperationQueue`, or by you when it is in no
    /// queue.
    ///
    /// Traps when the operation is in a queue of this library, has been started before, or depends on one that has not
    /// ended.
    public override func start() {
        // Not `precondition`, which says nothing in release builds.
        guard isReady else {
            fatalError("A RequestOperation cannot be started before those that it depends on have ended.")
        }
        let environment = state.withLock { state -> RunEnvironment? in
            guard case .none(let override) = state.home else { return nil }
            state.home = .alone
            return override?.environment ?? .standalone
        }
        guard let environment else {
            fatalError("A RequestOperation can be started or added to a queue once.")
        }
        if isCancelled {
            end(with: RequestResult(error: .cancelled))
        } else {
            run(in: environment)
        }
    }

    /// Asks for the operation to end as `.cancelled`.
    ///
    /// Cancellation is a request, not an outcome: an operation whose result is already being put in its place succeeds.
    public override func cancel() {
        if Self.hasObservers { willChangeValue(forKey: "isCancelled") }
        defer { if Self.hasObservers { didChangeValue(forKey: "isCancelled") } }
        let (home, run, hasEnded) = state.withLock { state in
            if !state.status.isTerminal { state.isCancelled = true }
            return (state.home, state.run, state.status.isTerminal)
        }
        // Foundation's part in it concerns `OperationQueue` alone, costs more than all of ours, and knows nothing of an
        // end before `isFinished`.
        if !hasEnded, !home.isQueue { super.cancel() }
        if let run {
            run.cancel()
        } else if let handle = home.handle {
            handle.queue?.cancelWaiting(self)
        } else {
            endWaitUnlessStarted()
        }
    }

    /// Notes the cancellation of an operation that its queue is ending, under the lock of the queue.
    func noteCancelled() {
        state.withLock { if !$0.status.isTerminal { $0.isCancelled = true } }
    }
}

extension RequestOperation {
    /// The order among waiting requests: that of the request to begin with.
    ///
    /// May be changed while the operation waits, from any thread: it then comes as if it had just been added with the
    /// new priority. A change in a running operation applies to its next attempt. O(1).
    public var priority: NetworkRequest.Priority {
        get { NetworkRequest.Priority(rawValue: priorityValue.load(ordering: .acquiring)) ?? .normal }
        set {
            super.queuePriority = newValue.queuePriority
            setPriority(newValue)
        }
    }

    /// Puts a waiting operation of a queue of this library ahead of all that wait in its priority. One that runs, is
    /// paused or waits for a retry goes ahead anyway when it comes back. O(1).
    public func moveToFront() {
        queue?.moveToFront(self)
    }

    func setPriority(_ priority: NetworkRequest.Priority) {
        priorityValue.store(priority.rawValue, ordering: .releasing)
        queue?.changePriority(of: self)
    }
}

extension NetworkRequest.Priority {
    /// The same for Foundation.
    var queuePriority: Operation.QueuePriority {
        switch self {
        case .veryLow: .veryLow
        case .low: .low
        case .normal: .normal
        case .high: .high
        case .veryHigh: .veryHigh
        }
    }

    /// The nearest to one of Foundation's.
    init(_ priority: Operation.QueuePriority) {
        switch priority {
        case .veryLow: self = .veryLow
        case .low: self = .low
        case .high: self = .high
        case .veryHigh: self = .veryHigh
        default: self = .normal
        }
    }
}

extension RequestOperation {
    /// Whether the operation is repeated after a failure in ``autoRetryErrorCodes``, without limit, until it succeeds
    /// or is cancelled. Default `false`. A shorthand that takes the place of every ``RetryPolicy``; set it before the
    /// start.
    public var autoRetry: Bool {
        get { state.withLock { $0.autoRetry?.isOn ?? false } }
        set { withAutoRetry { $0.isOn = newValue } }
    }

    /// The failures that `autoRetry` repeats. Default: ``RetryPolicy/transientErrorCodes``.
    public var autoRetryErrorCodes: Set<URLError.Code> {
        get { state.withLock { $0.autoRetry?.errorCodes ?? AutoRetry().errorCodes } }
        set { withAutoRetry { $0.errorCodes = newValue } }
    }

    /// How long `autoRetry` waits before each attempt. Default 5 s.
    public var autoRetryDelay: Duration {
        get { state.withLock { $0.autoRetry?.delay ?? AutoRetry().delay } }
        set { withAutoRetry { $0.delay = newValue } }
    }

    func withAutoRetry(_ body: (inout AutoRetry) -> Void) {
        state.withLock { state in
            var autoRetry = state.autoRetry ?? AutoRetry()
            body(&autoRetry)
            state.autoRetry = autoRetry
        }
    }

    /// The policy that `autoRetry` stands for; `nil` when it is not set.
    var autoRetryPolicy: RetryPolicy? {
        guard let autoRetry = state.withLock({ $0.autoRetry }), autoRetry.isOn else { return nil }
        return RetryPolicy(
            maxRetries: .max, backoff: .constant(autoRetry.delay),
            methods: [request.method],
            errorCodes: autoRetry.errorCodes, statusCodes: [])
    }
}

extension RequestOperation {
    /// What `description` says.
    var stateLine: String {
        let (status, attempts, error) = state.withLock { ($0.status, $0.attempts, $0.answer.result?.error) }
        var line = "\(id) \(request), \(status)"
        if let error, status == .failed { line += " (\(error.code))" }
        if attempts > 0 { line += ", attempt \(attempts)" }
        if let mirror { line += ", at \(mirror.printable)" }
        return line.singleLine
    }
}

extension RequestOperation: CustomReflectable {
    /// What `dump` shows: where the operation stands, and nothing that is secret.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "request": request, "status": status, "error": error as Any],
            displayStyle: .class)
    }
}
