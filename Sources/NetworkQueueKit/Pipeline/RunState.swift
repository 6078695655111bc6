import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a ``RequestRun`` knows, and its decisions. No callback is made from here.
struct RunState: Sendable {
    /// The reaction to a head.
    enum HeadReaction {
        /// The response is the result; this much content follows, where that is known, behind what is there from before.
        case accept(Int64?, resumed: Int64)
        /// The response is not the result.
        case skip(ExchangeDisposition)
    }

    /// What follows the end of an exchange.
    enum Next {
        case perform(HTTPExchange)
        /// The content is whole; what becomes of it follows with ``RunState/finished(_:_:)``.
        case finish(any BodySink, ResponseHead)
        /// Another attempt, from the original request, after this time.
        case retry(Retry)
        case end(OperationResult)
    }

    struct Retry {
        let delay: Duration
        let error: NetworkError
        /// Whether what has been learnt of the content's length holds for the next attempt, too.
        let keepsLength: Bool
    }

    /// What a cancellation has found.
    enum Cancellation {
        /// This exchange has to be cancelled; its end is the end.
        case exchange((any ExchangeHandle)?)
        /// The wait for a retry is over, and this is the end.
        case wait((any ScheduledCall)?, OperationResult)
    }

    /// What the content that arrives is for.
    private enum Content {
        /// No final head yet.
        case none
        /// The response leads elsewhere; its content is skipped.
        case redirect(HTTPExchange)
        /// The response cannot be put behind the bytes that are there; its content is skipped.
        case startOver(HTTPExchange)
        case accepted(ResponseHead, any BodySink)
        case rejected(ResponseHead, NetworkError.Code, ErrorContent)
        /// Nothing more is taken: the operation fails with this.
        case failed(ResponseHead?, NetworkError)
    }

    /// How much of a response that is not the result is read, so that its connection can be used again.
    private static let maximumSkippedLength: Int64 = 64 * 1024
    private static let maximumRedirectCount = 20

    private let request: NetworkRequest
    private let validation: ResponseValidation
    private let retryPolicy: RetryPolicy
    private var phase = RunPhase.attempting
    private var retryCount = 0
    private(set) var exchange: HTTPExchange?
    private var exchangeNumber = 0
    private var redirectCount = 0
    private var handle: (any ExchangeHandle)?
    private var isCancelled = false
    /// Set when the observer has all it wants: the exchange is stopped, and that is no failure.
    var isSatisfied = false
    private var content = Content.none
    private var intake: Intake
    /// Whether the observer has yet to be told of the head.
    private var isHeadHeld = false
    private var skippedLength: Int64 = 0
    /// What is there of the content, resumed bytes included.
    private(set) var bytesReceived: Int64 = 0
    private var bytesResumed: Int64 = 0
    private(set) var expectedLength: Int64?
    var bytesSent: Int64 = 0
    private let startTime = ContinuousClock.now
    private var timeToFirstByte: Duration?

    init(request: NetworkRequest, validation: ResponseValidation, retryPolicy: RetryPolicy) {
        self.request = request
        self.validation = validation
        self.retryPolicy = retryPolicy
        intake = Intake(request)
    }

    /// Notes an accepted head; returns whether it has to be held back because the attempt may yet be repeated.
    mutating func holdsHead() -> Bool {
        isHeadHeld = retryCount < retryPolicy.maximumRetries
        return isHeadHeld
    }

    /// Whether a head has been held back until now, when it is certain to be the final one.
    mutating func takeHeldHead() -> Bool {
        defer { isHeadHeld = false }
        return isHeadHeld
    }

    // MARK: Start and cancellation

    /// The first exchange of an attempt, which may continue what an earlier one has left.
    mutating func prepare(_ exchange: HTTPExchange) -> HTTPExchange { intake.prepare(exchange) }

    /// Notes the exchange that is about to start and returns its number.
    mutating func begin(_ exchange: HTTPExchange) -> Int {
        self.exchange = exchange
        exchangeNumber += 1
        handle = nil
        content = .none
        skippedLength = 0
        bytesSent = 0
        return exchangeNumber
    }

    /// Notes the handle of an exchange; returns whether it has to be cancelled now.
    ///
    /// The exchange may be over, and the next one under way, when its handle arrives.
    mutating func setHandle(_ handle: any ExchangeHandle, ofExchange number: Int) -> Bool {
        guard number == exchangeNumber, case .attempting = phase else { return false }
        self.handle = handle
        return isCancelled
    }

    /// Notes a cancellation and returns what to do about it.
    mutating func cancel() -> Cancellation {
        isCancelled = true
        switch phase {
        case .attempting:
            return .exchange(handle)
        case .delayed(let timer):
            return .wait(timer, end(OperationResult(error: .cancelled)))
        case .queued:
            return .wait(nil, end(OperationResult(error: .cancelled)))
        case .finishing, .ended:
            return .exchange(nil)
        }
    }

    // MARK: Waiting for a retry

    /// Begins the wait, after everybody has been told; returns the end instead when a cancellation has come between.
    mutating func beginDelay() -> OperationResult? {
        if isCancelled { return end(OperationResult(error: .cancelled)) }
        phase = .delayed(nil)
        return nil
    }

    /// Notes the timer of a wait; returns whether the wait is over already.
    mutating func setTimer(_ timer: any ScheduledCall) -> Bool {
        guard case .delayed = phase else { return true }
        phase = .delayed(timer)
        return false
    }

    /// Ends the wait for the time; returns whether there was one.
    mutating func endDelay() -> Bool {
        guard case .delayed = phase else { return false }
        phase = .queued
        return true
    }

    /// Begins the next attempt; returns whether there is to be one.
    mutating func resume() -> Bool {
        guard case .queued = phase else { return false }
        phase = .attempting
        return true
    }

    // MARK: Events of the exchange

    mutating func receive(_ head: ResponseHead) -> HeadReaction {
        guard !isCancelled, let exchange else { return .skip(.stop) }
        let length = contentLength(of: head, to: exchange.method)
        switch Redirect.target(of: head, for: exchange) {
        case .follow(let target):
            content = .redirect(target)
            return .skip(length.map { $0 > Self.maximumSkippedLength } == true ? .stop : .proceed)
        case .none:
            break
        }
        // RFC 9112, section 6.3: where a length is told that is none, nobody knows where the content ends.
        if length == nil, head.headers.contains("Content-Length"), !head.headers.contains("Transfer-Encoding") {
            content = .failed(head, NetworkError(URLError(.badServerResponse)))
            return .skip(.stop)
        }
        switch intake.judge(head, of: exchange) {
        case .take:
            break
        case .startOver(let whole):
            content = .startOver(whole)
            return .skip(length.map { $0 > Self.maximumSkippedLength } == true ? .stop : .proceed)
        case .complete:
            isSatisfied = true
        case .refuse(let error):
            content = .failed(head, error)
            return .skip(.stop)
        }
        if let code = validation.rejection(of: intake.representative(of: head)) {
            content = .rejected(head, code, ErrorContent(limit: Int(Self.maximumSkippedLength)))
            isHeadHeld = true
            return .skip(.proceed)
        }
        do {
            let reception = try intake.receive(head, expecting: length)
            content = .accepted(head, reception.sink)
            bytesResumed = reception.offset
        } catch {
            content = .failed(head, error)
            isHeadHeld = true
            return .skip(.stop)
        }
        let rest = isSatisfied ? 0 : length
        bytesReceived = bytesResumed
        expectedLength = rest.map { bytesResumed + $0 }
        timeToFirstByte = startTime.duration(to: .now)
        return .accept(rest, resumed: bytesResumed)
    }

    /// Takes content; returns how to go on and whether it belongs to the result.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (ExchangeDisposition, isContent: Bool) {
        guard !isCancelled, !isSatisfied else { return (.stop, false) }
        switch content {
        case .accepted(let head, let sink):
            do {
                try sink.write(bytes)
            } catch {
                sink.discard()
                content = .failed(head, error)
                return (.stop, false)
            }
            bytesReceived += Int64(bytes.count)
            return (.proceed, true)
        case .rejected(_, _, let kept):
            return (kept.append(bytes) ? .proceed : .stop, false)
        case .redirect, .startOver:
            skippedLength += Int64(bytes.count)
            return (skippedLength > Self.maximumSkippedLength ? .stop : .proceed, false)
        case .none, .failed:
            return (.stop, false)
        }
    }

    mutating func complete(_ error: URLError?, bodyError: NetworkError?) -> Next {
        handle = nil
        if isCancelled { return .end(end(OperationResult(head: abandonContent(), error: .cancelled))) }
        switch content {
        case .redirect(let target):
            guard redirectCount < Self.maximumRedirectCount else {
                return fail(OperationResult(), NetworkError(URLError(.httpTooManyRedirects)))
            }
            redirectCount += 1
            return .perform(target)
        case .startOver(let whole):
            return .perform(whole)
        case .rejected(let head, let code, let kept):
            return fail(OperationResult(head: head, data: kept.data), NetworkError(code))
        case .failed(let head, let failure):
            return fail(OperationResult(head: head), failure)
        case .accepted(let head, let sink):
            guard error == nil || isSatisfied else { fallthrough }
            phase = .finishing
            return .finish(sink, head)
        case .none:
            let hadLength = expectedLength != nil
            return fail(
                OperationResult(head: abandonContent()),
                bodyError ?? NetworkError(error ?? URLError(.badServerResponse)),
                keepsLength: hadLength)
        }
    }

    /// Notes what has become of the whole content.
    mutating func finished(_ head: ResponseHead, _ outcome: Result<DeliveredContent, NetworkError>) -> Next {
        switch outcome {
        case .success(let place):
            return .end(end(OperationResult(head: head, data: place.data, fileURL: place.fileURL)))
        case .failure(let error):
            return fail(OperationResult(head: head), error)
        }
    }

    // MARK: Helpers

    /// Ends the attempt with an error: either that is the end, or there is another.
    private mutating func fail(
        _ result: OperationResult, _ error: NetworkError, keepsLength: Bool = false
    ) -> Next {
        let method = request.urlRequest.httpMethod ?? "GET"
        guard let delay = retryPolicy.delay(beforeRetry: retryCount + 1, of: method, after: error) else {
            var result = result
            result.error = error
            return .end(end(result))
        }
        retryCount += 1
        redirectCount = 0
        bytesReceived = 0
        bytesResumed = 0
        intake.rest()
        expectedLength = nil
        isSatisfied = false
        content = .none
        isHeadHeld = false
        return .retry(Retry(delay: delay, error: error, keepsLength: keepsLength))
    }

    private mutating func end(_ result: OperationResult) -> OperationResult {
        phase = .ended
        content = .none
        intake.rest()
        exchange = nil
        var result = result
        result.metrics = RequestOperation.Metrics(
            duration: startTime.duration(to: .now), timeToFirstByte: timeToFirstByte,
            bytesReceived: bytesReceived - bytesResumed, bytesSent: bytesSent, redirectCount: redirectCount)
        return result
    }

    /// Throws away what has arrived and returns the head that it had.
    private mutating func abandonContent() -> ResponseHead? {
        switch content {
        case .none, .redirect, .startOver: return nil
        case .accepted(let head, let sink):
            sink.abandon()
            return head
        case .rejected(let head, _, _): return head
        case .failed(let head, _): return head
        }
    }

    /// RFC 9112, section 6.3: which responses have no content, whatever their fields say.
    private func contentLength(of head: ResponseHead, to method: String) -> Int64? {
        switch head.statusCode {
        case _ where method == "HEAD": 0
        case 204, 304: 0
        default: head.expectedContentLength
        }
    }
}
