import Dispatch
import Foundation
import Synchronization

/// One run of a request.
///
/// Each operation runs once: add it to a ``NetworkQueue``, a ``RequestQueue`` or any `OperationQueue`, or `start()` it
/// yourself. Adding it a second time is a programmer error and traps.
///
/// Every property may be read from any thread at any time. Set the handlers before you add or start the operation: a
/// handler set later misses what has already happened.
public final class RequestOperation: Operation, Identifiable, @unchecked Sendable {
    // Unchecked, as `Operation` is: `state` and `id` are safe by themselves, and the queues' entries are guarded by the
    // queues' locks.

    /// The type of an operation's identity.
    public typealias ID = RequestID
    /// The type of an operation's metrics.
    public typealias Metrics = RequestMetrics

    /// The request. Changing a copy of it does not affect the operation.
    public let request: NetworkRequest
    /// An identifier that is unique in the process.
    public let id = RequestID.next()

    /// Makes the callbacks of operations that are in no queue of this library.
    static let standaloneCallbacks = CallbackQueue(
        target: DispatchQueue(label: "NetworkQueueKit.RequestOperation.callbacks"))

    /// Counts the running operations of the process.
    static let running = RunningCounter()

    /// Taken alone or under the lock of the operation's queue. No other lock is taken under it.
    let state = Guarded(State())
    /// The scheduling data of the operation's queue. Guarded by that queue's lock.
    var queueEntry = QueueEntry()
    /// Whether there has ever been a handler. Read without the lock.
    let hasHandlers = Atomic(false)
    /// Whether the operation has ended and no callback is still to come. Written under the lock of `state`, and read
    /// without it, because Foundation reads it at the end of each operation.
    let hasFinished = Atomic(false)
    /// The current priority, as an index in `NetworkRequest.Priority.allCases`.
    let priorityValue: Atomic<Int>
    /// The batch's data about the operation. Guarded by the lock of its queue.
    var batchEntry: BatchEntry?
    /// The other operation's download of which this one fetches a share; `nil` for every operation of the user.
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

    /// Creates an operation that runs a `URLRequest` and keeps the content in memory.
    public convenience init(request: URLRequest) {
        self.init(NetworkRequest(request))
    }

    deinit {
        if state.withLock({ $0.hasDependencies && $0.status == .waiting }) { leaveDependencies() }
    }

    // MARK: Results

    /// The current state of the operation.
    public var status: Status { state.withLock { $0.status } }
    /// The head of the final response, once it has arrived.
    public var responseHead: ResponseHead? { state.withLock { $0.answer.head } }
    /// The mirror that the operation is trying or has tried last, one of the request's
    /// ``NetworkRequest/mirrors``, without user name and password; `nil` for the request's own URL. It changes just
    /// before the delegate is told of the retry.
    public var mirror: URL? { state.withLock { $0.handlers?.mirror }?.withoutUserInformation }
    /// The content of the response, once the operation has succeeded; `nil` unless the destination is `.memory`. The
    /// content of an error page is in the ``NetworkError/response`` of ``error``.
    public var data: Data? { state.withLock { $0.answer.result?.content } }
    /// The file with the content, once the operation has succeeded; `nil` unless the destination is `.file`.
    public var fileURL: URL? { state.withLock { $0.answer.result?.fileURL } }
    /// The reason for the failure; `nil` before the end and after a success.
    public var error: NetworkError? { state.withLock { $0.answer.hasError } ? finalResult?.error : nil }
    /// The number of exchanges started for the final result, not counting redirects.
    public var attempts: Int { state.withLock { Int($0.attempts) } }
    /// The metrics of the run, once the operation has ended; `nil` if it never started.
    public var metrics: Metrics? { state.withLock { $0.answer.result?.metrics } }

    /// The operation's number, method, URL without user name and password, status and attempt on one line, such as
    /// `#12 GET https://example.com/file, running, attempt 1`. If a mirror is tried, its URL follows.
    public override var description: String { stateLine }

    // MARK: Operation

    /// Always `true`: the work continues after `start()` returns.
    public override var isAsynchronous: Bool { true }
    /// Whether the operation has started and not ended. A wait for a retry and a pause are included.
    public override var isExecuting: Bool { hasStarted }
    /// Whether `cancel()` was called before the end.
    public override var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Whether the operation has ended, in any way, and its callbacks have been made: the completion handler and the
    /// delegate's last call have returned or were discarded by ``NetworkQueue/reset()``, or there are none.
    ///
    /// Dependent operations wait for this, and so do ``waitUntilFinished()``, `completionBlock` and the slot of an
    /// `OperationQueue`. ``status``, ``result``, ``response()`` and the counts and slots of this library's queues do
    /// not wait for callbacks: ``Status/isTerminal`` turns true first.
    public override var isFinished: Bool { hasFinished.load(ordering: .acquiring) }

    /// Blocks the thread until the operation is finished, as ``isFinished`` describes. It starts nothing.
    ///
    /// An operation waiting in a queue that is suspended or not started finishes only when another thread resumes or
    /// starts the queue, cancels the operation, or releases the last reference to the queue, which also cancels it.
    ///
    /// On the main thread it runs the run loop, so that callbacks on the main queue arrive. Where it would wait
    /// forever, it traps: inside a callback (a handler or a delegate method), and in a block of the queue on which
    /// callbacks are made, if none can run there for a second.
    ///
    /// In async code, which runs on a small number of threads, use ``response()`` instead.
    public override func waitUntilFinished() {
        waitForFinish()
    }

    /// The ``priority`` as Foundation's `OperationQueue` uses it.
    public override var queuePriority: Operation.QueuePriority {
        get { super.queuePriority }
        set {
            super.queuePriority = newValue
            setPriority(NetworkRequest.Priority(newValue))
        }
    }

    /// Makes this operation wait until another one is finished, in any way. An operation of this library is finished
    /// after its callbacks; the other one may be any `Operation`.
    ///
    /// `OperationQueue`, ``RequestQueue`` and ``NetworkQueue`` observe dependencies. In the library's queues, a waiting
    /// operation takes no slot, and once its last dependency is finished, it goes ahead of those that wait in its
    /// priority. Add dependencies before you add the operation to a queue. Canceling the operation ends the wait.
    public override func addDependency(_ operation: Operation) {
        super.addDependency(operation)
        state.withLock { $0.hasDependencies = true }
    }

    /// Runs the operation on its own, over ``DefaultTransport``. An `OperationQueue` calls this method; call it
    /// yourself if the operation is in no queue.
    ///
    /// Traps if the operation is in a queue of this library, has been started before, or depends on an operation that
    /// has not ended.
    public override func start() {
        // Not `precondition`, which omits its message in release builds.
        guard isReady else {
            fatalError("\(title) cannot start before the operations that it depends on have finished.")
        }
        let environment = state.withLock { state -> RunEnvironment? in
            guard case .none(let override) = state.home else { return nil }
            state.home = .alone
            return override?.environment ?? .standalone
        }
        guard let environment else { fatalError(misuse) }
        if isCancelled {
            end(with: RequestResult(error: .cancelled))
        } else {
            run(in: environment)
        }
    }

    /// Requests that the operation end as `.cancelled`.
    ///
    /// Cancellation is a request, not an outcome: an operation that is already putting its result in place succeeds.
    public override func cancel() {
        if Self.hasObservers { willChangeValue(forKey: "isCancelled") }
        defer { if Self.hasObservers { didChangeValue(forKey: "isCancelled") } }
        let (home, run, hasEnded) = state.withLock { state in
            if !state.status.isTerminal { state.isCancelled = true }
            return (state.home, state.run, state.status.isTerminal)
        }
        // `super.cancel()` is slow, only `OperationQueue` needs it, and it does not know of an end before `isFinished`.
        if !hasEnded, !home.isQueue { super.cancel() }
        if let run {
            run.cancel()
        } else if let handle = home.handle {
            handle.queue?.cancelWaiting(self)
        } else {
            endWaitUnlessStarted()
        }
    }

    /// Records the cancellation of an operation that its queue is ending. Called under the lock of the queue.
    func noteCancelled() {
        state.withLock { if !$0.status.isTerminal { $0.isCancelled = true } }
    }
}

extension RequestOperation {
    /// The priority among waiting requests, initially that of the request.
    ///
    /// It may be changed from any thread. A waiting operation then takes the place of one just added with the new
    /// priority; a running operation uses it for its next attempt. O(1).
    public var priority: NetworkRequest.Priority {
        get { NetworkRequest.Priority(rawValue: priorityValue.load(ordering: .acquiring)) ?? .normal }
        set {
            super.queuePriority = newValue.queuePriority
            setPriority(newValue)
        }
    }

    /// Moves a waiting operation ahead of all that wait in its priority, if it is in a queue of this library. A running
    /// or paused operation, or one waiting for a retry, goes ahead anyway when it returns. O(1).
    public func moveToFront() {
        queue?.moveToFront(self)
    }

    func setPriority(_ priority: NetworkRequest.Priority) {
        priorityValue.store(priority.rawValue, ordering: .releasing)
        queue?.changePriority(of: self)
    }
}

extension NetworkRequest.Priority {
    /// Foundation's equivalent.
    var queuePriority: Operation.QueuePriority {
        switch self {
        case .veryLow: .veryLow
        case .low: .low
        case .normal: .normal
        case .high: .high
        case .veryHigh: .veryHigh
        }
    }

    /// Creates the nearest equivalent of a Foundation priority.
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
    /// or is canceled. Default `false`. A shorthand that replaces every ``RetryPolicy``. Set it before the start.
    public var autoRetry: Bool {
        get { state.withLock { $0.autoRetry?.isOn ?? false } }
        set { withAutoRetry { $0.isOn = newValue } }
    }

    /// The failures after which `autoRetry` repeats the operation. Default: ``RetryPolicy/transientErrorCodes``.
    ///
    /// Failures of TLS and of malformed requests are never repeated, and a ``RetryDecider`` decides first.
    public var autoRetryErrorCodes: Set<URLError.Code> {
        get { state.withLock { $0.autoRetry?.errorCodes ?? AutoRetry().errorCodes } }
        set { withAutoRetry { $0.errorCodes = newValue } }
    }

    /// The delay before each attempt of `autoRetry`. Default 5 s.
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

    /// The policy that `autoRetry` stands for; `nil` if it is off.
    var autoRetryPolicy: RetryPolicy? {
        guard let autoRetry = state.withLock({ $0.autoRetry }), autoRetry.isOn else { return nil }
        return RetryPolicy(
            maxRetries: .max, backoff: .constant(autoRetry.delay),
            methods: [request.method.uppercased()],
            errorCodes: autoRetry.errorCodes, statusCodes: [])
    }
}

extension RequestOperation {
    private var title: String { "\(id) \(request)".singleLine }

    /// What the program ends with when the operation is used twice.
    var misuse: String { "\(title) was already added or started; create a new RequestOperation." }

    /// The line returned by `description`.
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
    /// The identifier, request, status and error, without secrets.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "request": request, "status": status, "error": error as Any],
            displayStyle: .class)
    }
}
