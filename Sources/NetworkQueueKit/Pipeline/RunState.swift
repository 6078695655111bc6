import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a ``RequestRun`` knows, and its decisions. No callback is made from here.
struct RunState: Sendable {
    /// What a cancellation has found.
    enum Cancellation {
        /// This exchange has to be cancelled; its end is the end.
        case exchange((any ExchangeHandle)?)
        /// Nothing was under way but this wait or this task, and this is the end.
        case pause(RetryWait?, Task<Void, Never>?, OperationResult)
    }

    /// A reference in place of copies of its request and of the settings, which have dozens of references each.
    let operation: RequestOperation
    let environment: RunEnvironment
    @Boxed private(set) var autoRetryPolicy: RetryPolicy?
    /// Whether a retry decider has a say in this run.
    private let hasDecider: Bool
    /// Whether somebody wants to work on the content.
    let hasProcessors: Bool
    var authentication: RunAuthentication

    var phase = RunPhase.active
    /// Tells the answers that are awaited from those that come too late.
    private var step = 0
    private(set) var retryCount = 0
    /// What the next attempt starts from.
    @Boxed private var nextRequest: NetworkRequest?
    /// The exchange under way, as the request and its redirects make it: without what is added for this hop only.
    private(set) var exchange: HTTPExchange?
    private var exchangeNumber = 0
    private var handle: (any ExchangeHandle)?
    private(set) var isCancelled = false
    /// Set when the observer has all it wants: the exchange is stopped, and that is no failure.
    var isSatisfied = false
    var redirectCount = 0
    /// Whether the response of this attempt is the result even if it leads elsewhere or asks for credentials.
    var takesResponseAsItIs = false
    var content = RunContent.none
    /// Whether the cookies of the response under way are on their way into their storage.
    var isStoringCookies = false
    /// Whether the observer has yet to be told of the head.
    var isHeadHeld = false
    var intake: Intake
    /// What is there of the content, resumed bytes included.
    var bytesReceived: Int64 = 0
    var bytesResumed: Int64 = 0
    var expectedLength: Int64?
    private(set) var body: RunBody?
    var bytesSent: Int64 = 0
    /// What is being processed. A file of it goes when that fails.
    var unprocessed: OperationResult?

    private let startTime: Duration
    var timeToFirstByte: Duration?

    /// The state of a run that is about to start. No initializer: the compiler copies what one makes, which has dozens of
    /// references.
    static func make(
        _ operation: RequestOperation, environment: RunEnvironment, hasAutoRetry: Bool, isUsersOwn: Bool,
        intake: consuming Intake
    ) -> RunState {
        RunState(
            operation: operation, environment: environment,
            autoRetryPolicy: hasAutoRetry ? operation.autoRetryPolicy : nil,
            hasDecider: isUsersOwn && (environment.settings.hasRetryDecider || operation.request.hasRetryDecider),
            hasProcessors: isUsersOwn
                && (!environment.settings.processors.isEmpty || operation.request.hasProcessors),
            authentication: RunAuthentication(
                operation.request.credential, home: operation.request.url),
            intake: intake, startTime: environment.timekeeper.now)
    }

    var validation: ResponseValidation { operation.request.validation ?? environment.settings.validation }

    var retryPolicy: RetryPolicy {
        autoRetryPolicy ?? operation.request.retryPolicy ?? environment.settings.retryPolicy
    }

    /// Whether an attempt may yet be followed by another.
    var mayRetry: Bool {
        hasDecider
            || retryCount
                < (autoRetryPolicy?.maximumRetries ?? operation.request.retryPolicy?.maximumRetries
                    ?? environment.settings.retryPolicy.maximumRetries)
    }

    /// The time since the start.
    var elapsed: Duration { environment.timekeeper.now - startTime }

    // MARK: Exchanges and cancellation

    /// The content that an attempt sends; the same in all attempts, so that a change of a file between them is noticed.
    mutating func body(for request: NetworkRequest) -> RunBody {
        // Content in Foundation's request is what an adapter may have changed.
        if let body, request.body != nil { return body }
        let body = RunBody(of: request)
        self.body = body
        return body
    }

    /// The first exchange of an attempt as it is to be sent.
    mutating func prepare(_ exchange: HTTPExchange) -> HTTPExchange {
        // An adapter may have taken the content away.
        if !exchange.hasBody { body = nil }
        // Asking for the URL takes its time on Linux, and most exchanges say that there is nothing in it. What an adapter or a
        // retry decider has made of it says nothing of what the user has put there.
        if exchange.hadUserInformation || retryCount > 0 || environment.hasAdapters(for: operation.request) {
            authentication.takeCredential(of: operation.request.url)
        }
        return intake.prepare(exchange)
    }

    /// Notes the exchange that is about to start; returns what of it goes out, and its number.
    mutating func begin(_ exchange: HTTPExchange, with authenticator: Authenticator) -> (HTTPExchange, number: Int) {
        self.exchange = exchange
        exchangeNumber += 1
        handle = nil
        content = .none
        bytesSent = 0
        var authorized = exchange
        authentication.authorize(&authorized, with: authenticator)
        return (authorized, exchangeNumber)
    }

    /// Notes the handle of an exchange; returns whether it has to be cancelled now.
    ///
    /// The exchange may be over, and the next one under way, when its handle arrives.
    mutating func setHandle(_ handle: any ExchangeHandle, ofExchange number: Int) -> Bool {
        guard number == exchangeNumber, case .active = phase else { return false }
        self.handle = handle
        return isCancelled
    }

    /// Tells whether the end of the exchange has to wait for cookies to be stored. Once.
    mutating func takeCookieStoring() -> Bool {
        defer { isStoringCookies = false }
        return isStoringCookies
    }

    /// Notes the end of the exchange.
    mutating func dropHandle() {
        handle = nil
    }

    /// Notes a cancellation and returns what to do about it.
    mutating func cancel() -> Cancellation {
        isCancelled = true
        switch phase {
        case .active, .asking:
            return .exchange(handle)
        case .pending(let task):
            return .pause(nil, task, end(OperationResult(error: .cancelled)))
        case .delayed(let wait):
            return .pause(wait, nil, end(OperationResult(error: .cancelled)))
        case .queued:
            return .pause(nil, nil, end(OperationResult(error: .cancelled)))
        case .finishing, .ended:
            return .exchange(nil)
        }
    }

    // MARK: Waiting for somebody's answer

    /// Begins to wait for an answer; returns its number, or the end instead when a cancellation has come between.
    mutating func beginStep() -> Result<Int, RunEnd> {
        if isCancelled { return .failure(RunEnd(end(OperationResult(head: abandonContent(), error: .cancelled)))) }
        step += 1
        phase = .asking
        return .success(step)
    }

    /// Notes that the question has been asked, and the task that works on the answer, if there is one. Returns the end
    /// instead when a cancellation has come between.
    mutating func didAsk(_ number: Int, task: Task<Void, Never>?) -> OperationResult? {
        // The answer may have been given already.
        guard number == step, case .asking = phase else { return nil }
        guard !isCancelled else { return end(OperationResult(error: .cancelled)) }
        phase = .pending(task)
        return nil
    }

    /// Takes an answer; returns whether somebody still waits for it.
    mutating func endStep(_ number: Int) -> Bool {
        guard number == step else { return false }
        switch phase {
        case .asking, .pending:
            phase = .active
            return true
        case .active, .delayed, .queued, .finishing, .ended:
            return false
        }
    }

    // MARK: Waiting for a retry

    /// Forgets the attempt that has failed.
    mutating func abandonAttempt(next request: NetworkRequest) {
        nextRequest = request
        retryCount += 1
        authentication.beginAttempt()
        redirectCount = 0
        takesResponseAsItIs = false
        bytesReceived = 0
        bytesResumed = 0
        intake.rest()
        expectedLength = nil
        isSatisfied = false
        content = .none
        isHeadHeld = false
    }

    /// Begins the wait, after everybody has been told; returns the end instead when a cancellation has come between.
    mutating func begin(_ wait: RetryWait) -> OperationResult? {
        if isCancelled { return end(OperationResult(error: .cancelled)) }
        phase = .delayed(wait)
        return nil
    }

    /// Ends the wait for the time; returns whether there was one.
    mutating func endDelay() -> Bool {
        guard case .delayed = phase else { return false }
        phase = .queued
        return true
    }

    /// Begins the next attempt; returns its request, or `nil` when there is to be none.
    mutating func resume() -> NetworkRequest? {
        guard case .queued = phase else { return nil }
        phase = .active
        defer { nextRequest = nil }
        return nextRequest ?? operation.request
    }

    // MARK: The end

    mutating func end(_ result: consuming OperationResult) -> OperationResult {
        phase = .ended
        content = .none
        intake.rest()
        exchange = nil
        // Now it is certain to be the final one.
        result.isHeadDue = isHeadHeld && result.head != nil && !result.isCancellation
        isHeadHeld = false
        result.metrics = RequestOperation.Metrics(
            duration: elapsed, timeToFirstByte: timeToFirstByte, bytesReceived: bytesReceived - bytesResumed,
            bytesSent: bytesSent, redirectCount: redirectCount)
        return result
    }

    mutating func noteFirstByte() {
        timeToFirstByte = elapsed
    }
}

/// The end of a run, where it takes the place of something else.
struct RunEnd: Error {
    let result: OperationResult

    init(_ result: OperationResult) {
        self.result = result
    }
}
