import Dispatch
import Foundation
import Synchronization

extension RequestOperation {
    struct State {
        var home = Home.none(nil)
        private(set) var status = Status.waiting
        var isCancelled = false
        var pause = Pause.none
        /// Whether it is counted in the cap of the process, in no queue that would do so.
        var isCounted = false
        /// Whether observers are being told that it is finished, where there may be any.
        var isFinishing = false
        /// Whether there have ever been any: asking Foundation costs more than adding an operation without.
        var hasDependencies = false
        /// Whether the question for the size was answered with success.
        var hasSizedHead = false
        // Beside the flags, in the bytes that alignment would leave empty.
        var attempts: UInt32 = 0
        /// 0 where there was no question for the size.
        var sizingMicroseconds: UInt32 = 0
        var run: RequestRun?
        var answer = Answer.none
        var handlers: Handlers?
        /// The content of the request and of the response, as far as it has moved.
        var sent = TransferCount()
        var received = TransferCount()
        var meter: Meter?
        var autoRetry: AutoRetry?

        /// Changes the status. Call ``RunningCounter/report()`` afterwards, outside of any lock.
        mutating func setStatus(_ new: Status) {
            let difference = (new.isActive ? 1 : 0) - (status.isActive ? 1 : 0)
            if difference != 0 { RequestOperation.running.add(difference) }
            status = new
        }
    }

    /// Who has paused the operation.
    enum Pause: Sendable {
        case none
        /// A call of ``RequestOperation/pause()``.
        case own
        /// Its queue, with all that ran.
        case queue
    }

    /// What has come back.
    enum Answer {
        case none
        case head(ResponseHead)
        /// From the end on.
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
        /// Nowhere yet; should it be started on its own, then with this.
        case none(StandaloneEnvironment?)
        case alone
        case queue(QueueHandle)

        var handle: QueueHandle? { if case .queue(let handle) = self { handle } else { nil } }
        var isQueue: Bool { handle != nil }
    }

    /// Most operations have none of these, so they share one allocation that most never make.
    final class Handlers {
        /// The user's.
        var user = UserHandlers()
        var hasUploaded = false
        var hasDownloaded = false
        var isReportPending = false
        /// When the progress handlers may be called again.
        var nextReportTime: Duration?
        /// What a HEAD has told, where a file that is there may be kept.
        var sizedHead: ResponseHead?
        /// The URL of the mirror that is tried.
        var mirror: URL?
        /// Tasks that wait for the end. They are told of it at once, not by way of the callback queue.
        var waiters: [@Sendable (Result<Response, NetworkError>) -> Void] = []
        /// Threads that wait until it is finished.
        var finishWaiters: [DispatchSemaphore] = []

        /// Notes an event for the progress handlers; returns whether a report has to be scheduled for it.
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

    /// The closures of the user. Releasing them may end anything, so they are not released under a lock.
    struct UserHandlers: Sendable {
        var completion: CompletionHandler?
        var upload: ProgressHandler?
        var download: ProgressHandler?
        var challenge: ChallengeHandler?
        var redirect: RedirectHandler?
    }

    /// The shorthand for a policy, kept only where it is used.
    struct AutoRetry {
        var isOn = false
        var errorCodes = RetryPolicy.transientErrorCodes
        var delay = Duration.seconds(5)
    }

    struct TransferCount {
        var bytes: Int64 = 0
        var total: Int64?
    }
}

extension RequestOperation {
    /// Where an operation stands.
    ///
    ///     waiting ──→ running ──→ finished, failed
    ///        ↕         │  ↑ ↓
    ///     paused ←─────┘ retrying ↔ paused
    ///
    /// and from each of the first four to cancelled.
    public enum Status: Sendable, Hashable {
        /// Not started yet, or not going on yet after a pause: there is no slot for it.
        case waiting
        /// Paused: see ``RequestOperation/pause()``.
        case paused
        /// Started, with an exchange under way.
        case running
        /// Started, and waiting for the time or the slot for another attempt.
        case retrying
        /// Ended with a result.
        case finished
        /// Ended with an error that is not a cancellation.
        case failed
        /// Ended by a cancellation.
        case cancelled

        /// Whether it has a slot, or waits for a retry.
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

/// How many operations run. Counting costs an atomic addition and a look at whether anything observes it.
final class RunningCounter: Sendable {
    private let count = Atomic(0)
    private let isObserved = Atomic(false)
    private let observer = Guarded(Observer())

    /// A type of its own: a closure that is itself the generic value would be wrapped once more each time that it is
    /// read.
    private struct Observer {
        var body: (@Sendable () -> Void)?
    }

    // Sequentially consistent: who counts looks for an observer afterwards, and who observes looks at the count
    // afterwards. One of the two sees the other.

    /// The count at this moment.
    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Counts an operation that starts (1) or ends (-1). Call ``report()`` afterwards, outside of any lock.
    func add(_ difference: Int) {
        count.add(difference, ordering: .sequentiallyConsistent)
    }

    /// Tells the observer, where there is one, that the count has changed.
    func report() {
        guard isObserved.load(ordering: .sequentiallyConsistent) else { return }
        observer.withLock { $0.body }?()
    }

    /// Sets the observer, which is called on whatever thread a change is made.
    func observe(_ body: @escaping @Sendable () -> Void) {
        observer.withLock { $0.body = body }
        isObserved.store(true, ordering: .sequentiallyConsistent)
    }
}

extension RequestOperation {
    /// What it takes to make another operation like this one: a request runs again as a new operation.
    struct Blueprint: Sendable {
        fileprivate let request: NetworkRequest
        fileprivate let autoRetry: AutoRetry?
        fileprivate let handlers: UserHandlers?

        func makeOperation() -> RequestOperation {
            let operation = RequestOperation(request)
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
