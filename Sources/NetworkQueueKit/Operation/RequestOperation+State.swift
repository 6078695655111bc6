import Dispatch
import Foundation
import Synchronization

extension RequestOperation {
    struct State {
        var home = Home.none(nil)
        private(set) var status = Status.waiting
        var isCancelled = false
        var pause = Pause.none
        /// Whether the process-wide cap counts the operation. Queues count their own operations.
        var isCounted = false
        /// Whether observers are being notified of `isFinished`, if there may be any.
        var isFinishing = false
        /// Whether there has ever been a dependency: asking Foundation costs more than adding an operation without one.
        var hasDependencies = false
        /// Whether a size probe has succeeded.
        var hasSizedHead = false
        // Next to the flags, in bytes that alignment would leave empty.
        var attempts: UInt32 = 0
        /// 0 if there was no size probe.
        var sizingMicroseconds: UInt32 = 0
        var run: RequestRun?
        var answer = Answer.none
        var handlers: Handlers?
        /// The transferred content of the request and of the response.
        var sent = TransferCount()
        var received = TransferCount()
        var meter: Meter?
        var autoRetry: AutoRetry?

        /// Changes the status. Call ``RunningCounter/report()`` afterwards, without a lock.
        mutating func setStatus(_ new: Status) {
            let difference = (new.isActive ? 1 : 0) - (status.isActive ? 1 : 0)
            if difference != 0 { RequestOperation.running.add(difference) }
            status = new
        }
    }

    /// The origin of a pause.
    enum Pause: Sendable {
        case none
        /// A call of ``RequestOperation/pause()``.
        case own
        /// The queue, which paused all running operations.
        case queue
    }

    /// The response so far.
    enum Answer {
        case none
        case head(ResponseHead)
        /// From the end of the operation on.
        case result(RequestResult)

        var head: ResponseHead? {
            switch self {
            case .none: nil
            case .head(let head): head
            case .result(let result): result.head
            }
        }

        var result: RequestResult? {
            if case .result(let result) = self { result } else { nil }
        }

        var hasError: Bool {
            if case .result(let result) = self { result.error != nil } else { false }
        }
    }

    enum Home {
        /// In no queue and not started. If it is started on its own, it runs in this environment.
        case none(StandaloneEnvironment?)
        case alone
        case queue(QueueHandle)

        var handle: QueueHandle? { if case .queue(let handle) = self { handle } else { nil } }
        var isQueue: Bool { handle != nil }
    }

    /// Rarely used state in one allocation, which most operations never make.
    final class Handlers {
        /// The user's handlers.
        var user = UserHandlers()
        var hasUploaded = false
        var hasDownloaded = false
        var isReportPending = false
        /// The earliest time of the next call of the progress handlers.
        var nextReportTime: Duration?
        /// The head from a HEAD, if it is needed for a file.
        var sizedHead: ResponseHead?
        /// The URL of the mirror being tried.
        var mirror: URL?
        /// The answer to the question for a fresh URL.
        var freshURL: FreshURLAnswer?
        /// Tasks that wait for the end. They are resumed at once, not through the callback queue.
        var waiters: [@Sendable (Result<Response, NetworkError>) -> Void] = []
        /// Threads that wait until the operation is finished.
        var finishWaiters: [DispatchSemaphore] = []

        /// Records an event for the progress handlers. Returns whether to schedule a report.
        func mustReport(_ event: RequestEvent) -> Bool {
            switch event {
            case .didSend where user.upload != nil: hasUploaded = true
            case .didReceive where user.download != nil: hasDownloaded = true
            default: return false
            }
            defer { isReportPending = true }
            return !isReportPending
        }

        func takeWaiters() -> [@Sendable (Result<Response, NetworkError>) -> Void] {
            defer { waiters = [] }
            return waiters
        }

        func takeFinishWaiters() -> [DispatchSemaphore] {
            defer { finishWaiters = [] }
            return finishWaiters
        }

    }

    /// The user's closures. They may own anything, so they must not be released under a lock.
    struct UserHandlers: Sendable {
        var completion: CompletionHandler?
        var upload: ProgressHandler?
        var download: ProgressHandler?
        var challenge: ChallengeHandler?
        var redirect: RedirectHandler?
    }

    /// The settings of `autoRetry`, kept only if it is used.
    struct AutoRetry {
        var isOn = false
        var errorCodes = RetryPolicy.transientErrorCodes
        var delay = Duration.seconds(5)
    }

    struct TransferCount {
        var bytes: Int64 = 0
        var total: Int64?
        /// Whether the next attempt continues at what this one has transferred.
        var isResumed = false
    }
}

extension RequestOperation {
    /// The state of an operation.
    ///
    /// ```text
    /// waiting ──→ running ──→ finished, failed
    ///    ↕         │  ↑ ↓
    /// paused ←─────┘ retrying ↔ paused
    /// ```
    ///
    /// Each of the first four can also change to canceled.
    public enum Status: Sendable, Hashable {
        /// The operation waits for a slot, for its start or after a pause.
        case waiting
        /// The operation is paused; see ``RequestOperation/pause()``.
        case paused
        /// An exchange of the operation is under way.
        case running
        /// The operation waits for the time or the slot of another attempt.
        case retrying
        /// The operation has ended with a result.
        case finished
        /// The operation has ended with an error other than a cancellation.
        case failed
        /// The operation was canceled.
        case cancelled

        /// Whether the operation has a slot or waits for a retry.
        fileprivate var isActive: Bool { self == .running || self == .retrying }

        init(_ outcome: RequestResult.Outcome) {
            switch outcome {
            case .finished: self = .finished
            case .failed: self = .failed
            case .cancelled: self = .cancelled
            }
        }

        /// Whether the operation has ended.
        public var isTerminal: Bool {
            switch self {
            case .waiting, .paused, .running, .retrying: false
            case .finished, .failed, .cancelled: true
            }
        }
    }
}

/// Counts the running operations. A change costs an atomic addition and a check for an observer.
final class RunningCounter: Sendable {
    private let count = Atomic(0)
    private let isObserved = Atomic(false)
    private let observer = Guarded(Observer())

    /// A type of its own: a closure stored as the generic value would be wrapped again each time it is read.
    private struct Observer {
        var body: (@Sendable () -> Void)?
    }

    // Sequentially consistent: one side counts and then looks for an observer, the other sets the observer and then
    // reads the count. At least one of them sees the other.

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Counts an operation that starts (1) or ends (-1). Call ``report()`` afterwards, without a lock.
    func add(_ difference: Int) {
        count.add(difference, ordering: .sequentiallyConsistent)
    }

    /// Notifies the observer, if there is one, of a change.
    func report() {
        guard isObserved.load(ordering: .sequentiallyConsistent) else { return }
        observer.withLock { $0.body }?()
    }

    /// Sets the observer, which is called on any thread that makes a change.
    func observe(_ body: @escaping @Sendable () -> Void) {
        observer.withLock { $0.body = body }
        isObserved.store(true, ordering: .sequentiallyConsistent)
    }
}

extension RequestOperation {
    /// The parts of an operation from which `retryFailed()` makes a new one.
    struct Blueprint: Sendable {
        fileprivate let request: NetworkRequest
        fileprivate let autoRetry: AutoRetry?
        fileprivate let handlers: UserHandlers?

        func makeOperation() -> RequestOperation {
            let operation = RequestOperation(request)
            operation.queueEntry.formerFiles = .max
            if let autoRetry { operation.withAutoRetry { $0 = autoRetry } }
            if let handlers { operation.setHandlers(handlers) }
            return operation
        }
    }

    var blueprint: Blueprint {
        let (autoRetry, handlers) = state.withLock { ($0.autoRetry, $0.handlers?.user) }
        return Blueprint(request: request, autoRetry: autoRetry, handlers: handlers)
    }
}
