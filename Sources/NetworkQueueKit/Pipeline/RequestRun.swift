import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The life of one operation, from its start to its end:
///
///     prepare → exchange → redirect? → validate → sink → end
///        ↑         ↑───────────┘          │        │
///        └────────── wait for a retry ←───┴────────┘
///
/// It receives the exchanges that it starts, one after the other, so all but `cancel()` is serial by the transport's
/// contract. The decisions are made in ``RunState``; here they are carried out, outside the lock.
final class RequestRun: ExchangeReceiver {
    private let operation: RequestOperation
    private let environment: RunEnvironment
    private let observer: any OperationObserver
    /// Gets its slot back at the end, and while a retry is waited for. Strong: work under way keeps its queue alive.
    private let queue: RequestQueue?
    private let body: RunBody?
    private let state: Guarded<RunState>

    init(
        _ operation: RequestOperation, environment: RunEnvironment, observer: any OperationObserver,
        queue: RequestQueue?
    ) {
        self.operation = operation
        self.environment = environment
        self.observer = observer
        self.queue = queue
        body = RunBody(of: operation.request)
        state = Guarded(
            RunState(
                request: operation.request, validation: operation.request.validation ?? environment.validation,
                retryPolicy: operation.autoRetryPolicy ?? operation.request.retryPolicy ?? environment.retryPolicy))
    }

    /// Starts the operation, or ends it at once when it has been cancelled meanwhile.
    func start() {
        guard operation.begin(self), !operation.isCancelled else {
            end(with: OperationResult(error: .cancelled))
            return
        }
        observer.operationDidStart(operation)
        attempt()
    }

    /// Makes the next attempt, now that there is a slot for it.
    func resume() {
        // A cancellation that has come between has ended the run.
        guard state.withLock({ $0.resume() }) else { return }
        operation.beginNextAttempt()
        observer.operationDidRestart(operation)
        attempt()
    }

    /// Asks for the end of the operation. From any thread.
    func cancel() {
        switch state.withLock({ $0.cancel() }) {
        case .exchange(let handle):
            handle?.cancel()
        case .wait(let timer, let result):
            timer?.cancel()
            end(with: result)
        }
    }

    private func attempt() {
        do {
            let body = try body?.prepare()
            let exchange = try HTTPExchange(operation.request, body: body)
            if let body { observer.operation(operation, willSend: body.length) }
            perform(state.withLock { $0.prepare(exchange) })
        } catch {
            end(with: OperationResult(error: error))
        }
    }

    private func perform(_ exchange: HTTPExchange) {
        let number = state.withLock { $0.begin(exchange) }
        let handle = environment.transport.start(exchange, receiver: self)
        // A cancellation that came before there was a handle is made good for here.
        let mustCancel = state.withLock { $0.setHandle(handle, ofExchange: number) }
        if mustCancel { handle.cancel() }
    }

    private func wait(for retry: RunState.Retry) {
        operation.beginWait()
        let error = retry.error.completed(for: operation)
        observer.operation(operation, willRetryAfter: retry.delay, because: error, keepsLength: retry.keepsLength)
        queue?.park(operation)
        if let result = state.withLock({ $0.beginDelay() }) {
            end(with: result)
            return
        }
        let timer = environment.timekeeper.schedule(after: retry.delay) { [self] in
            guard state.withLock({ $0.endDelay() }) else { return }
            // The slot was given back: the queue says when there is another.
            if let queue { queue.unpark(operation) } else { resume() }
        }
        if state.withLock({ $0.setTimer(timer) }) { timer.cancel() }
    }

    private func end(with result: OperationResult) {
        queue?.hide(operation)
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
        case .accept(let length, let resumed):
            operation.setResponseHead(head)
            observer.operation(operation, willReceive: length, behind: resumed)
            // While there may be another attempt, nobody can say that this is the final response.
            guard !state.withLock({ $0.holdsHead() }) else { return .proceed }
            let disposition = observer.operation(operation, didReceive: head)
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
        let bodyError = body?.endExchange()
        follow(state.withLock { $0.complete(error, bodyError: bodyError) })
    }

    private func follow(_ next: RunState.Next) {
        switch next {
        case .finish(let sink, let head):
            sink.finish { [self] outcome in follow(state.withLock { $0.finished(head, outcome) }) }
        case .perform(let exchange):
            perform(exchange)
        case .retry(let retry):
            wait(for: retry)
        case .end(let result):
            if let head = result.head, !result.isCancellation, state.withLock({ $0.takeHeldHead() }) {
                operation.setResponseHead(head)
                _ = observer.operation(operation, didReceive: head)
            }
            end(with: result)
        }
    }
}
