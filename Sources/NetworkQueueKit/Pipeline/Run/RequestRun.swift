import Foundation
import Synchronization

/// The life of one request, from its start to its end:
///
///     adapt, authorize → exchange → redirect | authenticate | refresh → validate → sink → process → end
///       ↑                   ↑──────────────────┴─────────────┘             │         │        │
///       └────────────────────────── wait for a retry ←─────────────────────┴─────────┴────────┘
///
/// It receives the exchanges that it starts, one after the other. What may happen when is decided by the
/// ``RequestStateMachine``; here and in the stages' own files it is carried out, outside the machine's lock.
///
/// Only the machine has a lock. All other variables are confined to the thread that drives the request, one at a time.
/// The transport passes the request on, as its calls are serial, and so does the machine, which lets one answer through
/// for each question. `cancel()` touches the machine alone, unless the machine hands it the request for its end.
final class RequestRun: @unchecked Sendable {  // Unchecked: see above.
    let id: RequestID
    let request: NetworkRequest
    let environment: RunEnvironment
    let delegate: any RequestRunDelegate
    private let machine = Guarded(RequestStateMachine())
    /// Whether the cancellation is that of the total timeout.
    private let hasExpired = Atomic(false)
    /// What a HEAD has told of the content, where a file that is there may be kept.
    let sizedHead: ResponseHead?
    /// Holds the exchange of a sink of the user's; `nil` for every other destination.
    let resumer: ExchangeResumer?
    /// Takes the place of every other retry policy.
    private let overridingRetryPolicy: RetryPolicy?
    private let startTime: Duration
    /// Ends the request when its time is up; `nil` without a limit.
    private let totalTimer: TotalTimer?
    /// When the request was added to its queue; `nil` where it was in none.
    private let queueTime: Duration?

    // MARK: Confined to the thread that drives the request

    /// How many attempts have begun.
    private(set) var attemptCount = 0
    /// How many of them have sent something.
    private(set) var sentCount = 0
    /// What they mean for the next.
    var retries = RetryCount()
    var attempt: Attempt
    /// Bytes of content that former attempts have received. A part of it may have been resumed.
    private var bytesReceivedBefore: Int64 = 0
    var authentication: RunCredentials
    /// Whether the user's authenticator has been asked for another authorization.
    var hasRefreshed = false
    /// What is sent in place of the request, where a retry decider says so.
    private var replacement: NetworkRequest?
    /// Which of the request's URLs is tried.
    var mirrors = MirrorTurn()
    /// Whether it is paused without an exchange.
    private var isSetAside = false
    /// The content that is sent, the same in all attempts, so that a change of a file between them is noticed.
    private(set) var body: RunBody?

    init(
        _ request: NetworkRequest, id: RequestID, retryPolicy: RetryPolicy?,
        environment: RunEnvironment, queueTime: Duration? = nil, sizedHead: ResponseHead? = nil,
        help: DownloadTarget.Help? = nil, delegate: any RequestRunDelegate
    ) {
        self.id = id
        self.environment = environment
        self.delegate = delegate
        self.sizedHead = sizedHead
        overridingRetryPolicy = retryPolicy
        startTime = environment.now
        self.queueTime = queueTime
        resumer = request.destination.isSink ? ExchangeResumer() : nil
        authentication = RunCredentials(
            request.credential, sendsUnasked: request.sendsCredentialUnasked, home: request.url)
        totalTimer = TotalTimer(request.totalTimeout, environment.timekeeper)
        let request = environment.defaults.completed(request)
        self.request = request
        attempt = Attempt(
            DownloadTarget(
                resumer, isDecoded: environment.decodesContent, rule: request.splitting, owner: delegate, help: help))
    }

    // MARK: What applies to the request

    var validation: ResponseValidation { request.validation ?? environment.defaults.validation }

    var retryPolicy: RetryPolicy {
        overridingRetryPolicy ?? request.retryPolicy ?? environment.defaults.retryPolicy
    }

    /// Whether the user's processors and retry decider apply. They are not called for what the library asks for itself.
    var runsUserHooks: Bool { !request.isSizeProbe && attempt.target.help == nil }

    /// The time since the start.
    var elapsed: Duration { environment.now - startTime }

    // MARK: Start and end

    /// Tells the machine what happens; returns what is to be done.
    func handle(_ event: RequestStateMachine.Event) -> RequestStateMachine.Action {
        machine.withLock { $0.handle(event) }
    }

    /// Whether a cancellation has been asked for.
    var isCancelled: Bool { machine.withLock { $0.isCancelled } }

    /// Begins the first attempt.
    func start() {
        switch handle(.start) {
        case .interrupt(let interruption): interrupt(interruption)
        default:
            totalTimer?.start(from: startTime) { [weak self] in self?.expire() }
            if let path = request.partPath { PartHolders.shared.enter(path, self) }
            attemptCount = 1
            delegate.requestDid(.started)
            begin(request)
        }
    }

    private func expire() {
        if !isCancelled { hasExpired.store(true, ordering: .relaxed) }
        cancel()
    }

    /// Makes the next attempt, or goes on after a pause, now that there is a slot for it.
    func resume() {
        if let resumer, resumer.isHeld {
            delegate.requestDid(.continued)
            _ = resumer.release()
            return
        }
        switch handle(.resume) {
        case .attempt(let next):
            if isSetAside {
                isSetAside = false
                delegate.requestDid(.continued)
            } else {
                replacement = next
                attemptCount += 1
                delegate.requestDid(.restarted)
            }
            begin(replacement ?? current)
        // It has been paused again meanwhile.
        case .pause: delegate.requestDid(.paused)
        // A cancellation that has come between has ended the run.
        default: break
        }
    }

    // MARK: Pause

    /// Has the request stop at once, and give its slot back; see ``RequestEvent/paused``. From any thread.
    func pause() {
        totalTimer?.pause()
        if let resumer, resumer.hold() {
            delegate.requestDid(.paused)
        } else if case .cancel(let handle) = handle(.pause) {
            handle.cancel()
        }
    }

    /// Makes a pause not apply any more. ``resume()`` follows when there is a slot. From any thread.
    func unpause() {
        totalTimer?.resume()
        _ = handle(.unpause)
    }

    /// Gives the slot back until ``resume()``. What has come leaves a part, or is fetched again.
    func setAside() {
        if environment.hasMonitors, attempt.stage != .waiting { tellMonitorsOfEnd(with: .cancelled, metrics: metrics) }
        // It is no attempt of its own.
        if attempt.stage == .sent { sentCount -= 1 }
        forgetAttempt()
        isSetAside = true
        delegate.requestDid(.paused)
    }

    private func forgetAttempt() {
        noteShares()
        bytesReceivedBefore += attempt.bytesReceived - attempt.bytesResumed
        attempt = Attempt(attempt.target.successor)
    }

    // MARK: The end

    /// Asks for the end of the request. From any thread.
    func cancel() {
        switch handle(.cancel) {
        case .cancel(let handle): handle.cancel()
        case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
        default: break
        }
    }

    /// Ends the request as cancelled.
    ///
    /// - Parameter head: that of the response which was under way.
    func interrupt(_ interruption: RequestStateMachine.Interruption, head: ResponseHead? = nil) {
        interruption.wait?.cancel()
        interruption.task?.cancel()
        interruption.unprocessed?.removeFile()
        conclude(RequestResult(head: head, error: .cancelled))
    }

    /// Ends the request with a result, unless a cancellation has come before a failure.
    func end(with result: RequestResult) {
        guard case .finish(let isCancelled) = handle(.end) else { return }
        var result = result
        if isCancelled, result.error != nil { result.error = .cancelled }
        conclude(result)
    }

    private func conclude(_ result: RequestResult) {
        var result = result
        noteShares()
        totalTimer?.cancel()
        if result.isCancellation, hasExpired.load(ordering: .relaxed) {
            result.error = NetworkError(.timedOut, underlying: URLError(.timedOut))
        }
        // Now it is certain that no other attempt follows.
        if attempt.isRejected, !result.isCancellation, let head = result.head {
            delegate.requestDid(.didReject(head))
        }
        result.metrics = metrics
        if environment.hasMonitors, attempt.stage != .waiting, let metrics = result.metrics {
            tellMonitorsOfEnd(with: result.error, metrics: metrics)
        }
        // It refers to the run.
        attempt.context = nil
        result.endDate = .now
        let bytesResumed = attempt.bytesResumed - bytesReceivedBefore
        if bytesResumed > 0 { result.bytesResumed = bytesResumed }
        attempt.response = .none
        attempt.splitResponse = nil
        attempt.firstExchange = nil
        attempt.target.letGo()
        attempt.exchange = nil
        if result.error == nil, HostRecoveryObserver.shared.isWatching, let host = current.host {
            HostRecoveryObserver.shared.noteSuccess(host: host)
        }
        if let path = request.partPath { PartHolders.shared.leave(path, self) }
        delegate.requestDid(.ended(result))
    }

    /// What the run has taken so far.
    var metrics: RequestMetrics {
        RequestMetrics(
            duration: elapsed, queueDuration: queueTime.map { startTime - $0 },
            timeToFirstByte: attempt.timeToFirstByte,
            bytesReceived: attempt.bytesReceived - attempt.bytesResumed,
            bytesSent: attempt.bytesSent, redirectCount: attempt.redirectCount,
            attempts: sentCount, exchange: attempt.exchangeMetrics)
    }

    // MARK: Attempts and exchanges

    /// Begins an attempt.
    private func begin(_ request: NetworkRequest) {
        attempt.stage = .begun
        if environment.hasMonitors { tellMonitors { $0.attemptDidStart(in: $1) } }
        // Before the adapters, which may send something themselves.
        if let obstacle = self.request.obstacle { return fail(AttemptFailure(error: obstacle)) }
        if let sizedHead { attempt.target.settleName(by: sizedHead, for: self.request) }
        if self.request.destination.mayKeepFile,
            let file = attempt.target.existingFile(for: self.request)
        {
            judge(file) { [self] in prepare(request) }
        } else {
            prepare(request)
        }
    }

    private func prepare(_ request: NetworkRequest) {
        if environment.hasPreparation(for: request) {
            adapt(request) { [self] in send($0) }
        } else {
            send(request)
        }
    }

    private func send(_ request: NetworkRequest) {
        do throws(NetworkError) {
            var exchange = try HTTPExchange(request)
            exchange.pacer = environment.pacer
            if request.hasBody {
                // Content in Foundation's request is what an adapter may have changed.
                let former = request.body == nil ? nil : self.body
                let source = former ?? RunBody(of: request)
                self.body = source
                let content = try source.prepare()
                exchange.body = content
                delegate.requestDid(.willSend(length: content.length))
            } else {
                // An adapter may have taken it away.
                self.body = nil
            }
            // The URL that the user has set: that of `request` may be an adapter's or a retry decider's.
            authentication.adoptCredential(of: self.request.url)
            exchange = try attempt.target.prepare(exchange, for: self.request)
            if let sizedHead, try finishesPart(accordingTo: sizedHead, exchange) { return }
            if attempt.target.mayFollow { attempt.firstExchange = exchange }
            perform(exchange)
        } catch {
            fail(AttemptFailure(error: error))
        }
    }

    /// Starts an exchange, the first of an attempt or a later one.
    func perform(_ exchange: HTTPExchange) {
        attempt.exchange = exchange
        if environment.hasMonitors { attempt.context?.note(sent: exchange) }
        attempt.response = .none
        // Content that a redirect leaves out has been sent all the same.
        if exchange.body != nil { attempt.bytesSent = 0 }
        var outgoing = exchange
        authentication.authorize(&outgoing, with: environment.credentials)
        environment.defaults.cookieStorage?.addCookies(to: &outgoing)
        do {
            try outgoing.checkSendable()
        } catch {
            return fail(AttemptFailure(error: NetworkError(error)))
        }
        // Of this one alone, so that a response shows whether the request has asked for codings.
        outgoing.declineCodings()
        switch handle(.beginExchange) {
        case .send(let number): start(outgoing, number: number)
        case .interrupt(let interruption): interrupt(interruption)
        case .pause: setAside()
        default: break
        }
    }

    private func start(_ exchange: HTTPExchange, number: Int) {
        if attempt.stage != .sent {
            attempt.stage = .sent
            sentCount += 1
        }
        attempt.exchangeMetrics = nil
        // The exchange may be over, and the next one under way, when its handle arrives.
        resumer?.reset(forExchange: number)
        let handle = environment.transport.start(exchange, receiver: self)
        resumer?.attach(handle, ofExchange: number)
        // A cancellation that came before there was a handle is applied here.
        if case .cancel(let handle) = self.handle(.exchangeStarted(number: number, handle)) { handle.cancel() }
    }

    // MARK: Another attempt

    /// Forgets the attempt that has failed, and waits for the next; returns whether it does.
    func beginWait(_ wait: RetryWait, next: NetworkRequest?, telling event: RequestEvent) -> Bool {
        forgetAttempt()
        delegate.requestDid(event)
        switch handle(.beginWait(wait, next: next)) {
        case .proceed: return true
        case .interrupt(let interruption): interrupt(interruption)
        default: break
        }
        return false
    }

    /// What a hook is told.
    func context(sent exchange: HTTPExchange?) -> AttemptContext {
        AttemptContext(
            operationID: id, request: { [self] in request.withVisibleProbe }, mirror: mirror, sent: exchange,
            attempt: attemptCount, elapsed: elapsed, statusCode: attempt.statusCode)
    }
}

/// What a transport that dumps its receiver sees: not the run's state, which has credentials and may change meanwhile.
extension RequestRun: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["request": request], displayStyle: .class) }
}

/// What monitors are told. Callers look first whether there are any, since what they are told takes its time to make.
extension RequestRun {
    func tellMonitors(_ body: (any QueueMonitor, AttemptContext) -> Void) {
        var context = attempt.context ?? context(sent: attempt.exchange)
        context.elapsed = elapsed
        context.statusCode = attempt.statusCode
        attempt.context = context
        for monitor in environment.defaults.monitors { body(monitor, context) }
    }

    func tellMonitorsOfEnd(with error: NetworkError?, metrics: RequestMetrics) {
        tellMonitors { $0.attemptDidEnd(with: error, metrics: metrics, in: $1) }
    }
}
