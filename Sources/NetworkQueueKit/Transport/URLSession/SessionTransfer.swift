import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange in the hands of a `URLSession`.
///
/// The receiver is called on the transfer's own serial queue: the session's queue is shared by all, and its events go on
/// for a while after a cancellation.
final class SessionTransfer: ExchangeHandle {
    private struct State {
        var task: URLSessionTask?
        /// The end has been decided: nothing more is taken from the session.
        var isOver = false
        /// The end was not the session's: what it had delivered before is dropped.
        var isStopped = false
        var hasHead = false
        var latestActivity: Duration
        var timer: (any ScheduledCall)?
    }

    private let exchange: HTTPExchange
    private let receiver: any ExchangeReceiver
    private let idleTimeout: Duration
    private let totalTimeout: Duration?
    private let timekeeper = SystemTimekeeper()
    private let startTime: Duration
    private let queue = DispatchQueue(label: "NetworkQueueKit.URLSession.transfer")
    private let state: Guarded<State>

    init(_ exchange: HTTPExchange, receiver: any ExchangeReceiver, configuration: TransportConfiguration) {
        self.exchange = exchange
        self.receiver = receiver
        idleTimeout = exchange.idleTimeout ?? configuration.idleTimeout
        totalTimeout = exchange.totalTimeout ?? configuration.totalTimeout
        startTime = timekeeper.now
        state = Guarded(State(latestActivity: startTime))
    }

    func begin(_ task: URLSessionTask) {
        let mayStart = state.withLock { state in
            state.task = task
            return !state.isOver
        }
        guard mayStart else { return }
        watch()
        task.resume()
    }

    func cancel() {
        end(URLError(.cancelled))
    }

    /// Ends the exchange, unless it has ended.
    func end(_ error: URLError?) {
        let task = state.withLock { state -> URLSessionTask?? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.isStopped = error != nil
            state.timer?.cancel()
            return .some(state.task)
        }
        guard let task else { return }
        task?.cancel()
        queue.async { [receiver] in receiver.exchangeDidComplete(error: error) }
    }

    // MARK: Events of the session

    func receive(_ response: HTTPURLResponse) {
        // Foundation on Linux reports interim responses too.
        guard !(100..<200).contains(response.statusCode) || response.statusCode == 101 else { return }
        let isFirst = note { state in
            defer { state.hasHead = true }
            return !state.hasHead
        }
        guard isFirst else { return }
        let head = ResponseHead(response, url: exchange.url)
        deliver { $0.exchangeDidReceive(head: head) }
    }

    func receive(_ data: Data) {
        guard note({ $0.hasHead }) else { return }
        deliver { receiver in data.withUnsafeBytes { receiver.exchangeDidReceive(body: $0) } }
    }

    func reportSent(_ total: Int64) {
        guard note({ _ in true }) else { return }
        deliver { receiver in
            receiver.exchangeDidSend(totalBytes: total)
            return .proceed
        }
    }

    func complete(_ error: (any Error)?, response: HTTPURLResponse?) {
        // Responses without content are not always announced.
        if error == nil, let response { receive(response) }
        let hasHead = state.withLock { $0.hasHead }
        // A challenge that was turned down ends as a cancellation by nobody: its response is the result.
        let isDeclined = hasHead && (error as? URLError)?.code == .cancelled
        end(error == nil || isDeclined ? (hasHead ? nil : URLError(.badServerResponse)) : URLError(session: error))
    }

    private func note(_ body: (inout State) -> Bool) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.latestActivity = timekeeper.now
            return body(&state)
        }
    }

    private func deliver(_ event: @escaping @Sendable (any ExchangeReceiver) -> ExchangeDisposition) {
        queue.async { [self] in
            // What was under way when the exchange ended is not delivered any more.
            guard state.withLock({ !$0.isStopped }) else { return }
            if case .stop = event(receiver) { end(URLError(.cancelled)) }
        }
    }

    // MARK: Timeouts

    /// Looks again when the exchange could time out next.
    private func watch() {
        let now = timekeeper.now
        let isOverdue = state.withLock { state in
            guard !state.isOver else { return false }
            var deadline = state.latestActivity + idleTimeout
            if let totalTimeout { deadline = min(deadline, startTime + totalTimeout) }
            guard deadline > now else { return true }
            state.timer = timekeeper.schedule(after: deadline - now) { [weak self] in self?.watch() }
            return false
        }
        if isOverdue { end(URLError(.timedOut)) }
    }
}
