import Dispatch

/// Calls the handlers of operations, one after the other.
final class HandlerCaller: OperationListener, CallbackTarget {
    enum Notice {
        case progress(RequestOperation)
        case end(RequestOperation)
    }

    private let relay: CallbackRelay<HandlerCaller>

    let finishesOperations = true

    init(queue: DispatchQueue) {
        relay = CallbackRelay(queue: queue)
    }

    /// The queue that the handlers run on.
    var queue: DispatchQueue { relay.queue }

    func operation(_ operation: RequestOperation, did event: RequestEvent) {
        guard case .ended = event else { return }
        if operation.hasHandlers.load(ordering: .acquiring) {
            relay.post(.end(operation), about: operation, to: self)
        } else {
            operation.finish()
        }
    }

    func operationHasProgress(_ operation: RequestOperation) {
        relay.post(.progress(operation), about: operation, to: self, isUrgent: false)
    }

    func deliver(_ notice: consuming Notice) {
        switch notice {
        case .progress(let operation): operation.reportProgress()
        case .end(let operation):
            operation.reportCompletion()
            operation.finish()
        }
    }

    func makeCallbacks(until operation: RequestOperation, isFinished semaphore: DispatchSemaphore) -> Bool {
        relay.makeCallbacks(until: operation, isFinished: semaphore, target: self)
    }
}
