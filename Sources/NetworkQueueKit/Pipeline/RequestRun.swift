import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The life of one operation, from its start to its end:
///
///     adapt → exchange → redirect | authenticate → validate → sink → process → end
///       ↑        ↑──────────────────────┘             │         │        │
///       └─────────────── wait for a retry ←───────────┴─────────┴────────┘
///
/// It receives the exchanges that it starts, one after the other, so all but `cancel()` is serial by the transport's
/// contract, and by the numbers of the answers that it waits for. The decisions are made in ``RunState``; here and in the
/// stages' own files they are carried out, outside the lock.
final class RequestRun: ExchangeReceiver {
    let operation: RequestOperation
    let environment: RunEnvironment
    let observer: any OperationObserver
    /// Gets its slot back at the end, and while a retry is waited for. Strong: work under way keeps its queue alive.
    let queue: RequestQueue?
    private let valve: ExchangeValve?
    let state: Guarded<RunState>

    init(
        _ operation: RequestOperation, environment: RunEnvironment, observer: any OperationObserver,
        queue: RequestQueue?, hasAutoRetry: Bool
    ) {
        self.operation = operation
        self.environment = environment
        self.observer = observer
        self.queue = queue
        valve = if case .sink = operation.request.destination { ExchangeValve() } else { nil }
        state = Guarded(
            .make(
                operation, environment: environment, hasAutoRetry: hasAutoRetry, isUsersOwn: observer.isUsersOwn,
                intake: Intake(operation, isDecoded: environment.transport.decodesContent, valve: valve)))
    }

    /// Starts the operation, or ends it at once when it has been cancelled meanwhile.
    func start() {
        guard operation.begin(self) else {
            end(with: OperationResult(error: .cancelled))
            return
        }
        observer.operationDidStart(operation)
        attempt(operation.request, hasBody: operation.hasBody)
    }

    /// Asks for the end of the operation. From any thread.
    func cancel() {
        let (cancellation, unprocessed) = state.withLock { ($0.cancel(), $0.unprocessed) }
        switch cancellation {
        case .exchange(let handle):
            handle?.cancel()
        case .pause(let wait, let task, let result):
            wait?.cancel()
            task?.cancel()
            unprocessed?.removeFile()
            end(with: result)
        }
    }

    /// Begins an attempt.
    func attempt(_ request: borrowing NetworkRequest, hasBody: Bool) {
        if environment.hasAdapters(for: request) {
            adapt(copy request) { [self] in send($0, hasBody: $0.hasBody) }
        } else {
            send(request, hasBody: hasBody)
        }
    }

    private func send(_ request: borrowing NetworkRequest, hasBody: Bool) {
        do throws(NetworkError) {
            var exchange = try HTTPExchange(request)
            exchange.pacer = environment.pacer
            if hasBody {
                let request = copy request
                let body = try state.withLock { $0.body(for: request) }.prepare()
                exchange.body = body
                observer.operation(operation, willSend: body.length)
            }
            perform(exchange, isFirst: true)
        } catch {
            fail(AttemptFailure(error: error))
        }
    }

    /// Starts an exchange, the first of an attempt or a later one.
    func perform(_ exchange: HTTPExchange, isFirst: Bool = false) {
        var (outgoing, number) = state.withLock {
            $0.begin(isFirst ? $0.prepare(exchange) : exchange, with: environment.authenticator)
        }
        environment.settings.cookieStorage?.addCookies(to: &outgoing)
        do {
            try outgoing.checkSendable()
        } catch {
            return fail(AttemptFailure(error: NetworkError(error)))
        }
        valve?.reset(forExchange: number)
        let handle = environment.transport.start(outgoing, receiver: self)
        valve?.attach(handle, ofExchange: number)
        // A cancellation that came before there was a handle is made good for here.
        let mustCancel = state.withLock { $0.setHandle(handle, ofExchange: number) }
        if mustCancel { handle.cancel() }
    }

    /// Waits for an answer that somebody else gives, at once or later, with the slot in hand.
    ///
    /// - Parameter ask: gets the number by which the answer is taken, with ``RunState/endStep(_:)``; returns the task that works
    ///   on it, if there is one.
    func pause(_ ask: (_ step: Int) -> Task<Void, Never>?) {
        let result: OperationResult?
        switch state.withLock({ $0.beginStep() }) {
        case .success(let step):
            let task = ask(step)
            result = state.withLock { $0.didAsk(step, task: task) }
            if result != nil { task?.cancel() }
        case .failure(let end):
            result = end.result
        }
        guard let result else { return }
        state.withLock { $0.unprocessed }?.removeFile()
        end(with: result)
    }

    /// Waits for somebody's asynchronous code, which runs wherever it wants.
    func pause<Answer: Sendable>(
        for work: @escaping @Sendable () async -> Answer, then: @escaping @Sendable (Answer) -> Void
    ) {
        pause { step in
            Task {
                let answer = await work()
                if state.withLock({ $0.endStep(step) }) { then(answer) }
            }
        }
    }

    /// Ends the operation.
    func end(with result: OperationResult) {
        if result.isHeadDue, let head = result.head {
            operation.setResponseHead(head)
            _ = observer.operation(operation, didReceive: head)
        }
        if result.error == nil, HostRecoveryObserver.shared.isWatching, let host = operation.request.host {
            HostRecoveryObserver.shared.noteSuccess(host: host)
        }
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
        let storage = environment.settings.cookieStorage
        if let fault = head.fault(storesCookies: storage != nil) {
            state.withLock { $0.refuse(head, .badResponse(fault)) }
            return .stop
        }
        if let storage, head.hasCookies {
            state.withLock { $0.isStoringCookies = true }
            CookieQueues.queue(for: storage).async { storage.takeCookies(from: head) }
        }
        return take(head)
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
        // What follows, be it the next hop or the end of the operation, finds the cookies in their place.
        if let storage = environment.settings.cookieStorage, state.withLock({ $0.takeCookieStoring() }) {
            CookieQueues.queue(for: storage).async { [self] in complete(error) }
        } else {
            complete(error)
        }
    }

    private func complete(_ error: URLError?) {
        if let next = state.withLock({ $0.body == nil ? $0.complete(error, bodyError: nil) : nil }) {
            return follow(next)
        }
        // Outside the lock: it closes files.
        let bodyError = state.withLock { $0.body }?.endExchange()
        follow(state.withLock { $0.complete(error, bodyError: bodyError) })
    }

    private func follow(_ next: consuming RunState.Next) {
        switch consume next {
        case .perform(let exchange): perform(exchange)
        case .finish(let sink, let head):
            switch sink.finish() {
            case .done(let outcome): follow(state.withLock { $0.finished(head, outcome) })
            case .pending(let begin): begin { [self] outcome in follow(state.withLock { $0.finished(head, outcome) }) }
            }
        case .resolve(let response): resolve(response)
        case .fail(let failure): fail(failure)
        case .process(let result): process(result)
        case .end(let result): end(with: result)
        }
    }

    /// Takes the head of a response.
    func take(_ head: ResponseHead) -> ExchangeDisposition {
        let (uses, reaction) = state.withLock { ($0.authentication.uses(acceptedWith: head), $0.receive(head)) }
        for use in uses { environment.authenticator.noteAcceptance(of: use) }
        switch reaction {
        case .skip(let disposition):
            return disposition
        case .accept(let length, let resumed, let isHeld):
            operation.setResponseHead(head)
            let disposition = observer.operation(
                operation, willReceive: length, behind: resumed, finalHead: isHeld ? nil : head)
            if case .stop = disposition { state.withLock { $0.isSatisfied = true } }
            return disposition
        }
    }
}
