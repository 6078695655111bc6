import Dispatch
import Foundation

/// The operations of a transfer on its task. Tests provide their own task.
protocol SessionTask: AnyObject, Sendable {
    func resume()
    func suspend()
    func cancel()
}

extension URLSessionTask: SessionTask {}

/// One exchange that a `URLSession` performs.
///
/// The receiver is called on the transfer's own serial queue, because all transfers share the session's queue, and its
/// events continue for a while after a cancellation.
final class SessionTransfer: ExchangeHandle {
    private struct State {
        var task: (any SessionTask)?
        /// Why the exchange was stopped from this side. Events that were not delivered by then never are. The reason
        /// takes precedence over the session's own result until that has been delivered.
        var stopReason: URLError?
        /// The content that the receiver has not taken. While the receiver is paused, `queue` is suspended or about to
        /// be.
        var flow = SessionFlow()
        /// Whether `task` has been suspended.
        var isTaskSuspended = false
        /// Whether `resume()` was called during the current event. If so, a `pause` that the event returns has no
        /// effect.
        var isResumed = false
        /// Whether the completion is on its way to the receiver. Nothing more is taken from the session then.
        var isEnding = false
        /// Whether the receiver was told of the end, or is being told.
        var isComplete = false
        /// Whether the session was told not to follow a redirect, which ends the task.
        var isDecliningRedirect = false
        var hasHead = false
        var interimCount = 0
        /// Whether the session waits for a network, as its configuration allows.
        var isWaitingForConnectivity = false
        /// The time of the latest activity, by `idleClock`.
        var latestActivity: Duration
        var timer: (any ScheduledCall)?
        /// The number of sent bytes that the pacer was charged for.
        var bytesSent: Int64 = 0
        /// The content that the task reads, kept as long as the task lives.
        var content: SessionContent?
        /// The session's measurements.
        var metrics: ExchangeMetrics?

        /// Whether nothing can arrive at present, for a reason on this side.
        var isWaiting: Bool { flow.isPaused || isTaskSuspended || isWaitingForConnectivity }
    }

    private let exchange: HTTPExchange
    private let receiver: any ExchangeReceiver
    private let proxy: URL?
    private let idleTimeout: Duration
    private let totalTimeout: Duration?
    private let policy: SessionPolicy
    private let timekeeper = SystemTimekeeper()
    /// A clock that stops while the system sleeps, because nothing can arrive then.
    private let idleClock: any Timekeeper
    private let startTime: Duration
    private let queue = DispatchQueue(label: "NetworkQueueKit.URLSession.transfer")
    private let state: Guarded<State>

    init(
        _ exchange: HTTPExchange, receiver: any ExchangeReceiver, configuration: TransportConfiguration,
        policy: SessionPolicy = .current, idleClock: any Timekeeper = SystemTimekeeper(stopsInSleep: true)
    ) {
        self.policy = policy
        self.idleClock = idleClock
        self.exchange = exchange
        self.receiver = receiver
        proxy = configuration.proxy
        idleTimeout = (exchange.idleTimeout ?? configuration.idleTimeout).bounded
        totalTimeout = (exchange.totalTimeout ?? configuration.totalTimeout)?.bounded
        startTime = timekeeper.now
        state = Guarded(State(latestActivity: idleClock.now))
    }

    /// Calls `body` once the pacer leaves room for the exchange, at once if there is room. Does not call it if the
    /// exchange is canceled before.
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

    /// Whether the exchange has neither ended nor been canceled.
    var isWanted: Bool { state.withLock { !$0.isEnding } }

    /// Runs slow preparations on the transfer's queue, unless the exchange is canceled before.
    func prepare(_ body: @escaping @Sendable () throws -> Void) {
        queue.async { [self] in
            guard isWanted else { return }
            do { try body() } catch { fail(error) }
        }
    }

    func begin(_ task: any SessionTask, content: SessionContent) {
        // Set the content first, because the session may ask for a stream of it at once.
        state.withLock { state in
            if !state.isComplete { state.content = content }
        }
        // Resume before `cancel()` can see the task: a task that is canceled before it has started must not be
        // resumed.
        task.resume()
        let mustCancel = state.withLock { state in
            if !state.isComplete {
                state.task = task
                holdTask(&state)
            }
            // A task that is about to end by itself must not be canceled.
            return state.stopReason != nil && (!state.isDecliningRedirect || policy.canAnswerAndCancel)
        }
        if mustCancel { task.cancel() } else { watch() }
    }

    func cancel() {
        stop(URLError(.cancelled)) { !$0.isComplete }
    }

    func pause() {
        pauseDelivery { !$0.isComplete }
    }

    func resume() {
        let wasPaused = state.withLock { state in
            state.isResumed = true
            guard state.flow.isPaused else { return false }
            state.flow.isPaused = false
            state.latestActivity = idleClock.now
            holdTask(&state)
            return true
        }
        if wasPaused { queue.resume() }
    }

    /// Ends an exchange that could not be started, or whose content has changed.
    func fail(_ error: any Error) {
        finish(Self.bodyError(error))
    }

    /// The error for content that cannot be read.
    private static func bodyError(_ error: any Error) -> URLError {
        error as? URLError ?? URLError(.requestBodyStreamExhausted, userInfo: [NSUnderlyingErrorKey: error as NSError])
    }

    // MARK: Events of the session

    func receive(_ response: HTTPURLResponse) {
        // Foundation on Linux also reports interim responses.
        guard !(100..<200).contains(response.statusCode) || response.statusCode == 101 else { return countInterim() }
        let isFirst = note { state in
            defer { state.hasHead = true }
            return !state.hasHead
        }
        guard isFirst else { return }
        let head = ResponseHead(response, url: exchange.url)
        deliver { $0.exchangeDidReceive(head: head) }
    }

    /// Notes that the session waits for a network. This does not count as silence of the server.
    func waitForConnectivity() {
        state.withLock { $0.isWaitingForConnectivity = true }
    }

    private func countInterim() {
        let isTooMany = note { state in
            state.interimCount += 1
            return state.interimCount > ResponseHead.maximumInterimCount
        }
        if isTooMany { stop(.badResponse(ResponseHead.interimFault)) { !$0.isEnding } }
    }

    /// Notes that the session will be told not to follow a redirect; returns whether it may be told.
    func beginRedirect() -> Bool {
        let isNoted = note { state in
            state.isDecliningRedirect = true
            return true
        }
        return isNoted || policy.canAnswerAndCancel
    }

    func receive(_ data: Data) {
        let isWanted = note { state in
            guard !data.isEmpty, state.hasHead else { return false }
            state.flow.receive(data.count)
            holdTask(&state)
            return true
        }
        guard isWanted else { return }
        _ = exchange.pacer?.charge(data.count)
        deliver(count: data.count) { receiver in data.withUnsafeBytes { receiver.exchangeDidReceive(body: $0) } }
    }

    /// A stream of the content from its beginning; `nil` if the exchange has ended or has no such content.
    func makeBodyStream() -> InputStream? {
        guard case .stream(let body) = state.withLock({ $0.isEnding ? nil : $0.content }) else { return nil }
        return BodyStream.make(of: body) { [weak self] error in
            self?.stop(Self.bodyError(error)) { !$0.isEnding }
        }
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

    /// Ends the exchange because the user's code does not accept the server's certificate.
    func refuseServer() {
        let reason = "The app’s own check rejected the server’s certificate."
        stop(URLError(.serverCertificateUntrusted, userInfo: [NSLocalizedDescriptionKey: reason])) { !$0.isEnding }
    }

    /// Keeps the session's measurements until the end.
    func setMetrics(_ metrics: ExchangeMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func complete(_ error: (any Error)?, response: HTTPURLResponse?) {
        // Responses without content are not always announced before.
        if error == nil, let response { receive(response) }
        let (hasHead, content) = state.withLock { ($0.hasHead, $0.content) }
        if error == nil {
            do { try content?.checkSent() } catch { return fail(error) }
        }
        // A task whose challenge was declined ends as canceled. Its response is the result.
        let isDeclined = hasHead && (error as? URLError)?.code == .cancelled
        finish(
            error == nil || isDeclined
                ? (hasHead ? nil : URLError(.badServerResponse))
                : URLError(session: error, url: exchange.url, proxy: proxy, policy: policy))
    }

    private func note(_ body: (inout State) -> Bool) -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.isWaitingForConnectivity = false
            state.latestActivity = idleClock.now
            return body(&state)
        }
    }

    /// - Parameter count: the number of content bytes in the event.
    private func deliver(
        count: Int = 0, _ event: @escaping @Sendable (any ExchangeReceiver) -> ExchangeDisposition
    ) {
        queue.async { [self] in
            // Events that were queued when the exchange was stopped are not delivered any more.
            let isWanted = state.withLock { state in
                state.isResumed = false
                return state.stopReason == nil
            }
            guard isWanted else { return }
            let disposition = event(receiver)
            if count > 0 { noteDelivery(of: count) }
            switch disposition {
            case .proceed: break
            case .pause: pauseDelivery { !$0.isResumed }
            case .stop: cancel()
            }
        }
    }

    private func noteDelivery(of count: Int) {
        state.withLock { state in
            state.flow.deliver(count)
            holdTask(&state)
        }
    }

    /// Suspends or resumes the task as the receiver requires. Called under the lock, so that the calls stay in order.
    /// If tasks cannot be suspended, the session continues and what it receives is kept in memory.
    private func holdTask(_ state: inout State) {
        guard policy.canSuspend, let task = state.task, state.stopReason == nil,
            state.flow.isHeld != state.isTaskSuspended
        else { return }
        state.isTaskSuspended = state.flow.isHeld
        // While nothing is taken from the server, it does not count as silent.
        state.latestActivity = idleClock.now
        if state.isTaskSuspended { task.suspend() } else { task.resume() }
    }

    /// Delivers no more events until `resume()`, if `may` allows that for the current state.
    private func pauseDelivery(if may: (State) -> Bool) {
        state.withLock { state in
            guard !state.flow.isPaused, state.stopReason == nil, may(state) else { return }
            state.flow.isPaused = true
            holdTask(&state)
            // Under the lock, so that no `resume()` comes first. The queue stops after the event that is running on it.
            queue.suspend()
        }
    }

    // MARK: The end

    /// Completes the exchange after everything that was received.
    private func finish(_ error: URLError?) {
        let isFirst = state.withLock { state in
            defer { state.isEnding = true }
            state.timer?.cancel()
            return !state.isEnding
        }
        if isFirst { enqueueCompletion(error) }
    }

    /// Ends the exchange now, if `may` allows that for the current state.
    private func stop(_ reason: URLError, if may: (State) -> Bool) {
        let (task, isFirst) = state.withLock { state -> ((any SessionTask)?, Bool) in
            guard state.stopReason == nil, may(state) else { return (nil, false) }
            state.stopReason = reason
            state.timer?.cancel()
            defer { state.isEnding = true }
            let mayCancel = !state.isDecliningRedirect || policy.canAnswerAndCancel
            return (mayCancel ? state.task : nil, !state.isEnding)
        }
        // The completion is on the queue, too, so the queue must run.
        resume()
        task?.cancel()
        if isFirst { enqueueCompletion(nil) }
    }

    private func enqueueCompletion(_ error: URLError?) {
        queue.async { [self] in
            let (error, content, metrics) = state.withLock { state in
                state.isComplete = true
                state.task = nil
                defer { state.content = nil }
                return (state.stopReason ?? error, state.content, state.metrics)
            }
            if let metrics { receiver.exchange(didCollect: metrics) }
            // A copy is deleted outside the lock.
            withExtendedLifetime(content) { receiver.exchangeDidComplete(error: error) }
        }
    }

    // MARK: Timeouts

    /// A timer later than this was held up together with the whole process, as in an app in the background.
    private static let maximumLateness = Duration.seconds(5)

    /// Checks for a timeout, and schedules the next check for the earliest possible one.
    ///
    /// - Parameter due: when this call should have been made, by `idleClock`.
    private func watch(due: Duration? = nil) {
        let now = idleClock.now
        let isOverdue = state.withLock { state in
            guard !state.isEnding else { return false }
            let wasStopped = due.map { now > $0 + Self.maximumLateness } ?? false
            // A pause on this side, or of the whole process, does not count as silence of the server.
            if state.isWaiting || wasStopped { state.latestActivity = now }
            var wait = state.latestActivity + idleTimeout - now
            if let totalTimeout { wait = min(wait, startTime + totalTimeout - timekeeper.now) }
            guard wait > .zero else { return true }
            let due = now + wait
            state.timer = idleClock.schedule(at: due) { [weak self] in self?.watch(due: due) }
            return false
        }
        if isOverdue { stop(URLError(.timedOut)) { !$0.isEnding } }
    }
}
