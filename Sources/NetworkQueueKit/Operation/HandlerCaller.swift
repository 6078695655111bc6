import Dispatch

/// Calls the handlers of operations, one after the other.
final class HandlerCaller: OperationListener, CallbackTarget {
    enum Notice {
        case progress(RequestOperation)
        case end(RequestOperation)
    }

    private let relay: CallbackRelay<HandlerCaller>

    init(queue: DispatchQueue) {
        relay = CallbackRelay(queue: queue)
    }

    /// The queue that the handlers run on.
    var queue: DispatchQueue { relay.queue }

    func operation(_ operation: RequestOperation, did event: RequestEvent) {
        if case .ended = event { relay.post(.end(operation), to: self) }
    }

    func operationHasProgress(_ operation: RequestOperation) {
        relay.post(.progress(operation), to: self)
    }

    func deliver(_ notice: Notice) {
        switch notice {
        case .progress(let operation): operation.reportProgress()
        case .end(let operation): operation.reportCompletion()
        }
    }
}
