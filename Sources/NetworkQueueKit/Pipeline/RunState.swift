import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a ``RequestRun`` knows, and its decisions. No callback is made from here.
struct RunState: Sendable {
    /// The reaction to a head.
    enum HeadReaction {
        /// The response is the result; this much content follows, where that is known.
        case accept(Int64?)
        /// The response is not the result.
        case skip(ExchangeDisposition)
    }

    /// What follows the end of an exchange.
    enum Next {
        case perform(HTTPExchange)
        case end(OperationResult)
    }

    /// What the content that arrives is for.
    private enum Content {
        /// No final head yet.
        case none
        /// The response leads elsewhere; its content is skipped.
        case redirect(HTTPExchange)
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
    private(set) var exchange: HTTPExchange?
    private var exchangeNumber = 0
    private var handle: (any ExchangeHandle)?
    private var isCancelled = false
    private var hasEnded = false
    /// Set when the observer has all it wants: the exchange is stopped, and that is no failure.
    var isSatisfied = false
    private var content = Content.none
    private var skippedLength: Int64 = 0
    private(set) var bytesReceived: Int64 = 0
    private(set) var expectedLength: Int64?
    var bytesSent: Int64 = 0
    private let startTime = ContinuousClock.now
    private var timeToFirstByte: Duration?

    init(request: NetworkRequest, validation: ResponseValidation) {
        self.request = request
        self.validation = validation
    }

    // MARK: Start and cancellation

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
        guard number == exchangeNumber, !hasEnded else { return false }
        self.handle = handle
        return isCancelled
    }

    /// Notes a cancellation and returns what to cancel.
    mutating func cancel() -> (any ExchangeHandle)? {
        isCancelled = true
        return handle
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
        if let code = validation.rejection(of: head) {
            content = .rejected(head, code, ErrorContent(limit: Int(Self.maximumSkippedLength)))
            return .skip(.proceed)
        }
        do {
            let sink = try request.destination.makeSink(expecting: length)
            content = .accepted(head, sink)
        } catch {
            content = .failed(head, error)
            return .skip(.stop)
        }
        expectedLength = length
        timeToFirstByte = startTime.duration(to: .now)
        return .accept(length)
    }

    /// Takes content; returns how to go on and whether it belongs to the result.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (ExchangeDisposition, isContent: Bool) {
        guard !isCancelled else { return (.stop, false) }
        switch content {
        case .accepted(let head, let sink):
            do {
                try sink.write(bytes)
            } catch {
                sink.abandon()
                content = .failed(head, error)
                return (.stop, false)
            }
            bytesReceived += Int64(bytes.count)
            return (.proceed, true)
        case .rejected(_, _, let kept):
            return (kept.append(bytes) ? .proceed : .stop, false)
        case .redirect:
            skippedLength += Int64(bytes.count)
            return (skippedLength > Self.maximumSkippedLength ? .stop : .proceed, false)
        case .none, .failed:
            return (.stop, false)
        }
    }

    mutating func complete(_ error: URLError?) -> Next {
        handle = nil
        if isCancelled { return end(OperationResult(head: abandonContent(), error: .cancelled)) }
        switch content {
        case .redirect(let target):
            guard exchangeNumber <= Self.maximumRedirectCount else {
                return end(OperationResult(error: NetworkError(URLError(.httpTooManyRedirects))))
            }
            return .perform(target)
        case .rejected(let head, let code, let kept):
            return end(OperationResult(head: head, data: kept.data, error: NetworkError(code)))
        case .failed(let head, let failure):
            return end(OperationResult(head: head, error: failure))
        case .accepted(let head, let sink):
            guard error == nil || isSatisfied else { fallthrough }
            do {
                let (data, fileURL) = try sink.finish()
                return end(OperationResult(head: head, data: data, fileURL: fileURL))
            } catch {
                return end(OperationResult(head: head, error: error))
            }
        case .none:
            return end(OperationResult(head: abandonContent(), error: NetworkError(error ?? URLError(.badServerResponse))))
        }
    }

    // MARK: Helpers

    private mutating func end(_ result: OperationResult) -> Next {
        hasEnded = true
        content = .none
        exchange = nil
        var result = result
        result.metrics = RequestOperation.Metrics(
            duration: startTime.duration(to: .now), timeToFirstByte: timeToFirstByte, bytesReceived: bytesReceived,
            bytesSent: bytesSent, redirectCount: exchangeNumber - 1)
        return .end(result)
    }

    /// Throws away what has arrived and returns the head that it had.
    private mutating func abandonContent() -> ResponseHead? {
        switch content {
        case .none, .redirect: return nil
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
