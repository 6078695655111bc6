import Dispatch

/// Calls the handlers of operations, one after the other.
final class HandlerObserver: OperationObserver, CallbackTarget {
    enum Notice {
        case progress(RequestOperation)
        case end(RequestOperation)
    }

    private let relay: CallbackRelay<HandlerObserver>

    init(queue: DispatchQueue) {
        relay = CallbackRelay(queue: queue)
    }

    /// The queue that the handlers run on.
    var queue: DispatchQueue { relay.queue }

    func operationHasProgress(_ operation: RequestOperation) {
        relay.post(.progress(operation), to: self)
    }

    func operationDidEnd(_ operation: RequestOperation, with result: OperationResult) {
        relay.post(.end(operation), to: self)
    }

    func deliver(_ notice: Notice) {
        switch notice {
        case .progress(let operation): operation.reportProgress()
        case .end(let operation): operation.reportCompletion()
        }
    }
}
