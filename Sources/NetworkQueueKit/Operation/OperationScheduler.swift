/// What an operation needs of the queue that it is in.
protocol OperationScheduler: AnyObject, Sendable {
    /// Takes an operation out that has been cancelled, and ends it, unless it runs.
    func cancelWaiting(_ operation: RequestOperation)
    /// Puts a waiting operation where its priority, which has changed, wants it.
    func changePriority(of operation: RequestOperation)
    /// Takes an operation's slot away while it waits for a retry.
    func park(_ operation: RequestOperation)
    /// Gives an operation the next slot: its wait is over.
    func unpark(_ operation: RequestOperation)
    /// Has an operation that is about to end count no more. It keeps its slot until it has ended: what starts in its place
    /// must not come before its end.
    func hide(_ operation: RequestOperation)
    /// Takes an operation that has ended out of the queue, which frees its slot.
    func release(_ operation: RequestOperation)
    /// Told what happens to an operation.
    func listener(of operation: RequestOperation) -> any OperationListener
    /// Keeps the waiting requests to a host from starting for a time. The longest time counts.
    func block(_ host: String, for delay: Duration)
}

/// A weak reference to a queue, shared by its operations: copying it is cheaper than a weak reference of one's own.
///
/// Unchecked: it is written once, by the queue's initializer.
final class OperationSchedulerReference: @unchecked Sendable {
    private(set) weak var value: (any OperationScheduler)?
    /// Told of the operations that the queue cancels when it is let go. It must not refer to the queue.
    let lastListener: any OperationListener

    init(lastListener: any OperationListener) {
        self.lastListener = lastListener
    }

    /// Makes it refer to `scheduler`. To be called before any other thread has the reference.
    func refer(to scheduler: any OperationScheduler) {
        value = scheduler
    }
}
