import Foundation

/// An operation's reference to its queue. All operations of a queue share one handle.
///
/// The reference is weak because operations do not keep their queue alive; the queue keeps itself alive while it works.
///
/// Unchecked: `queue` is written once, by the queue's initializer. (`weak let` needs Swift 6.2.3.)
final class QueueHandle: @unchecked Sendable {
    private(set) weak var queue: (any OperationQueueing)?
    /// Makes the callbacks of the queue, also for operations that outlive it.
    let callbacks: CallbackQueue

    init(callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    /// Sets the queue. Must be called before any other thread has the handle.
    func refer(to queue: any OperationQueueing) {
        self.queue = queue
    }
}

/// The interface of a queue to its operations.
///
/// ``cancelWaiting(_:)``, ``pause(_:)``, ``resume(_:)``, ``changePriority(of:)`` and ``moveToFront(_:)`` may be called
/// at any time. All other methods are called for operations that have been started: one call at a time for each
/// operation, on any thread and without a lock held.
protocol OperationQueueing: AnyObject, Sendable {
    /// Handles an event of an operation, except for its end.
    func operation(_ operation: RequestOperation, did event: RequestEvent)
    /// Ends an operation whose request has ended.
    func end(_ operation: RequestOperation, with result: RequestResult)
    /// Ends a canceled operation, unless it has been started.
    func cancelWaiting(_ operation: RequestOperation)
    /// Pauses an operation: parks it if it has no slot.
    func pause(_ operation: RequestOperation)
    /// Ends the pause of an operation, if the pause has taken effect.
    func resume(_ operation: RequestOperation)
    /// Moves an operation to its new priority.
    func changePriority(of operation: RequestOperation)
    /// Moves an operation ahead of all that wait in its priority.
    func moveToFront(_ operation: RequestOperation)
    /// Gives an operation a slot for its retry, whose delay is over.
    func requestSlot(for operation: RequestOperation)
    /// Adds a helper of another operation, which starts as soon as there is a slot that nothing else waits for.
    func add(_ helper: RequestOperation, for operation: RequestOperation)
    /// Keeps waiting requests to a host from starting for a time. The longest time counts.
    func hold(_ host: String, for delay: Duration)
    /// Whether an exchange of an operation that has a slot may start now, by the rates of the queue. If not, `begin` is
    /// called once it may, unless the operation ends or gives its slot back before.
    func operation(
        _ operation: RequestOperation, mayStartExchangeWith host: String?,
        orLater begin: @escaping @Sendable () -> Void
    ) -> Bool
    /// Lets others have the start of an exchange that came with an operation's slot.
    func releaseStart(of operation: RequestOperation)
    /// Calls the progress handlers of an operation.
    func operationHasProgress(_ operation: RequestOperation)

    /// Handles the progress of an operation that is metered for the queue.
    func operation(_ operation: RequestOperation, has progress: OperationProgress)

    // MARK: Questions

    /// Whether the queue answers challenges to an operation. Otherwise only known credentials are used.
    func answersChallenges(to operation: RequestOperation) -> Bool
    /// Asks whether to follow a redirect to `target`. The operation waits for `answer`, which may be called at once or
    /// later, on any thread.
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        answer: @escaping @Sendable (RedirectAnswer) -> Void)
    /// Asks for a credential for all requests to a protection space. Only the first answer counts; releasing `answer`
    /// without calling it counts as one.
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
