import Foundation
import Synchronization

/// Runs one request from its start to its end:
///
/// ```text
/// adapt, authorize → exchange → redirect | authenticate | refresh → validate → sink → process → end
///   ↑                   ↑──────────────────┴─────────────┘             │         │        │
///   └────────────────────────── wait for a retry ←─────────────────────┴─────────┴────────┘
/// ```
///
/// A run receives the exchanges that it starts, one after the other. The ``RequestStateMachine`` decides what may
/// happen when. This class and its extensions carry it out, outside the machine's lock.
///
/// Only the machine has a lock. All other variables are confined to the thread that currently drives the request. Two
/// things pass the request from thread to thread: the transport, whose calls are serial, and the machine, which accepts
/// one answer for each question. `cancel()` touches only the machine, unless the machine hands it the request to end
/// it.
final class RequestRun: @unchecked Sendable {  // Unchecked: see above.
    let id: RequestID
    let request: NetworkRequest
    let environment: RunEnvironment
    let delegate: any RequestRunDelegate
    private let machine = Guarded(RequestStateMachine())
    /// Whether the total timeout caused the cancellation.
    private let hasExpired = Atomic(false)
    /// The head of the response to a HEAD, if an existing file may be kept.
    let sizedHead: ResponseHead?
    /// Holds and resumes the exchange of a user's sink; `nil` for every other destination.
    let resumer: ExchangeResumer?
    /// Ends attempts that are too slow; `nil` without a minimum speed.
    let speedWatch: SpeedWatch?
    /// Overrides every other retry policy.
    private let overridingRetryPolicy: RetryPolicy?
    private let startTime: Duration
    /// Ends the request when its total timeout expires; `nil` without one.
    private let totalTimer: TotalTimer?
    /// When the request was added to its queue; `nil` if it is in none.
    private let queueTime: Duration?

    // MARK: Confined to the thread that drives the request

    /// The number of attempts started.
    private(set) var attemptCount = 0
    /// The number of attempts that have started an exchange.
    var sentCount = 0
    /// Counts failed attempts.
    var retries = RetryCount()
    /// The failure of the previous attempt at the current URL.
    var latestFailure: NetworkError?
    var attempt: Attempt
    /// The bytes of content that earlier attempts transferred, without the bytes from which they resumed.
    private(set) var bytesReceivedBefore: Int64 = 0
    var authentication: RunCredentials
    /// Whether the user's authenticator was asked for a new authorization.
    var hasRefreshed = false
    /// The request to send instead of the original one, from a retry decider.
    private var replacement: NetworkRequest?
    /// Tracks which of the request's URLs is being tried.
    var mirrors = MirrorTurn()
    /// Whether the run is paused without an exchange.
    private var isSetAside = false
    /// Since when the run waits for a slot.
    var asideTime: Duration?
    /// The content to send. All attempts share it, so that a change to its file between attempts is noticed.
    private(set) var body: RunBody?
    var upload = UploadTurn()

    init(
        _ request: NetworkRequest, id: RequestID, retryPolicy: RetryPolicy?,
        environment: RunEnvironment, queueTime: Duration? = nil, sizedHead: ResponseHead? = nil,
        help: DownloadTarget.Help? = nil, formerFiles: UInt32 = .max, delegate: any RequestRunDelegate
    ) {
        self.id = id
        self.environment = environment
        self.delegate = delegate
        self.sizedHead = request.destination.mayKeepFile ? sizedHead : nil
        overridingRetryPolicy = retryPolicy
        startTime = environment.now
        self.queueTime = queueTime
        speedWatch = help == nil ? SpeedWatch.watch(request, in: environment) : nil
        resumer = request.destination.isSink ? ExchangeResumer(speedWatch) : nil
        authentication = RunCredentials(
            request.credential, sendsUnasked: request.sendsCredentialUnasked, home: request.url)
        totalTimer = TotalTimer(request.totalTimeout, environment.timekeeper)
        let request = environment.defaults.completed(request).keepingFinishedFile
        self.request = request
        attempt = Attempt(
            DownloadTarget(
                resumer, isDecoded: environment.decodesContent, rule: request.splitting, owner: delegate,
                timekeeper: environment.timekeeper, help: help, beside: environment.storedFiles(former: formerFiles)))
        watchSpeed()
        // A response to a range that the caller or the queue asks for has another size.
        if !request.headers.contains("Range") { attempt.target.announced = sizedHead.flatMap { AnnouncedContent($0) } }
    }

    // MARK: What applies to the request

    var validation: ResponseValidation {
        request.validation ?? environment.defaults.ownValidation ?? .usual(for: request)
    }

    var retryPolicy: RetryPolicy {
        overridingRetryPolicy ?? request.retryPolicy ?? environment.defaults.retryPolicy
    }

    /// Whether the user's processors and retry decider run. The library's own requests do not run them.
    var runsUserHooks: Bool { !request.isSizeProbe && attempt.target.help == nil }

    /// The time since the run started.
    var elapsed: Duration { environment.now - startTime }

    // MARK: Start and end

    /// Passes an event to the state machine and returns the action to take.
    func handle(_ event: RequestStateMachine.Event) -> RequestStateMachine.Action {
        machine.withLock { $0.handle(event) }
    }

    /// Whether a cancellation was requested.
    var isCancelled: Bool { machine.withLock { $0.isCancelled } }

    /// Whether to stop work that may take long: a cancellation or a pause was requested.
    var isStopWanted: Bool { machine.withLock { $0.isStopWanted } }

    /// Starts the first attempt, unless the run is paused.
    func start() {
        let action = handle(.start)
        if case .interrupt(let interruption) = action { return interrupt(interruption) }
        if case .pause = action { leave() } else { beginFirst() }
    }

    private func beginFirst() {
        // Not from `startTime`: it may have been paused, and may have waited for a slot since.
        totalTimer?.start(from: environment.now) { [weak self] in self?.expire() }
        if let path = request.partPath { PartHolders.shared.enter(path, self) }
        attemptCount = 1
        delegate.requestDid(.started)
        begin(current)
    }

    private func expire() {
        if !isCancelled { hasExpired.store(true, ordering: .relaxed) }
        cancel()
    }

    /// Starts the next attempt or continues after a pause, now that there is a slot.
    func resume() {
        if let resumer, resumer.isHeld {
            // The held exchange goes on; no other starts.
            releaseStart()
            delegate.requestDid(.continued)
            speedWatch?.set(.reader, false)
            _ = resumer.release()
            return
        }
        follow(handle(.resume))
    }

    private func follow(_ action: RequestStateMachine.Action) {
        switch action {
        case .attempt(let next):
            // It was paused before its start.
            if attemptCount == 0 { return beginFirst() }
            if let start = asideTime.take() { retries.leaveOut(environment.now - start) }
            if isSetAside {
                isSetAside = false
                delegate.requestDid(.continued)
            } else {
                replacement = next
                attemptCount += 1
                delegate.requestDid(.restarted)
            }
            begin(replacement ?? current)
        // The run was paused again while it waited for the slot.
        case .pause: leave()
        case .interrupt(let interruption): interrupt(interruption)
        // The run waits for a slot, or a cancellation has ended it.
        default: break
        }
    }

    // MARK: Pause

    /// Stops the request at once and gives its slot back; see ``RequestEvent/paused``. Can be called from any thread.
    func pause() {
        totalTimer?.pause()
        if let resumer, resumer.hold() {
            speedWatch?.set(.reader, true)
            delegate.requestDid(.paused)
        } else if case .cancel(let handle) = handle(.pause) {
            handle.cancel()
        }
    }

    /// Lifts a pause. ``resume()`` follows when there is a slot. Can be called from any thread.
    func unpause() {
        totalTimer?.resume()
        _ = handle(.unpause)
    }

    /// Gives the slot back until ``resume()``. Received content stays as a part or is fetched again.
    func setAside() {
        if environment.hasMonitors, attempt.stage != .waiting { tellMonitorsOfEnd(with: .cancelled, metrics: metrics) }
        // The continued exchange counts as part of the same attempt.
        if attempt.stage == .sent { sentCount -= 1 }
        forgetAttempt()
        isSetAside = true
        asideTime = environment.now
        leave()
    }

    /// Reports the pause. Only afterwards may another thread drive or end the run; what came before is done here.
    private func leave() {
        delegate.requestDid(.paused)
        follow(handle(.left))
    }

    private func forgetAttempt() {
        noteShares()
        upload.noteEnd(of: attempt)
        bytesReceivedBefore += attempt.bytesReceived - attempt.bytesResumed
        attempt.target.beginNextAttempt()
        attempt = Attempt(attempt.target)
        speedWatch?.beginAttempt()
    }

    // MARK: The end

    /// Cancels the request. Can be called from any thread.
    func cancel() {
        switch handle(.cancel) {
        case .cancel(let handle): handle.cancel()
        case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
        default: break
        }
    }

    /// Ends the request as canceled.
    ///
    /// - Parameter head: the head of the current response.
    func interrupt(_ interruption: RequestStateMachine.Interruption, head: ResponseHead? = nil) {
        interruption.wait?.cancel()
        interruption.task?.cancel()
        interruption.unprocessed?.removeFile()
        conclude(RequestResult(head: head, error: .cancelled))
    }

    /// Ends the request with a result. If it was canceled before it failed, the error is `.cancelled`.
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
        speedWatch?.cancel()
        if result.isCancellation, hasExpired.load(ordering: .relaxed) {
            var error = closing(NetworkError(.timedOut, underlying: URLError(.timedOut)))
            error.response = latestFailure?.response
            error.exchangeURL = attempt.exchangeURL
            result.error = error
        }
        // It is certain now that no other attempt follows.
        if attempt.isRejected, !result.isCancellation, let head = result.head {
            delegate.requestDid(.didReject(head))
        }
        result.metrics = metrics
        if environment.hasMonitors, attempt.stage != .waiting, let metrics = result.metrics {
            tellMonitorsOfEnd(with: result.error, metrics: metrics)
        }
        // Break a reference cycle: the context refers to the run.
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

    /// The measurements of the run so far.
    var metrics: RequestMetrics {
        RequestMetrics(
            duration: elapsed, queueDuration: queueTime.map { startTime - $0 },
            timeToFirstByte: attempt.timeToFirstByte,
            bytesReceived: attempt.bytesReceived - attempt.bytesResumed,
            bytesSent: attempt.bytesSentBefore + attempt.bytesSent, redirectCount: attempt.redirectCount,
            attempts: sentCount, exchange: attempt.exchangeMetrics)
    }

    // MARK: Attempts and exchanges

    /// Starts an attempt.
    private func begin(_ request: NetworkRequest) {
        attempt.stage = .begun
        if environment.hasMonitors { tellMonitors { $0.attemptDidStart(in: $1) } }
        // Check before the adapters run, because they may send requests themselves.
        if let obstacle = self.request.obstacle {
            let place = obstacle.file?.path
            let error = place.flatMap { attempt.target.stored.contains($0) ? .isStored($0) : nil } ?? obstacle
            return fail(AttemptFailure(error: error))
        }
        if let sizedHead { attempt.target.settleName(by: sizedHead, for: self.request) }
        if self.request.destination.mayKeepFile,
            let file = attempt.target.existingFile(for: self.request)
        {
            if self.request.expectedChecksum != nil { releaseStart() }
            judge(file) { [self] in prepare(request) }
        } else if self.request.isTus {
            beginTus()
        } else if asksBeforeUpload {
            take(.question, request.uploadQuestion)
        } else {
            prepare(request.withUploadCondition)
        }
    }

    func prepare(_ request: NetworkRequest) {
        if environment.hasPreparation(for: request) {
            // The user's code may take any time, and may wait for another request of the queue.
            releaseStart()
            adapt(request) { [self] in send($0) }
        } else {
            send(request)
        }
    }

    /// The request of the current attempt.
    var outgoing: NetworkRequest { replacement ?? current }

    /// Measures the content of a request, if it has any, and returns what is sent.
    func preparedContent(of request: NetworkRequest) throws(NetworkError) -> (any ExchangeBody)? {
        guard request.hasBody else { return nil }
        // An adapter may have changed the content of Foundation's request, so that content is prepared again.
        let former = request.body == nil ? nil : self.body
        let source = former ?? RunBody(of: request)
        self.body = source
        return try source.prepare()
    }

    private func send(_ request: NetworkRequest) {
        if attempt.step != nil { return sendStep(request) }
        do throws(NetworkError) {
            var exchange = try HTTPExchange(request)
            exchange.pacer = pacer
            if let content = try preparedContent(of: request) {
                exchange.body = content
                delegate.requestDid(.willSend(length: content.length))
            } else {
                // An adapter may have removed the content.
                self.body = nil
            }
            // Use the URL that the user set. An adapter or a retry decider may have changed that of `request`.
            authentication.adoptCredential(of: self.request.url)
            exchange = try attempt.target.prepare(exchange, for: self.request, named: mirrors.partName)
            if let sizedHead, try finishesPart(accordingTo: sizedHead, exchange) { return }
            if attempt.target.mayFollow { attempt.firstExchange = exchange }
            perform(exchange)
        } catch {
            fail(AttemptFailure(error: error))
        }
    }

    // MARK: Another attempt

    /// Discards the failed attempt and starts the wait for the next; returns `false` if the request has ended instead.
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
}

/// Hides the run's state from a transport that dumps its receiver: it contains credentials and may change concurrently.
extension RequestRun: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["request": request], displayStyle: .class) }
}
