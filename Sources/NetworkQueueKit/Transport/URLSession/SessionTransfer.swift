import Dispatch
import Foundation

/// What a transfer does with its task. Tests have one of their own.
protocol SessionTask: AnyObject, Sendable {
    func resume()
    func suspend()
    func cancel()
}

extension URLSessionTask: SessionTask {}

/// One exchange that a `URLSession` performs.
///
/// The receiver is called on the transfer's own serial queue: the session's queue is shared by all, and its events go
/// on for a while after a cancellation.
final class SessionTransfer: ExchangeHandle {
    private struct State {
        var task: (any SessionTask)?
        /// Why the exchange was stopped from this side. What has not been delivered by then never is, and it wins over
        /// the session's own end as long as that has not been delivered either.
        var stopReason: URLError?
        /// What the receiver has not taken. While it is paused, `queue` is suspended, or will be.
        var flow = SessionFlow()
        /// Whether `task` has been suspended.
        var isTaskSuspended = false
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
        /// The session waits for a network, as its configuration allows.
        var isWaitingForConnectivity = false
        /// By `idleClock`.
        var latestActivity: Duration
        var timer: (any ScheduledCall)?
        /// The content sent that has been charged for.
        var bytesSent: Int64 = 0
        /// What the task reads, for as long as it lives.
        var content: SessionContent?
        /// What the session has measured.
        var metrics: ExchangeMetrics?

        /// Whether nothing can arrive for now for a reason on this side.
        var isWaiting: Bool { flow.isPaused || isTaskSuspended || isWaitingForConnectivity }
    }

    private let exchange: HTTPExchange
    private let receiver: any ExchangeReceiver
    private let proxy: URL?
    private let idleTimeout: Duration
    private let totalTimeout: Duration?
    private let policy: SessionPolicy
    private let timekeeper = SystemTimekeeper()
    /// Stands still while the system sleeps: nothing can arrive then.
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
        idleTimeout = exchange.idleTimeout ?? configuration.idleTimeout
        totalTimeout = exchange.totalTimeout ?? configuration.totalTimeout
        startTime = timekeeper.now
        state = Guarded(State(latestActivity: idleClock.now))
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

    func begin(_ task: any SessionTask, content: SessionContent) {
        // The session may ask for a stream of it at once.
        state.withLock { state in
            if !state.isComplete { state.content = content }
        }
        // Only then is the task shown to `cancel()`: one that is cancelled before it has begun must not be resumed.
        task.resume()
        let mustCancel = state.withLock { state in
            if !state.isComplete {
                state.task = task
                holdTask(&state)
            }
            // What the session is about to end by itself must not be cancelled.
            return state.stopReason != nil && (!state.isDecliningRedirect || policy.canAnswerAndCancel)
        }
        if mustCancel { task.cancel() } else { watch() }
    }

    func cancel() {
        stop(URLError(.cancelled)) { !$0.isComplete }
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

    /// Ends an exchange that the session never got.
    func fail(_ error: any Error) {
        finish(Self.bodyError(error))
    }

    /// The error of an exchange whose content cannot be read.
    private static func bodyError(_ error: any Error) -> URLError {
        error as? URLError ?? URLError(.requestBodyStreamExhausted, userInfo: [NSUnderlyingErrorKey: error as NSError])
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

    /// Notes that the session has no network and waits for one: that is not silence of the server's.
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

    /// Notes that the session is told not to follow a redirect; returns whether it may be told.
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

    /// The content as a stream, from its beginning; `nil` if the exchange has ended or has none.
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
        let reason = "The app’s own check does not accept the server’s certificate."
        stop(URLError(.serverCertificateUntrusted, userInfo: [NSLocalizedDescriptionKey: reason])) { !$0.isEnding }
    }

    /// Keeps what the session has measured, until the end.
    func setMetrics(_ metrics: ExchangeMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func complete(_ error: (any Error)?, response: HTTPURLResponse?) {
        // Responses without content are not always announced.
        if error == nil, let response { receive(response) }
        let (hasHead, content) = state.withLock { ($0.hasHead, $0.content) }
        if error == nil {
            do { try content?.checkSent() } catch { return fail(error) }
        }
        // A challenge that was turned down ends as a cancellation that was not asked for: its response is the result.
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

    /// - Parameter count: the content in bytes that comes with the event.
    private func deliver(
        count: Int = 0, _ event: @escaping @Sendable (any ExchangeReceiver) -> ExchangeDisposition
    ) {
        queue.async { [self] in
            // What was under way when the exchange was stopped is not delivered any more.
            let isWanted = state.withLock { state in
                state.isResumed = false
                return state.stopReason == nil
            }
            guard isWanted else { return }
            let disposition = event(receiver)
            if count > 0 { noteDelivery(of: count) }
            switch disposition {
            case .proceed: break
            case .pause: pauseDelivery()
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

    /// Suspends or resumes the task as the receiver needs it. Called under the lock, so that the calls do not overtake
    /// each other. A session whose tasks cannot be suspended goes on, and what it receives is kept in memory.
    private func holdTask(_ state: inout State) {
        guard policy.canSuspend, let task = state.task, state.stopReason == nil,
            state.flow.isHeld != state.isTaskSuspended
        else { return }
        state.isTaskSuspended = state.flow.isHeld
        // The server is not silent as long as nothing is taken from it.
        state.latestActivity = idleClock.now
        if state.isTaskSuspended { task.suspend() } else { task.resume() }
    }

    /// Delivers nothing more until `resume()`.
    private func pauseDelivery() {
        state.withLock { state in
            guard !state.isResumed, state.stopReason == nil else { return }
            state.flow.isPaused = true
            holdTask(&state)
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
        let (task, isFirst) = state.withLock { state -> ((any SessionTask)?, Bool) in
            guard state.stopReason == nil, may(state) else { return (nil, false) }
            state.stopReason = reason
            state.timer?.cancel()
            defer { state.isEnding = true }
            let mayCancel = !state.isDecliningRedirect || policy.canAnswerAndCancel
            return (mayCancel ? state.task : nil, !state.isEnding)
        }
        // Its end is on the queue, too.
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

    /// A timer that comes later than this was held up with the whole process, as an app in the background is.
    private static let maximumLateness = Duration.seconds(5)

    /// Looks again when the exchange could time out next.
    ///
    /// - Parameter due: when this call was to be made, by `idleClock`.
    private func watch(due: Duration? = nil) {
        let now = idleClock.now
        let isOverdue = state.withLock { state in
            guard !state.isEnding else { return false }
            let wasStopped = due.map { now > $0 + Self.maximumLateness } ?? false
            // What is held on this side, or could not be received, does not count as silence of the server's.
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
