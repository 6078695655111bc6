import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a run makes of the events of its exchange.
extension RunState {
    /// The reaction to a head.
    enum HeadReaction {
        /// The response is the result; this much content follows, where that is known, behind what is there from before.
        /// While there may be another attempt, nobody can say that it is the final response, and its head is held back.
        case accept(Int64?, resumed: Int64, isHeadHeld: Bool)
        /// The response is not the result.
        case skip(ExchangeDisposition)
    }

    /// What follows the end of an exchange.
    enum Next {
        case perform(HTTPExchange)
        indirect case resolve(InterimResponse)
        /// The content is whole; what becomes of it follows with ``RunState/finished(_:_:)``.
        case finish(any BodySink, ResponseHead)
        /// The attempt has failed: that is the end, or there is another.
        indirect case fail(AttemptFailure)
        /// The content is whole and in its place, and somebody wants to work on it.
        case process(OperationResult)
        case end(OperationResult)
    }

    /// How much of a response that is not the result is read, so that its connection can be used again.
    private static var maximumSkippedLength: Int64 { 64 * 1024 }

    /// The same where the request must not be sent again for the rest.
    private static var maximumUnrepeatableLength: Int64 { 16 * 1024 * 1024 }

    /// Whether an exchange has the same effect however often it is made.
    func mayRepeat(_ exchange: HTTPExchange) -> Bool {
        RetryPolicy.idempotentMethods.contains(exchange.method.uppercased())
    }

    /// Takes a head that is not to be relied on: the exchange is stopped, and the attempt fails.
    mutating func refuse(_ head: ResponseHead, _ error: NetworkError) {
        content = .failed(head, error)
    }

    mutating func receive(_ head: ResponseHead) -> HeadReaction {
        guard !isCancelled, let exchange else { return .skip(.stop) }
        let length = contentLength(of: head, to: exchange.method)
        let interim: InterimResponse.Meaning?
        do {
            interim = takesResponseAsItIs ? nil : try interimMeaning(of: head, exchange)
        } catch {
            refuse(head, error)
            return .skip(.stop)
        }
        if let meaning = interim {
            let limit = mayRepeat(exchange) ? Self.maximumSkippedLength : Self.maximumUnrepeatableLength
            content = .interim(
                InterimResponse(head: head, meaning: meaning, kept: ErrorContent(limit: Int(limit))))
            return .skip(length.map { $0 > limit } == true ? .stop : .proceed)
        }
        // RFC 9112, section 6.3: where a length is told that is none, nobody knows where the content ends.
        if length == nil, head.headers.contains("Content-Length"), !head.headers.contains("Transfer-Encoding") {
            refuse(head, .badResponse("Its Content-Length is not a length."))
            return .skip(.stop)
        }
        switch intake.judge(head, of: exchange) {
        case .take:
            break
        case .startOver(let whole):
            content = .startOver(whole, ErrorContent(limit: Int(Self.maximumSkippedLength)))
            return .skip(length.map { $0 > Self.maximumSkippedLength } == true ? .stop : .proceed)
        case .complete:
            isSatisfied = true
        case .refuse(let error):
            content = .failed(head, error)
            return .skip(.stop)
        }
        if let error = validation.rejection(of: intake.representative(of: head)) {
            content = .rejected(head, error, ErrorContent(limit: Int(Self.maximumSkippedLength)))
            isHeadHeld = true
            return .skip(.proceed)
        }
        do {
            let reception = try intake.receive(head, to: exchange.method, expecting: length)
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
        noteFirstByte()
        isHeadHeld = mayRetry
        return .accept(rest, resumed: bytesResumed, isHeadHeld: isHeadHeld)
    }

    private func interimMeaning(
        of head: ResponseHead, _ exchange: HTTPExchange
    ) throws(NetworkError) -> InterimResponse.Meaning? {
        switch head.statusCode {
        case 300..<400:
            return Redirect.target(of: head, for: exchange, policy: environment.settings.redirectPolicy).map {
                .redirect(to: $0)
            }
        case 401:
            return try AuthenticationDemand.strongest(in: head, isProxy: false).map { .demand($0, isProxy: false) }
        case 407 where head.isFromProxy:
            return try AuthenticationDemand.strongest(in: head, isProxy: true).map { .demand($0, isProxy: true) }
        default:
            return nil
        }
    }

    /// Takes content; returns how to go on and whether it belongs to the result.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (ExchangeDisposition, isContent: Bool) {
        guard !isCancelled, !isSatisfied else { return (.stop, false) }
        switch content {
        case .accepted(_, let sink):
            do {
                let disposition = try sink.write(bytes)
                bytesReceived += Int64(bytes.count)
                return (disposition, true)
            } catch {
                sink.discard()
                content = .failed(content.head, error)
                return (.stop, false)
            }
        case .rejected(_, _, let kept):
            return (kept.append(bytes) ? .proceed : .stop, false)
        case .interim(let response):
            return (response.kept.append(bytes) ? .proceed : .stop, false)
        case .startOver(_, let skipped):
            return (skipped.append(bytes) ? .proceed : .stop, false)
        case .none, .failed:
            return (.stop, false)
        }
    }

    mutating func complete(_ error: URLError?, bodyError: NetworkError?) -> Next {
        dropHandle()
        if isCancelled { return .end(end(OperationResult(head: abandonContent(), error: .cancelled))) }
        switch content {
        case .interim(var response):
            response.isWhole = error == nil
            return .resolve(response)
        case .startOver(let whole, _):
            return .perform(whole)
        case .rejected(let head, let rejection, let kept):
            return .fail(AttemptFailure(result: OperationResult(head: head, data: kept.data), error: rejection))
        case .failed(let head, let failure):
            return .fail(AttemptFailure(result: OperationResult(head: head), error: failure))
        case .accepted(let head, let sink):
            guard error == nil || isSatisfied else { fallthrough }
            content = .none
            phase = .finishing
            return .finish(sink, head)
        case .none:
            let hadLength = expectedLength != nil
            return .fail(
                AttemptFailure(
                    result: OperationResult(head: abandonContent()),
                    error: bodyError ?? NetworkError(error ?? URLError(.badServerResponse)), keepsLength: hadLength))
        }
    }

    /// Notes what has become of the whole content.
    mutating func finished(_ head: ResponseHead, _ outcome: Result<DeliveredContent, NetworkError>) -> Next {
        phase = .active
        switch outcome {
        case .success(let place):
            let result = OperationResult(head: head, data: place.data, fileURL: place.fileURL)
            return hasProcessors ? .process(result) : .end(end(result))
        case .failure(let error):
            return .fail(AttemptFailure(result: OperationResult(head: head), error: error))
        }
    }

    /// Throws away what has arrived and returns the head that it had.
    mutating func abandonContent() -> ResponseHead? {
        defer { content = .none }
        if case .accepted(_, let sink) = content { sink.abandon() }
        return content.head
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
