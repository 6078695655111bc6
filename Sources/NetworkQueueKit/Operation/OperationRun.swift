import Dispatch

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// Connects the run of a request with its operation, with the operation's listeners, and with the queue that has given it its slot.
///
/// A request under way keeps its queue alive. One that waits for a retry does not: the queue then decides whether to keep itself, see
/// `RequestQueue.State.keepsItself`.
///
/// Unchecked: `kept` belongs to the thread that goes on with the request, as everything of a ``RequestRun`` does that changes.
final class OperationRun: RequestRunDelegate, @unchecked Sendable {
    private let operation: RequestOperation
    /// Told in place of the queue's listener.
    private let ownListener: (any OperationListener)?
    /// `nil` outside of the queues of this library.
    private let schedulerReference: OperationSchedulerReference?
    /// Where an operation is counted as running that is in no queue of this library; queues count their own.
    private let cap: RequestCap?
    private var isCounted = false
    /// What the request keeps alive.
    private var kept: KeptQueue?

    /// Starts an operation, or ends it at once when it has been cancelled meanwhile.
    ///
    /// - Parameters:
    ///   - ownListener: told in place of the queue's listener. Needed where there is no queue.
    ///   - kept: what the request keeps alive while it runs, with the same listener.
    static func start(
        _ operation: RequestOperation, in environment: RunEnvironment, telling ownListener: (any OperationListener)?,
        scheduler: OperationSchedulerReference?, keeping kept: KeptQueue?, hasAutoRetry: Bool
    ) {
        let delegate = OperationRun(
            operation, telling: ownListener, scheduler: scheduler, keeping: kept,
            cap: scheduler == nil ? environment.cap : nil)
        let run = RequestRun(
            operation.request, id: operation.id, hasBody: operation.hasBody,
            retryPolicy: hasAutoRetry ? operation.autoRetryPolicy : nil, environment: environment,
            queueTime: scheduler == nil ? nil : operation.queueEntry.addTime, sizedHead: operation.sizedHead,
            delegate: delegate)
        if operation.begin(run) {
            run.start()
        } else {
            delegate.end(with: RequestResult(error: .cancelled))
        }
    }

    private init(
        _ operation: RequestOperation, telling ownListener: (any OperationListener)?,
        scheduler: OperationSchedulerReference?, keeping kept: KeptQueue?, cap: RequestCap?
    ) {
        self.cap = cap
        self.operation = operation
        self.ownListener = ownListener
        schedulerReference = scheduler
        self.kept = kept
    }

    private var listener: any OperationListener { kept?.listener ?? listenerWithoutQueue }
    /// The listener where the request keeps nothing alive.
    private var listenerWithoutQueue: any OperationListener {
        ownListener ?? schedulerReference?.listener ?? RequestOperation.standaloneListener
    }
    private var scheduler: (any OperationScheduler)? { kept?.scheduler ?? schedulerReference?.value }

    // MARK: RequestRunDelegate

    func requestDid(_ event: RequestEvent) {
        switch event {
        case .ended(let result):
            return end(with: result)
        case .willRetry:
            count(false)
            operation.beginWait()
            listener.operation(operation, did: event)
            let former = kept
            former?.scheduler.park(operation)
            kept = nil
            // Only now, as it may be the last reference to the queue, which then cancels the operation.
            withExtendedLifetime(former) {}
            return
        case .restarted:
            count(true)
            kept = schedulerReference?.value.map { KeptQueue($0, listener: listenerWithoutQueue) }
            operation.beginNextAttempt()
        case .willReceive(let head, _, _), .didReject(let head):
            operation.setResponseHead(head)
        case .started:
            count(true)
        case .willSend, .didSend, .didReceive:
            break
        }
        if let kept {
            kept.tell(of: event, operation)
        } else {
            operation.tell(listenerWithoutQueue, of: event)
        }
    }

    /// Counts the operation as running, or not any more.
    private func count(_ isRunning: Bool) {
        guard let cap, isRunning != isCounted else { return }
        isCounted = isRunning
        // Its user has started it: it is never refused.
        if isRunning { _ = cap.tryStart(isFirst: true) } else { cap.end() }
    }

    private func end(with result: RequestResult) {
        count(false)
        if let kept { return kept.end(operation, with: result) }
        // It waits for a retry, or is in no queue.
        let scheduler = scheduler
        scheduler?.hide(operation)
        operation.end(with: result, telling: listenerWithoutQueue)
        scheduler?.release(operation)
    }

    func requestWillRedirect(to target: HTTPExchange, answer: @escaping @Sendable (RedirectAnswer) -> Void) {
        guard let answerer = listener.answerer else { return answer(.follow) }
        answerer.operation(operation, willRedirectTo: target, answer: answer)
    }

    var answersChallenges: Bool { listener.answerer != nil }

    func requestDidReceive(
        _ challenge: AuthenticationChallenge, answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        guard let answerer = listener.answerer else { return answer(nil) }
        answerer.operation(operation, didReceive: challenge, answer: answer)
    }

    func requestSlot() {
        // A queue that is not there any more is about to cancel the operation.
        if let schedulerReference {
            schedulerReference.value?.unpark(operation)
        } else {
            operation.execution.run?.resume()
        }
    }

    func block(_ host: String, for delay: Duration) {
        scheduler?.block(host, for: delay)
    }
}

/// Told what happens to operations; a queue, in most cases.
///
/// Calls for one operation are serial, made on whatever thread it happens, under no lock, and must not block.
protocol OperationListener: AnyObject, Sendable {
    /// Something has happened to the operation. With `ended` its status and its result are the final ones.
    func operation(_ operation: RequestOperation, did event: RequestEvent)
    /// Whether it calls `RequestOperation.finish()` for each operation that has ended, once the last callback about it has returned, or
    /// it is certain that there will be none. Else the operation does so itself, when `ended` has been told.
    var finishesOperations: Bool { get }
    /// Makes callbacks on the calling thread until `operation` is finished, for which `semaphore` is signalled, if no other thread could
    /// make them while this one waits; else returns `false` at once. Traps inside a callback about `operation`.
    func makeCallbacks(until operation: RequestOperation, isFinished semaphore: DispatchSemaphore) -> Bool
    /// There is something new for the operation's progress handlers.
    func operationHasProgress(_ operation: RequestOperation)
    /// Answers what operations ask. Without one redirects are followed, challenges are not answered, and errors stay as they are.
    var answerer: (any OperationAnswerer)? { get }
}

extension OperationListener {
    var finishesOperations: Bool { false }
    func operationHasProgress(_ operation: RequestOperation) {}
    func makeCallbacks(until operation: RequestOperation, isFinished semaphore: DispatchSemaphore) -> Bool { false }
    var answerer: (any OperationAnswerer)? { nil }
}

/// A weak reference to a listener of any type.
///
/// Unchecked: it is written once, by the initializer. (`weak let` needs Swift 6.2.3.)
final class WeakListener: @unchecked Sendable {
    private(set) weak var value: (any OperationListener)?

    init(_ value: any OperationListener) {
        self.value = value
    }
}
