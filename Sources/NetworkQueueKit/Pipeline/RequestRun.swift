import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The life of one operation, from its start to its end:
///
///     prepare → exchange → redirect? → validate → sink → end
///                  ↑───────────┘
///
/// It receives the exchanges that it starts, one after the other, so all but `cancel()` is serial by the transport's
/// contract. The decisions are made in ``RunState``; here they are carried out, outside the lock.
final class RequestRun: ExchangeReceiver {
    private let operation: RequestOperation
    private let transport: any Transport
    private let observer: any OperationObserver
    /// Gets its slot back at the end. Strong: work under way keeps its queue alive.
    private let queue: RequestQueue?
    private let state: Guarded<RunState>

    init(
        _ operation: RequestOperation, transport: any Transport, validation: ResponseValidation,
        observer: any OperationObserver, queue: RequestQueue?
    ) {
        self.operation = operation
        self.transport = transport
        self.observer = observer
        self.queue = queue
        state = Guarded(RunState(request: operation.request, validation: operation.request.validation ?? validation))
    }

    /// Starts the operation, or ends it at once when it has been cancelled meanwhile.
    func start() {
        guard operation.begin(self), !operation.isCancelled else {
            end(with: OperationResult(error: .cancelled))
            return
        }
        observer.operationDidStart(operation)
        do {
            perform(try HTTPExchange(operation.request))
        } catch {
            end(with: OperationResult(error: error))
        }
    }

    /// Asks for the end of the operation. From any thread.
    func cancel() {
        let handle = state.withLock { $0.cancel() }
        handle?.cancel()
    }

    private func perform(_ exchange: HTTPExchange) {
        let number = state.withLock { $0.begin(exchange) }
        let handle = transport.start(exchange, receiver: self)
        // A cancellation that came before there was a handle is made good for here.
        let mustCancel = state.withLock { $0.setHandle(handle, ofExchange: number) }
        if mustCancel { handle.cancel() }
    }

    private func end(with result: OperationResult) {
        observer.end(operation, with: result)
        queue?.release(operation)
    }

    // MARK: ExchangeReceiver

    func exchangeDidSend(totalBytes: Int64) {
        let length = state.withLock { state in
            state.bytesSent = totalBytes
            return state.exchange?.body?.length
        }
        observer.operation(operation, didSend: totalBytes)
        if operation.noteProgress(.upload, bytes: totalBytes, total: length) {
            observer.operationHasProgress(operation)
        }
    }

    func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition {
        let reaction = state.withLock { $0.receive(head) }
        switch reaction {
        case .skip(let disposition):
            return disposition
        case .accept(let length):
            operation.setResponseHead(head)
            let disposition = observer.operation(operation, didReceive: head, expecting: length)
            if case .stop = disposition { state.withLock { $0.isSatisfied = true } }
            return disposition
        }
    }

    func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition {
        let (disposition, counts) = state.withLock { state -> (ExchangeDisposition, (bytes: Int64, total: Int64?)?) in
            let (disposition, isContent) = state.receive(body)
            return (disposition, isContent ? (state.bytesReceived, state.expectedLength) : nil)
        }
        if let counts {
            observer.operation(operation, didReceive: body.count)
            if operation.noteProgress(.download, bytes: counts.bytes, total: counts.total) {
                observer.operationHasProgress(operation)
            }
        }
        return disposition
    }

    func exchangeDidComplete(error: URLError?) {
        switch state.withLock({ $0.complete(error) }) {
        case .perform(let exchange):
            perform(exchange)
        case .end(let result):
            if result.error != nil, let head = result.head, operation.responseHead == nil {
                // The head of a rejected response is held back until it is certain that it is the final one.
                operation.setResponseHead(head)
                _ = observer.operation(operation, didReceive: head, expecting: 0)
            }
            end(with: result)
        }
    }
}
