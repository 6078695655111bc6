import Dispatch
import Foundation

/// One exchange that a `URLSession` performs.
///
/// The receiver is called on the transfer's own serial queue: the session's queue is shared by all, and its events go
/// on for a while after a cancellation.
final class SessionTransfer: ExchangeHandle {
    private struct State {
        var task: URLSessionTask?
        /// Why the exchange was stopped from this side. What has not been delivered by then never is, and it wins over
        /// the session's own end as long as that has not been delivered either.
        var stopReason: URLError?
        /// Whether the receiver wants nothing more for now: then `queue` is suspended, or will be.
        var isPaused = false
        /// Whether the event under way has been answered by a `resume()` already.
        var isResumed = false
        /// The completion is on its way to the receiver: nothing more is taken from the session.
        var isEnding = false
        /// The receiver has been told, or is being told.
        var isComplete = false
        /// The session has been told not to follow a redirect, which ends the task.
        var isDecliningRedirect = false
        var hasHead = false
        var interimCount = 0
        var latestActivity: Duration
        var timer: (any ScheduledCall)?
        /// The content sent that has been charged for.
        var bytesSent: Int64 = 0
        /// What the task reads, for as long as it lives.
        var spool: SpooledBody?
        /// What the session has measured.
        var metrics: ExchangeMetrics?
    }

    private let exchange: HTTPExchange
    private let receiver: any ExchangeReceiver
    private let proxy: URL?
    private let idleTimeout: Duration
    private let totalTimeout: Duration?
    private let timekeeper = SystemTimekeeper()
    private let startTime: Duration
    private let queue = DispatchQueue(label: "NetworkQueueKit.URLSession.transfer")
    private let state: Guarded<State>

    init(_ exchange: HTTPExchange, receiver: any ExchangeReceiver, configuration: TransportConfiguration) {
        self.exchange = exchange
        self.receiver = receiver
        proxy = configuration.proxy
        idleTimeout = exchange.idleTimeout ?? configuration.idleTimeout
        totalTimeout = exchange.totalTimeout ?? configuration.totalTimeout
        startTime = timekeeper.now
        state = Guarded(State(latestActivity: startTime))
    }

    /// Calls `body` as soon as what has been moved by others leaves room for the exchange, unless it has been cancelled
    /// by then. Where there is room, that is at once.
    func whenPaceAllows(_ body: @escaping @Sendable () -> Void) {
        guard let pacer = exchange.pacer else { return body() }
        wait(for: pacer.charge(0), of: pacer, then: body)
    }

    private func wait(for mark: Int64, of pacer: any ExchangePacer, then body: @escaping @Sendable () -> Void) {
        let delay = pacer.delay(until: mark)
        guard delay > .zero else { return body() }
        state.withLock { state in
            guard !state.isEnding else { return }
            state.timer = timekeeper.schedule(after: delay) { [self] in
                if isWanted { wait(for: mark, of: pacer, then: body) }
            }
        }
    }

    /// Whether the exchange has not ended and was not cancelled.
    var isWanted: Bool { state.withLock { !$0.isEnding } }

    /// Does what takes its time before the exchange can begin, unless it has been cancelled by then.
    func prepare(_ body: @escaping @Sendable () throws -> Void) {
        queue.async { [self] in
            guard isWanted else { return }
            do { try body() } catch { fail(error) }
        }
    }

    func begin(_ task: URLSessionTask, spool: SpooledBody?) {
        // Only then is the task shown to `cancel()`: one that is cancelled before it has begun must not be resumed.
        task.resume()
        let mustCancel = state.withLock { state in
            if !state.isComplete {
                state.task = task
                state.spool = spool
            }
            // What the session is about to end by itself must not be cancelled.
            return state.stopReason != nil && !state.isDecliningRedirect
        }
        if mustCancel { task.cancel() } else { watch() }
    }

    func cancel() {
        stop(URLError(.cancelled)) { !$0.isComplete }
    }

    func resume() {
        let wasPaused = state.withLock { state in
            state.isResumed = true
            defer { state.isPaused = false }
            return state.isPaused
        }
        if wasPaused { queue.resume() }
    }

    /// Ends an exchange that the session never got.
    func fail(_ error: any Error) {
        finish(
            error as? URLError
                ?? URLError(.requestBodyStreamExhausted, userInfo: [NSUnderlyingErrorKey: error as NSError]))
    }

    // MARK: Events of the session

    func receive(_ response: HTTPURLResponse) {
        // Foundation on Linux reports interim responses too.
        guard !(100..<200).contains(response.statusCode) || response.statusCode == 101 else { return countInterim() }
        let isFirst = note { state in
            defer { state.hasHead = true }
            return !state.hasHead
        }
        guard isFirst else { return }
        let head = ResponseHead(response, url: exchange.url)
        deliver { $0.exchangeDidReceive(head: head) }
    }

    private func countInterim() {
        let isTooMany = note { state in
            state.interimCount += 1
            return state.interimCount > ResponseHead.maximumInterimCount
        }
        if isTooMany { stop(.badResponse(ResponseHead.interimFault)) { !$0.isEnding } }
    }

    /// Notes that the session is told not to follow a redirect; returns whether it may be told.
    ///
    /// On Linux a task must not be both answered and cancelled. So there is either the one or the other; the answer
    /// ends the task by itself.
    func beginRedirect() -> Bool {
        note { state in
            state.isDecliningRedirect = true
            return true
        }
    }

    func receive(_ data: Data) {
        guard !data.isEmpty, note({ $0.hasHead }) else { return }
        _ = exchange.pacer?.charge(data.count)
        deliver { receiver in data.withUnsafeBytes { receiver.exchangeDidReceive(body: $0) } }
    }

    func reportSent(_ total: Int64) {
        var more: Int64 = 0
        let isNoted = note { state in
            more = total - state.bytesSent
            state.bytesSent = total
            return true
        }
        guard isNoted else { return }
        if more > 0 { _ = exchange.pacer?.charge(Int(more)) }
        deliver { receiver in
            receiver.exchangeDidSend(totalBytes: total)
            return .proceed
        }
    }

    /// Keeps what the session has measured, until the end.
    func setMetrics(_ metrics: ExchangeMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func complete(_ error: (any Error)?, response: HTTPURLResponse?) {
        // Responses without content are not always announced.
        if error == nil, let response { receive(response) }
        let hasHead = state.withLock { $0.hasHead }
        // A challenge that was turned down ends as a cancellation that was not asked for: its response is the result.
        let isDeclined = hasHead && (error as? URLError)?.code == .cancelled
        finish(
            error == nil || isDeclined
                ? (hasHead ? nil : URLError(.badServerResponse))
                : URLError(session: error, url: exchange.url, proxy: proxy))
    }

    private func note(_ body: (inout State) -> Bool) -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.latestActivity = timekeeper.now
            return body(&state)
        }
    }

    private func deliver(_ event: @escaping @Sendable (any ExchangeReceiver) -> ExchangeDisposition) {
        queue.async { [self] in
            // What was under way when the exchange was stopped is not delivered any more.
            let isWanted = state.withLock { state in
                state.isResumed = false
                return state.stopReason == nil
            }
            guard isWanted else { return }
            switch event(receiver) {
            case .proceed: break
            case .pause: pauseDelivery()
            case .stop: cancel()
            }
        }
    }

    /// Delivers nothing more until `resume()`. The session itself cannot be paused: what it receives is kept in memory.
    private func pauseDelivery() {
        state.withLock { state in
            guard !state.isResumed, state.stopReason == nil else { return }
            state.isPaused = true
            // Under the lock, so that no `resume()` comes first. Called on the queue, it takes effect afterwards.
            queue.suspend()
        }
    }

    // MARK: The end

    /// Completes the exchange behind everything that has been received.
    private func finish(_ error: URLError?) {
        let isFirst = state.withLock { state in
            defer { state.isEnding = true }
            state.timer?.cancel()
            return !state.isEnding
        }
        if isFirst { enqueueCompletion(error) }
    }

    /// Ends the exchange now, if it `may` still be ended.
    private func stop(_ reason: URLError, if may: (State) -> Bool) {
        let (task, isFirst) = state.withLock { state -> (URLSessionTask?, Bool) in
            guard state.stopReason == nil, may(state) else { return (nil, false) }
            state.stopReason = reason
            state.timer?.cancel()
            defer { state.isEnding = true }
            return (state.isDecliningRedirect ? nil : state.task, !state.isEnding)
        }
        // Its end is on the queue, too.
        resume()
        task?.cancel()
        if isFirst { enqueueCompletion(nil) }
    }

    private func enqueueCompletion(_ error: URLError?) {
        queue.async { [self] in
            let (error, spool, metrics) = state.withLock { state in
                state.isComplete = true
                state.task = nil
                defer { state.spool = nil }
                return (state.stopReason ?? error, state.spool, state.metrics)
            }
            if let metrics { receiver.exchange(didCollect: metrics) }
            // The file goes outside the lock.
            withExtendedLifetime(spool) { receiver.exchangeDidComplete(error: error) }
        }
    }

    // MARK: Timeouts

    /// Looks again when the exchange could time out next.
    private func watch() {
        let now = timekeeper.now
        let isOverdue = state.withLock { state in
            guard !state.isEnding else { return false }
            // What is paused on this side does not count as silence of the server's.
            if state.isPaused { state.latestActivity = now }
            var deadline = state.latestActivity + idleTimeout
            if let totalTimeout { deadline = min(deadline, startTime + totalTimeout) }
            guard deadline > now else { return true }
            state.timer = timekeeper.schedule(at: deadline) { [weak self] in self?.watch() }
            return false
        }
        if isOverdue { stop(URLError(.timedOut)) { !$0.isEnding } }
    }
}
