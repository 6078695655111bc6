#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// Connects the run of a request with its operation, with whom that tells, and with the queue that has given it its slot.
final class OperationRun: RequestRunDelegate {
    private let operation: RequestOperation
    private let listener: any OperationListener
    /// Strong: work under way keeps its queue alive. `nil` outside of the queues of this library.
    private let scheduler: (any OperationScheduler)?

    /// Starts an operation, or ends it at once when it has been cancelled meanwhile.
    static func start(
        _ operation: RequestOperation, in environment: RunEnvironment, telling listener: any OperationListener,
        scheduler: (any OperationScheduler)?, hasAutoRetry: Bool
    ) {
        let delegate = OperationRun(operation, telling: listener, scheduler: scheduler)
        let run = RequestRun(
            operation.request, id: operation.id, hasBody: operation.hasBody,
            retryPolicy: hasAutoRetry ? operation.autoRetryPolicy : nil, environment: environment,
            queueTime: scheduler == nil ? nil : operation.queueEntry.addTime, delegate: delegate)
        if operation.begin(run) {
            run.start()
        } else {
            delegate.end(with: RequestResult(error: .cancelled))
        }
    }

    private init(
        _ operation: RequestOperation, telling listener: any OperationListener, scheduler: (any OperationScheduler)?
    ) {
        self.operation = operation
        self.listener = listener
        self.scheduler = scheduler
    }

    // MARK: RequestRunDelegate

    func requestDid(_ event: RequestEvent) {
        switch event {
        case .ended(let result):
            return end(with: result)
        case .willRetry:
            operation.beginWait()
            listener.operation(operation, did: event)
            scheduler?.park(operation)
            return
        case .restarted:
            operation.beginNextAttempt()
        case .willReceive(let head, _, _), .didReject(let head):
            operation.setResponseHead(head)
        case .started, .willSend, .didSend, .didReceive:
            break
        }
        listener.operation(operation, did: event)
        if operation.noteProgress(event) { listener.operationHasProgress(operation) }
    }

    private func end(with result: RequestResult) {
        scheduler?.hide(operation)
        operation.end(with: result, telling: listener)
        scheduler?.release(operation)
    }

    func requestWillRedirect(to target: HTTPExchange, answer: @escaping @Sendable (RedirectAnswer) -> Void) {
        guard let answerer = listener.answerer else { return answer(.follow) }
        answerer.operation(operation, willRedirectTo: target, answer: answer)
    }

    var answersChallenges: Bool { listener.answerer != nil }

    func requestDidReceive(
        _ challenge: AuthenticationChallenge, answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        guard let answerer = listener.answerer else { return answer(nil) }
        answerer.operation(operation, didReceive: challenge, answer: answer)
    }

    func requestSlot() {
        if let scheduler { scheduler.unpark(operation) } else { operation.execution.run?.resume() }
    }

    func block(_ host: String, for delay: Duration) {
        scheduler?.block(host, for: delay)
    }
}
