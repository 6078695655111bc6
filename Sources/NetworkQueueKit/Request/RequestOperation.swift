import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One run of a request.
///
/// Single use: add it to a ``NetworkQueue``, a ``RequestQueue`` or any `OperationQueue`, or `start()` it on its own, once.
/// Adding it a second time is a programmer error and traps.
///
/// Every property may be read from any thread at any time. Set the handlers before the operation is added or started;
/// one that is set later misses what has happened before.
public final class RequestOperation: Operation, Identifiable, @unchecked Sendable {
    // Unchecked, as `Operation` is: `state` and `id` are safe by themselves, and `ticket` and `record` belong to the
    // lock of the queue that the operation was added to.

    /// Called once at the end with the head, the data and the error, as far as there are any.
    ///
    /// After a cancellation the error is `.cancelled`. A response whose status the validation rejects is an error that
    /// still carries the head and the first 64 KiB of the content.
    public typealias CompletionHandler = @Sendable (ResponseHead?, Data?, NetworkError?) -> Void

    /// Called as bytes go by: the fraction done in 0...1, the bytes so far, and how many there will be, `nil` where
    /// that is not known. Calls are coalesced, so their rhythm is that of the queue they arrive on.
    public typealias ProgressHandler =
        @Sendable (_ progress: Double?, _ bytesTransferred: Int64, _ totalBytes: Int64?) -> Void

    /// What the operation does. Changing your own copy of it has no effect on the operation.
    public let request: NetworkRequest
    /// Tells this operation from all others of the process.
    public let id = ID.next()

    /// Calls the handlers of the operations that are in no queue of this library.
    private static let standaloneObserver = HandlerObserver(
        queue: DispatchQueue(label: "NetworkQueueKit.RequestOperation.callbacks"))

    private let state = Guarded(State())
    /// Where the operation stands in its `RequestQueue`.
    var ticket: RequestQueue.Scheduler.Ticket?
    /// Which batch of a `NetworkQueue` it belongs to. Written once, before the operation is shared.
    var membership: NetworkQueue.Membership?
    /// What its `NetworkQueue` keeps about it.
    var record: NetworkQueue.Record?

    private struct State {
        var home = Home.none
        var status = Status.waiting
        var isCancelled = false
        var run: RequestRun?
        var observer: (any OperationObserver)?
        var responseHead: ResponseHead?
        var result = OperationResult()
        var attempts = 0
        var handlers: Handlers?
        var autoRetry: AutoRetry?
    }

    private enum Home {
        case none
        case alone
        case queue(WeakReference<RequestQueue>)
    }

    /// Most operations have none of these, so they share one allocation that most never make.
    final class Handlers {
        var completion: CompletionHandler?
        var upload: ProgressHandler?
        var download: ProgressHandler?
        var uploaded = TransferCount()
        var downloaded = TransferCount()
        var isReportPending = false
    }

    enum Direction {
        case upload, download
    }

    /// The shorthand for a policy, kept only where somebody has used it.
    struct AutoRetry {
        var isOn = false
        var errorCodes = RetryPolicy.transientErrorCodes
        var delay = Duration.seconds(5)
    }

    struct TransferCount {
        var bytes: Int64 = 0
        var total: Int64?
        var hasChanged = false
    }

    /// Creates an operation that runs `request`.
    public init(_ request: NetworkRequest) {
        self.request = request
    }

    /// Creates an operation that runs Foundation's request and keeps the content in memory.
    public convenience init(request: URLRequest) {
        self.init(NetworkRequest(request))
    }

    // MARK: Results

    /// Where the operation stands.
    public var status: Status { state.withLock { $0.status } }
    /// The head of the final response, from the moment that it has arrived.
    public var responseHead: ResponseHead? { state.withLock { $0.result.head ?? $0.responseHead } }
    /// The content of the response, once the operation has ended; `nil` unless the destination is `.memory`.
    public var data: Data? { state.withLock { $0.result.data } }
    /// The file that was written, once the operation has ended; `nil` unless the destination is `.file`.
    public var fileURL: URL? { state.withLock { $0.result.fileURL } }
    /// Why the operation failed; `nil` before its end and after a success.
    public var error: NetworkError? { state.withLock { $0.result.error } }
    /// How many exchanges were started for the final result; redirects are not counted.
    public var attempts: Int { state.withLock { $0.attempts } }
    /// What it took, once the operation has ended; `nil` when it never started.
    public var metrics: Metrics? { state.withLock { $0.result.metrics } }

    // MARK: Handlers

    /// Called once at the end, on the `callbackQueue` of the `RequestQueue` or the `delegateQueue` of the `NetworkQueue`.
    public var completionHandler: CompletionHandler? {
        get { state.withLock { $0.handlers?.completion } }
        set { withHandlers { $0.completion = newValue } }
    }

    /// Called as content is sent, on the same queue as the completion handler and never after it.
    public var uploadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.upload } }
        set { withHandlers { $0.upload = newValue } }
    }

    /// Called as content is received, on the same queue as the completion handler and never after it.
    public var downloadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.download } }
        set { withHandlers { $0.download = newValue } }
    }

    private func withHandlers(_ body: (Handlers) -> Void) {
        state.withLock { state in
            let handlers = state.handlers ?? Handlers()
            body(handlers)
            state.handlers = handlers
        }
    }

    // MARK: Retry

    /// Whether the operation is repeated after a failure in ``autoRetryErrorCodes``, without limit, until it succeeds or is
    /// cancelled. Default `false`. A shorthand that takes the place of every ``RetryPolicy``; set it before the start.
    public var autoRetry: Bool {
        get { state.withLock { $0.autoRetry?.isOn ?? false } }
        set { withAutoRetry { $0.isOn = newValue } }
    }

    /// The failures that `autoRetry` repeats. Default: those that come from a poor or missing connection,
    /// ``RetryPolicy/transientErrorCodes``.
    public var autoRetryErrorCodes: Set<URLError.Code> {
        get { state.withLock { $0.autoRetry?.errorCodes ?? AutoRetry().errorCodes } }
        set { withAutoRetry { $0.errorCodes = newValue } }
    }

    /// How long `autoRetry` waits before each attempt. Default 5 s.
    public var autoRetryDelay: Duration {
        get { state.withLock { $0.autoRetry?.delay ?? AutoRetry().delay } }
        set { withAutoRetry { $0.delay = newValue } }
    }

    private func withAutoRetry(_ body: (inout AutoRetry) -> Void) {
        state.withLock { state in
            var autoRetry = state.autoRetry ?? AutoRetry()
            body(&autoRetry)
            state.autoRetry = autoRetry
        }
    }

    // MARK: Operation

    /// Always `true`: the work goes on after `start()` has returned.
    public override var isAsynchronous: Bool { true }
    /// Whether the operation has started and not ended. Waiting for a retry is part of it.
    public override var isExecuting: Bool {
        switch status {
        case .running, .retrying: true
        case .waiting, .finished, .failed, .cancelled: false
        }
    }
    /// Whether `cancel()` was called before the end.
    public override var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Whether the operation has ended, in whatever way.
    public override var isFinished: Bool { status.isTerminal }

    /// Runs the operation on its own, over ``DefaultTransport``. Called by `OperationQueue`, or by you when it is in no queue.
    public override func start() {
        let mayStart = state.withLock { state in
            guard case .none = state.home else { return false }
            state.home = .alone
            return true
        }
        precondition(mayStart, "A RequestOperation can be started or added to a queue once.")
        let observer = Self.standaloneObserver
        if isCancelled {
            observer.end(self, with: OperationResult(error: .cancelled))
        } else {
            let environment = RunEnvironment(
                transport: DefaultTransport.shared, validation: .successStatus, retryPolicy: .never,
                timekeeper: SystemTimekeeper())
            RequestRun(self, environment: environment, observer: observer, queue: nil).start()
        }
    }

    /// Asks for the operation to end as `.cancelled`.
    ///
    /// Cancellation is a request, not an outcome: an operation whose result is already being put in its place succeeds.
    public override func cancel() {
        let (home, run) = noteCancellation()
        if let run {
            run.cancel()
        } else if case .queue(let queue) = home {
            queue.value?.cancelWaiting(self)
        }
    }

    private func noteCancellation() -> (Home, RequestRun?) {
        willChangeValue(forKey: "isCancelled")
        defer { didChangeValue(forKey: "isCancelled") }
        let (home, run) = state.withLock { state in
            if !state.status.isTerminal { state.isCancelled = true }
            return (state.home, state.run)
        }
        // Foundation's part in it concerns `OperationQueue` alone, and costs more than all of ours.
        if case .queue = home { return (home, run) }
        super.cancel()
        return (home, run)
    }

    // MARK: For the queues and the pipeline

    /// Whom to tell what happens, in place of the queue's own observer.
    var observer: (any OperationObserver)? {
        get { state.withLock { $0.observer } }
        set { state.withLock { $0.observer = newValue } }
    }

    /// What runs the operation, from its start to its end.
    var run: RequestRun? { state.withLock { $0.run } }

    /// Makes the operation belong to `queue`.
    func attach(to queue: WeakReference<RequestQueue>) {
        let isFree = state.withLock { state in
            guard case .none = state.home else { return false }
            state.home = .queue(queue)
            return true
        }
        precondition(isFree, "A RequestOperation can be started or added to a queue once.")
    }

    /// Whether the operation was added to `queue`.
    func isAttached(to queue: RequestQueue) -> Bool {
        state.withLock { state in
            if case .queue(let home) = state.home { home.value === queue } else { false }
        }
    }

    /// Ends the operation as cancelled, after its queue has taken it out.
    func endCancelled(observer: any OperationObserver) {
        _ = noteCancellation()
        observer.end(self, with: OperationResult(error: .cancelled))
    }

    /// Makes the operation running; returns `false` when it must not start because it has been cancelled or has ended.
    func begin(_ run: RequestRun) -> Bool {
        willChangeValue(forKey: "isExecuting")
        defer { didChangeValue(forKey: "isExecuting") }
        return state.withLock { state in
            guard state.status == .waiting else { return false }
            state.status = .running
            state.run = run
            state.attempts = 1
            return true
        }
    }

    /// Makes the operation wait for another attempt: what the former one has brought is forgotten.
    func beginWait() {
        state.withLock { state in
            state.status = .retrying
            state.responseHead = nil
        }
    }

    /// Makes the operation running again.
    func beginNextAttempt() {
        state.withLock { state in
            state.status = .running
            state.attempts += 1
        }
    }

    /// The policy that `autoRetry` stands for; `nil` when it is not set.
    var autoRetryPolicy: RetryPolicy? {
        guard let autoRetry = state.withLock({ $0.autoRetry }), autoRetry.isOn else { return nil }
        return RetryPolicy(
            maximumRetries: .max, backoff: .constant(autoRetry.delay),
            methods: [request.urlRequest.httpMethod ?? "GET"],
            errorCodes: autoRetry.errorCodes, statusCodes: [])
    }

    func setResponseHead(_ head: ResponseHead) {
        state.withLock { $0.responseHead = head }
    }

    /// Makes the operation ended; returns whether it had not been before.
    func conclude(_ result: OperationResult) -> Bool {
        let wasExecuting = isExecuting
        if wasExecuting { willChangeValue(forKey: "isExecuting") }
        willChangeValue(forKey: "isFinished")
        // The run and the observer refer back to the operation and its queue: let go of them outside the lock.
        let (isFirst, run, observer) = state.withLock { state in
            guard !state.status.isTerminal else { return (false, RequestRun?.none, (any OperationObserver)?.none) }
            state.status = result.status
            state.result = result
            defer {
                state.run = nil
                state.observer = nil
                state.responseHead = nil
            }
            return (true, state.run, state.observer)
        }
        withExtendedLifetime((run, observer)) {
            if wasExecuting { didChangeValue(forKey: "isExecuting") }
            didChangeValue(forKey: "isFinished")
        }
        return isFirst
    }

    /// Notes a count of bytes for the progress handlers; returns whether a report has to be scheduled for it.
    func noteProgress(_ direction: Direction, bytes: Int64, total: Int64?) -> Bool {
        state.withLock { state in
            guard let handlers = state.handlers, handlers.upload != nil || handlers.download != nil else {
                return false
            }
            let count = TransferCount(bytes: bytes, total: total, hasChanged: true)
            switch direction {
            case .upload: handlers.uploaded = count
            case .download: handlers.downloaded = count
            }
            defer { handlers.isReportPending = true }
            return !handlers.isReportPending
        }
    }

    /// Calls the progress handlers with the latest counts.
    func reportProgress() {
        let calls = state.withLock { state -> [(ProgressHandler, TransferCount)] in
            guard let handlers = state.handlers else { return [] }
            handlers.isReportPending = false
            defer {
                handlers.uploaded.hasChanged = false
                handlers.downloaded.hasChanged = false
            }
            return [(handlers.upload, handlers.uploaded), (handlers.download, handlers.downloaded)].compactMap {
                guard let handler = $0, $1.hasChanged else { return nil }
                return (handler, $1)
            }
        }
        for (handler, count) in calls {
            let fraction = count.total.flatMap { $0 > 0 ? min(Double(count.bytes) / Double($0), 1) : nil }
            handler(fraction, count.bytes, count.total)
        }
    }

    /// Calls the handlers for the last time and lets go of them.
    func reportCompletion() {
        reportProgress()
        let (handlers, result) = state.withLock { state in
            defer { state.handlers = nil }
            return (state.handlers?.completion, state.result)
        }
        handlers?(result.head, result.data, result.error)
    }
    /// Lets go of the handlers without calling them, when nobody is to hear of the operation any more.
    func forgetHandlers() {
        let handlers = state.withLock { state in
            defer { state.handlers = nil }
            return state.handlers
        }
        withExtendedLifetime(handlers) {}
    }
}
