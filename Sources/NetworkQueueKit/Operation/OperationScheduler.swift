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

/// Keeps a queue alive, and what listens to it, for the requests that run: the same object for all of them.
///
/// With references of their own to both, the time from one response to the next was a twentieth longer: what has weak references is slow
/// to count. For the same reason they are called from here.
final class KeptQueue: Sendable {
    let scheduler: any OperationScheduler
    let listener: any OperationListener

    init(_ scheduler: any OperationScheduler, listener: any OperationListener) {
        self.scheduler = scheduler
        self.listener = listener
    }

    func tell(of event: RequestEvent, _ operation: RequestOperation) {
        operation.tell(listener, of: event)
    }

    /// Ends an operation that has a slot.
    func end(_ operation: RequestOperation, with result: consuming RequestResult) {
        scheduler.hide(operation)
        operation.end(with: result, telling: listener)
        scheduler.release(operation)
    }
}

/// What the operations of a queue know of it without keeping it alive. Shared: copying it is cheaper than weak references of one's own.
///
/// Unchecked: it is written by the initializers of the queue and of the batch that this is part of.
final class OperationSchedulerReference: @unchecked Sendable {
    private(set) weak var value: (any OperationScheduler)?
    private weak var batch: (any OperationListener)?
    private var hasBatch = false
    /// Told of the operations that the queue cancels when it is let go. It must not refer to the queue.
    let lastListener: any OperationListener

    init(lastListener: any OperationListener) {
        self.lastListener = lastListener
    }

    /// Makes it refer to `scheduler`. To be called before any other thread has the reference.
    func refer(to scheduler: any OperationScheduler) {
        value = scheduler
    }

    /// Has `batch` told of all operations. To be called before any other thread has the reference.
    func setBatch(_ batch: any OperationListener) {
        self.batch = batch
        hasBatch = true
    }

    /// Told of all operations that have no listener of their own.
    var listener: any OperationListener { batch ?? lastListener }

    /// What keeps the queue, and the batch that it is part of; `nil` where that is going away already, and is not brought back.
    func keep(_ scheduler: any OperationScheduler) -> KeptQueue? {
        guard hasBatch else { return KeptQueue(scheduler, listener: lastListener) }
        return batch.map { KeptQueue(scheduler, listener: $0) }
    }
}
