import Foundation

/// What an operation knows of the queue that it is in: the same object for all its operations.
///
/// Weak, since operations do not keep their queue alive: it keeps itself, see ``OperationQueueing``.
///
/// Unchecked: `queue` is written once, by the queue's initializer. (`weak let` needs Swift 6.2.3.)
final class QueueHandle: @unchecked Sendable {
    private(set) weak var queue: (any OperationQueueing)?
    /// Makes the callbacks of the queue; also those of operations that outlive it.
    let callbacks: CallbackQueue

    init(callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    /// Makes it refer to `queue`. To be called before any other thread has the handle.
    func refer(to queue: any OperationQueueing) {
        self.queue = queue
    }
}

/// A queue, as its operations see it.
///
/// All but ``cancelWaiting(_:)`` and ``changePriority(of:)`` are called for operations that have been started: one call
/// at a time for each operation, on whatever thread it happens, under no lock.
protocol OperationQueueing: AnyObject, Sendable {
    /// Something has happened to an operation, but for its end.
    func operation(_ operation: RequestOperation, did event: RequestEvent)
    /// The request of an operation has ended: the operation does.
    func end(_ operation: RequestOperation, with result: RequestResult)
    /// Ends an operation that has been cancelled, unless it has been started.
    func cancelWaiting(_ operation: RequestOperation)
    /// An operation is to be paused: sets it aside if it has no slot.
    func pause(_ operation: RequestOperation)
    /// A pause of an operation is over, if it has taken effect.
    func resume(_ operation: RequestOperation)
    /// The priority of an operation is another one now.
    func changePriority(of operation: RequestOperation)
    /// An operation is to start before all that wait in its priority.
    func moveToFront(_ operation: RequestOperation)
    /// An operation has set its retry aside long enough: it is to get a slot.
    func requestSlot(for operation: RequestOperation)
    /// Has an operation that helps another one begin as soon as there is a slot that nothing else waits for.
    func add(_ helper: RequestOperation, for operation: RequestOperation)
    /// Keeps the waiting requests to a host from starting for a time. The longest time counts.
    func hold(_ host: String, for delay: Duration)
    /// There is something new for an operation's progress handlers.
    func operationHasProgress(_ operation: RequestOperation)

    /// An operation that is metered for the queue has come so far.
    func operation(_ operation: RequestOperation, has progress: OperationProgress)

    // MARK: Questions

    /// Whether challenges to an operation are answered. Else only credentials that are known already are used.
    func answersChallenges(to operation: RequestOperation) -> Bool
    /// The response leads to `target`; the operation waits for `answer`, which may be called at once or later, on any
    /// thread.
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        answer: @escaping @Sendable (RedirectAnswer) -> Void)
    /// A credential is needed for all requests of this protection space. Answers given after the first count for
    /// nothing, and letting go of `answer` is one, too.
    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void)
}

extension OperationQueueing {
    func operation(_ operation: RequestOperation, has progress: OperationProgress) {}
    func answersChallenges(to operation: RequestOperation) -> Bool { false }
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        answer: @escaping @Sendable (RedirectAnswer) -> Void
    ) {
        operation.answerRedirect(to: target, answer)
    }
    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        operation.askHandler(about: challenge, answer)
    }
}
