import Foundation

/// The run of the request, from a slot to its end.
extension RequestOperation: RequestRunDelegate {
    /// The shortest time between two calls of the progress handlers.
    private static let progressInterval = Duration.milliseconds(4)

    /// Starts the operation, or its next attempt; ends it when it has been cancelled meanwhile.
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
            queueTime: queueTime, sizedHead: sizedHead, help: help, delegate: self)
        guard begin(new) else { return end(with: RequestResult(error: .cancelled)) }
        // It was paused before there was a run that could be told of it.
        if isPauseWanted { followPause() }
        new.start()
    }

    /// Whether the operation has been started and has not ended.
    var hasStarted: Bool { state.withLock { $0.run != nil } }

    /// Makes the operation running; returns `false` when it must not go on because it has been cancelled or has ended.
    private func begin(_ run: RequestRun) -> Bool {
        if Self.hasObservers { willChangeValue(forKey: "isExecuting") }
        defer { if Self.hasObservers { didChangeValue(forKey: "isExecuting") } }
        defer { Self.running.report() }
        return state.withLock { state in
            guard state.run == nil, !state.status.isTerminal else { return false }
            state.setStatus(.running)
            state.run = run
            state.attempts = 1
            return !state.isCancelled
        }
    }

    // MARK: RequestRunDelegate

    func requestDid(_ event: RequestEvent) {
        switch event {
        case .ended(let result): return end(with: result)
        case .willRetry:
            countStandalone(false)
            // What the attempt has brought is forgotten.
            state.withLock { state in
                state.setStatus(.retrying)
                state.answer = .none
            }
        case .restarted:
            countStandalone(true)
            state.withLock { state in
                state.setStatus(.running)
                state.attempts += 1
            }
        case .paused: return notePause()
        case .continued:
            countStandalone(true)
            state.withLock { if !$0.status.isTerminal { $0.setStatus(.running) } }
            Self.running.report()
        case .willReceive(let head, _, _), .didReject(let head): setResponseHead(head)
        case .started: countStandalone(true)
        case .willSend, .didSend, .didReceive, .resumed: break
        }
        let mustReport = count(event)
        queue?.operation(self, did: event)
        if mustReport { scheduleReport() }
        // It may be paused, and not wait for the retry alone.
        if case .willRetry = event { Self.running.report() }
    }

    /// Counts an operation that is in no queue of ours as running, or not any more. Its user has started it: it is
    /// never refused.
    func countStandalone(_ isRunning: Bool) {
        let cap = state.withLock { state -> RequestCap? in
            guard !state.home.isQueue, state.isCounted != isRunning else { return nil }
            state.isCounted = isRunning
            return state.run?.environment.cap
        }
        if isRunning { _ = cap?.tryStart(isFirst: true) } else { cap?.end() }
    }

    /// Has the progress handlers called, at once or when the interval since the last time is over.
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
        if let queue { queue.operationHasProgress(self) } else { callbacks.post { self.reportProgress() } }
    }

    func requestWillRedirect(to target: HTTPExchange, answer: @escaping @Sendable (RedirectAnswer) -> Void) {
        if let queue { return queue.operation(self, willRedirectTo: target, answer: answer) }
        answerRedirect(to: target, answer)
    }

    /// Follows a redirect, unless the handler says otherwise.
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

    func requestWillTurn(to mirror: URL) {
        state.withLock { state in
            let handlers = state.handlers ?? Handlers()
            handlers.mirror = mirror
            state.handlers = handlers
        }
    }

    /// The host that the operation counts for: that of the URL that is tried.
    var host: String? {
        // Most requests have none, and this is asked under the lock of the queue.
        let url = request.mirrors.isEmpty ? nil : state.withLock { $0.handlers?.mirror }
        return url.map { $0.host()?.lowercased() } ?? request.host
    }

    func requestSlot() {
        // A queue that is not there any more is about to cancel the operation.
        if state.withLock({ $0.home.isQueue }) {
            queue?.requestSlot(for: self)
        } else {
            state.withLock { $0.run }?.resume()
        }
    }

    func hold(_ host: String, for delay: Duration) {
        queue?.hold(host, for: delay)
    }

    // MARK: The queue

    /// The queue that the operation is in, as long as there is one.
    var queue: (any OperationQueueing)? { state.withLock { $0.home.handle }?.queue }

    /// What makes the operation's callbacks.
    var callbacks: CallbackQueue { state.withLock { $0.home.handle }?.callbacks ?? Self.standaloneCallbacks }

    /// Makes the operation belong to a queue; returns whether it waits for another operation.
    func attach(to handle: QueueHandle) -> Bool {
        let hasDependencies = state.withLock { state -> Bool? in
            guard case .none = state.home else { return nil }
            state.home = .queue(handle)
            return state.hasDependencies
        }
        // Not `precondition`, which says nothing in release builds.
        guard let hasDependencies else {
            fatalError("A RequestOperation can be started or added to a queue once.")
        }
        return hasDependencies && !isReady
    }

    /// Whether the operation was added to `queue`.
    func isAttached(to queue: any OperationQueueing) -> Bool { self.queue === queue }

    /// Calls `body` when those operations are finished that this one depends on.
    ///
    /// Foundation tells only the operations that depend on an operation about its end.
    func whenReady(_ body: @escaping @Sendable () -> Void) {
        let gate = OperationQueue()
        let last = BlockOperation {
            body()
            // Until here the gate is kept by what stands in it.
            withExtendedLifetime(gate) {}
        }
        for dependency in dependencies { last.addDependency(dependency) }
        gate.addOperation(last)
    }

    /// Lets go of the operations that this one need not wait for any more.
    ///
    /// On Linux they refer to it by an unsafe pointer until they end, and would then follow it wherever it leads.
    func leaveDependencies() {
        guard Self.keepsUnsafeDependencies else { return }
        for dependency in dependencies { removeDependency(dependency) }
    }
}

/// What an operation finds that is in no queue of this library, in place of the defaults.
final class StandaloneEnvironment: Sendable {
    let environment: RunEnvironment

    init(_ environment: RunEnvironment) {
        self.environment = environment
    }
}

extension RunEnvironment {
    /// What operations find that are in no queue of this library.
    static var standalone: RunEnvironment { RunEnvironment(transport: DefaultTransport.shared) }
}

extension RequestOperation {
    /// Replaces transport and clock for an operation that is in no queue of this library. For tests.
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
