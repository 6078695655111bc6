import Foundation

/// Runs the request, from the start to the end.
extension RequestOperation: RequestRunDelegate {
    /// The shortest time between two calls of the progress handlers.
    private static let progressInterval = Duration.milliseconds(4)

    /// Starts the operation or its next attempt. Ends it if it has been canceled meanwhile.
    func run(in environment: RunEnvironment) {
        let (run, queueTime) = state.withLock { ($0.run, $0.home.isQueue ? queueEntry.addTime : nil) }
        if let run { return run.resume() }
        var help: DownloadTarget.Help?
        if let helped {
            help = helped.begin(self).map { DownloadTarget.Help(split: helped, share: $0) }
            if help == nil { return end(with: RequestResult(error: .cancelled)) }
        }
        let new = RequestRun(
            request, id: id, retryPolicy: autoRetryPolicy, environment: environment,
            queueTime: queueTime, sizedHead: sizedHead, help: help, formerFiles: queueEntry.formerFiles, delegate: self)
        guard begin(new) else { return end(with: RequestResult(error: .cancelled)) }
        // It was paused before there was a run to pause.
        if isPauseWanted { followPause() }
        if let freshURLAnswer { new.start(with: freshURLAnswer) }
        new.start()
    }

    /// Whether the operation has been started and has not ended.
    var hasStarted: Bool { state.withLock { $0.run != nil } }

    /// Gives the operation its run. Returns `false` if it has been canceled or has ended.
    private func begin(_ run: RequestRun) -> Bool {
        if Self.hasObservers { willChangeValue(forKey: "isExecuting") }
        defer { if Self.hasObservers { didChangeValue(forKey: "isExecuting") } }
        defer { Self.running.report() }
        return state.withLock { state in
            guard state.run == nil, !state.status.isTerminal else { return false }
            state.run = run
            // If it is paused, it has not started yet.
            if state.pause == .none {
                state.setStatus(.running)
                state.attempts = 1
            }
            return !state.isCancelled
        }
    }

    // MARK: RequestRunDelegate

    func requestDid(_ event: RequestEvent) {
        switch event {
        case .ended(let result): return end(with: result)
        case .paused: return notePause()
        default: break
        }
        let demand = state.withLock { $0.note(event) }
        if let cap = demand.cap {
            if event.isRetry { cap.end() } else { _ = cap.tryStart(isFirst: true) }
        }
        if event.isStart { Self.running.report() }
        if demand.isMetered { meter(event, since: demand.formerBytes) }
        demand.handle?.queue?.operation(self, did: event)
        if demand.mustReport { scheduleReport() }
        // It may be paused, and not only wait for the retry.
        if event.isRetry { Self.running.report() }
    }

    /// Counts an operation that is in no queue of this library as no longer running.
    func endStandalone() {
        state.withLock { $0.count(false) }?.end()
    }

    /// Calls the progress handlers: now, or when the interval since the last call is over.
    private func scheduleReport() {
        guard let timekeeper = state.withLock({ $0.run })?.environment.timekeeper else { return }
        let now = timekeeper.now
        let time = state.withLock { state -> Duration in
            let time = max(state.handlers?.nextReportTime ?? now, now)
            state.handlers?.nextReportTime = time + Self.progressInterval
            return time
        }
        if time <= now { return postReport() }
        _ = timekeeper.schedule(at: time) { [weak self] in self?.postReport() }
    }

    private func postReport() {
        if let queue { return queue.operationHasProgress(self) }
        callbacks.post {
            self.reportProgress()
            return 1
        }
    }

    func requestWillRedirect(to target: HTTPExchange, answer: @escaping @Sendable (RedirectAnswer) -> Void) {
        if let queue { return queue.operation(self, willRedirectTo: target, answer: answer) }
        answerRedirect(to: target, answer)
    }

    /// Follows a redirect, unless the handler decides otherwise.
    func answerRedirect(to target: HTTPExchange, _ answer: @escaping @Sendable (RedirectAnswer) -> Void) {
        guard redirectHandler != nil else { return answer(.follow) }
        let request = target.urlRequest
        askHandler(aboutRedirectTo: request) { answer(RedirectAnswer($0, to: request)) }
    }

    var answersChallenges: Bool { challengeHandler != nil || queue?.answersChallenges(to: self) == true }

    func requestDidReceive(
        _ challenge: AuthenticationChallenge, answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        if let queue { return queue.operation(self, didReceive: challenge, answer: answer) }
        askHandler(about: challenge, answer)
    }

    func requestWillTurn(to mirror: URL?) {
        state.withLock { state in
            let handlers = state.handlers ?? Handlers()
            handlers.mirror = mirror
            state.handlers = handlers
        }
    }

    func requestDidRenew(_ answer: FreshURLAnswer) { note(answer) }

    /// Notes the answer of ``NetworkRequest/freshURL`` to this operation, to its sizing or to the download it helps.
    func note(_ answer: FreshURLAnswer) {
        state.withLock { state in
            let handlers = state.handlers ?? Handlers()
            handlers.freshURL = answer
            state.handlers = handlers
        }
    }

    /// The latest answer of ``NetworkRequest/freshURL``.
    var freshURLAnswer: FreshURLAnswer? {
        request.hasFreshURL ? state.withLock { $0.handlers?.freshURL } : nil
    }

    /// The host for which the operation counts: that of the URL being tried.
    var host: String? {
        // Avoid the lock if there is one URL, as in most requests: this runs under the lock of the queue.
        guard request.mayChangeHost else { return request.host }
        let url = state.withLock { $0.handlers?.mirror ?? $0.handlers?.freshURL?.url }
        return url.map { $0.host()?.lowercased() } ?? request.host
    }

    func requestSlot() {
        // A queue that no longer exists is about to cancel the operation.
        if state.withLock({ $0.home.isQueue }) {
            queue?.requestSlot(for: self)
        } else {
            state.withLock { $0.run }?.resume()
        }
    }

    func hold(_ host: String, for delay: Duration) {
        queue?.hold(host, for: delay)
    }

    func mayStartExchange(with host: String?, orLater begin: @escaping @Sendable () -> Void) -> Bool {
        queue?.operation(self, mayStartExchangeWith: host, orLater: begin) ?? true
    }

    func releaseStart() { queue?.releaseStart(of: self) }

    // MARK: The queue

    /// The queue of the operation, as long as it exists.
    var queue: (any OperationQueueing)? { state.withLock { $0.home.handle }?.queue }

    /// The queue on which the operation's callbacks are made.
    var callbacks: CallbackQueue { state.withLock { $0.home.handle }?.callbacks ?? Self.standaloneCallbacks }

    /// Attaches the operation to a queue. Returns whether it has to wait for another operation.
    func attach(to handle: QueueHandle) -> Bool {
        let hasDependencies = state.withLock { state -> Bool? in
            guard case .none = state.home else { return nil }
            state.home = .queue(handle)
            return state.hasDependencies
        }
        // Not `precondition`, which omits its message in release builds.
        guard let hasDependencies else { fatalError(misuse) }
        return hasDependencies && !isReady
    }

    /// Whether the operation was added to `queue`.
    func isAttached(to queue: any OperationQueueing) -> Bool { self.queue === queue }

    /// Calls `body` when all dependencies of this operation are finished.
    ///
    /// Foundation notifies only dependent operations of an operation's end.
    func whenReady(_ body: @escaping @Sendable () -> Void) {
        let gate = OperationQueue()
        let last = BlockOperation {
            body()
            // Until then, its operations keep the gate alive.
            withExtendedLifetime(gate) {}
        }
        for dependency in dependencies { last.addDependency(dependency) }
        gate.addOperation(last)
    }

    /// Removes the dependencies of an operation that no longer has to wait.
    ///
    /// On Linux a dependency keeps an unsafe pointer to this operation until it ends, and would follow it even if this
    /// operation has been deallocated.
    func leaveDependencies() {
        guard Self.keepsUnsafeDependencies else { return }
        for dependency in dependencies { removeDependency(dependency) }
    }
}

/// The environment that a test sets for an operation in no queue of this library.
final class StandaloneEnvironment: Sendable {
    let environment: RunEnvironment

    init(_ environment: RunEnvironment) {
        self.environment = environment
    }
}

extension RunEnvironment {
    /// The default environment of operations that are in no queue of this library.
    static var standalone: RunEnvironment { RunEnvironment(transport: DefaultTransport.shared) }
}

extension RequestOperation {
    /// Sets the transport and the clock of an operation that is in no queue of this library. For tests.
    package func setStandalone(transport: any Transport, timekeeper: any Timekeeper) {
        setStandalone(transport: transport, timekeeper: timekeeper, cap: .shared)
    }

    func setStandalone(transport: any Transport, timekeeper: any Timekeeper, cap: RequestCap) {
        let environment = RunEnvironment(transport: transport, timekeeper: timekeeper, cap: cap)
        state.withLock { state in
            if case .none = state.home { state.home = .none(StandaloneEnvironment(environment)) }
        }
    }
}
