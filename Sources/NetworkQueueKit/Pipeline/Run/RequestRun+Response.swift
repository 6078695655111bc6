import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a run makes of a response.
extension RequestRun {
    /// How much of a response that is not the result is read, so that its connection can be used again.
    private static let maximumSkippedLength = ErrorContent.usualLimit
    /// The same where the request must not be sent again for the rest.
    private static let maximumUnrepeatableLength = 16 * 1024 * 1024

    /// Whether an exchange has the same effect however often it is made.
    func mayRepeat(_ exchange: HTTPExchange) -> Bool {
        RetryPolicy.idempotentMethods.contains(exchange.method.uppercased())
    }

    // MARK: The head

    /// Takes the head of a response.
    func receive(_ head: ResponseHead) -> ExchangeDisposition {
        guard !machine.withLock({ $0.isCancelled }), let exchange = own.value.attempt.exchange else { return .stop }
        if own.value.authentication.hasUses {
            for use in own.value.authentication.uses(acceptedWith: head) {
                environment.authenticator.noteAcceptance(of: use)
            }
        }
        let length = contentLength(of: head, to: exchange.method)
        do throws(NetworkError) {
            if !own.value.attempt.takesResponseAsItIs, let meaning = try interimMeaning(of: head, exchange) {
                return putAside(head, meaning, length: length, mayRepeat: mayRepeat(exchange))
            }
            own.value.attempt.timeToFirstByte = elapsed
            return try accept(head, to: exchange, length: length)
        } catch {
            own.value.attempt.response = .failed(head, error)
            return .stop
        }
    }

    /// Keeps the content of a response that leads elsewhere or asks for credentials, for the case that it is the result after all.
    private func putAside(
        _ head: ResponseHead, _ meaning: InterimResponse.Meaning, length: Int64?, mayRepeat: Bool
    ) -> ExchangeDisposition {
        let limit = mayRepeat ? Self.maximumSkippedLength : Self.maximumUnrepeatableLength
        own.value.attempt.response = .interim(
            InterimResponse(head: head, meaning: meaning, kept: ErrorContent(limit: limit)))
        return length.map { $0 > Int64(limit) } == true ? .stop : .proceed
    }

    private func accept(
        _ head: ResponseHead, to exchange: HTTPExchange, length: Int64?
    ) throws(NetworkError) -> ExchangeDisposition {
        // RFC 9112, section 6.3: where the length that is told is not a length, there is no telling where the content ends.
        if length == nil, head.headers.contains("Content-Length"), !head.headers.contains("Transfer-Encoding") {
            throw .badResponse("Its Content-Length is not a length.")
        }
        switch own.value.attempt.target.judge(head, of: exchange, for: request.destination) {
        case .take:
            break
        case .startOver(let whole):
            own.value.attempt.response = .startOver(whole, ErrorContent(limit: Self.maximumSkippedLength))
            return length.map { $0 > Int64(Self.maximumSkippedLength) } == true ? .stop : .proceed
        case .complete:
            own.value.attempt.isSatisfied = true
        case .refuse(let error):
            throw error
        }
        if let error = validation.rejection(of: own.value.attempt.target.representative(of: head)) {
            own.value.attempt.response = .rejected(head, error, ErrorContent(limit: Self.maximumSkippedLength))
            own.value.attempt.isHeadDeferred = true
            return .proceed
        }
        do throws(NetworkError) {
            let sink = try own.value.attempt.target.open(for: head, to: exchange.method, expecting: length, request)
            own.value.attempt.response = .accepted(head, sink.sink)
            own.value.attempt.bytesResumed = sink.offset
        } catch {
            own.value.attempt.isHeadDeferred = true
            throw error
        }
        // A server that ignores a probe's range sends the whole content; its head has told all.
        let isEnough = request.isSizeProbe && exchange.method == "GET" && head.statusCode != 206
        if isEnough { own.value.attempt.isSatisfied = true }
        let rest = own.value.attempt.isSatisfied ? 0 : length
        own.value.attempt.bytesReceived = own.value.attempt.bytesResumed
        own.value.attempt.expectedLength = rest.map { own.value.attempt.bytesResumed + $0 }
        own.value.attempt.isHeadDeferred = mayRetry
        delegate.requestDid(
            .willReceive(
                head, length: rest, resumed: own.value.attempt.bytesResumed, isFinal: !own.value.attempt.isHeadDeferred)
        )
        return isEnough ? .stop : .proceed
    }

    private func interimMeaning(
        of head: ResponseHead, _ exchange: HTTPExchange
    ) throws(NetworkError) -> InterimResponse.Meaning? {
        switch head.statusCode {
        case 300..<400:
            return Redirect.target(of: head, for: exchange, policy: environment.defaults.redirectPolicy).map {
                .redirect(to: $0)
            }
        case 401:
            return try ServerChallenge.strongest(in: head, isProxy: false).map { .challenge($0, isProxy: false) }
        case 407 where head.isFromProxy:
            return try ServerChallenge.strongest(in: head, isProxy: true).map { .challenge($0, isProxy: true) }
        default:
            return nil
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

    // MARK: The content

    /// Takes content.
    func receive(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition {
        guard !own.value.attempt.isSatisfied, !machine.withLock({ $0.isCancelled }) else { return .stop }
        switch own.value.attempt.response {
        case .accepted(let head, let sink):
            let disposition: ExchangeDisposition
            do throws(NetworkError) {
                disposition = try sink.write(bytes)
            } catch {
                sink.discard()
                own.value.attempt.response = .failed(head, error)
                return .stop
            }
            own.value.attempt.bytesReceived += Int64(bytes.count)
            delegate.requestDid(
                .didReceive(
                    byteCount: bytes.count, total: own.value.attempt.bytesReceived,
                    expected: own.value.attempt.expectedLength))
            return disposition
        case .rejected(_, _, let kept): return kept.append(bytes) ? .proceed : .stop
        case .interim(let response): return response.kept.append(bytes) ? .proceed : .stop
        case .startOver(_, let skipped): return skipped.append(bytes) ? .proceed : .stop
        case .none, .failed: return .stop
        }
    }

    /// Throws away what has arrived and returns the head that it had.
    func abandonResponse() -> ResponseHead? {
        defer { own.value.attempt.response = .none }
        if case .accepted(_, let sink) = own.value.attempt.response { sink.abandon() }
        return own.value.attempt.response.head
    }

    // MARK: The end

    /// Goes on after the end of an exchange.
    func proceed(_ error: URLError?, bodyError: NetworkError?) {
        switch own.value.attempt.response {
        case .interim(var response):
            response.isWhole = error == nil
            resolve(response)
        case .startOver(let whole, _):
            perform(whole)
        case .rejected(let head, let rejection, let kept):
            fail(AttemptFailure(result: RequestResult(head: head, data: kept.data), error: rejection))
        case .failed(let head, let failure):
            fail(AttemptFailure(result: RequestResult(head: head), error: failure))
        case .accepted(let head, let sink):
            guard error == nil || own.value.attempt.isSatisfied else { fallthrough }
            own.value.attempt.response = .none
            store(sink, head)
        case .none:
            let hadLength = own.value.attempt.expectedLength != nil
            fail(
                AttemptFailure(
                    result: RequestResult(head: abandonResponse()),
                    error: bodyError ?? NetworkError(error ?? URLError(.badServerResponse)), keepsLength: hadLength))
        }
    }

    /// Puts the whole content in its place. Nothing can be cancelled meanwhile.
    private func store(_ sink: any BodySink, _ head: ResponseHead) {
        guard case .proceed = machine.withLock({ $0.handle(.beginStoring) }) else { return }
        switch sink.finish() {
        case .done(let outcome): takeStored(outcome, head)
        case .pending(let begin): begin { [self] outcome in takeStored(outcome, head) }
        }
    }

    private func takeStored(_ outcome: Delivery.Outcome, _ head: ResponseHead) {
        guard case .proceed = machine.withLock({ $0.handle(.stored) }) else { return }
        switch outcome {
        case .success(let place):
            let result = RequestResult(head: head, data: place.data, fileURL: place.fileURL)
            if hasProcessors { process(result) } else { end(with: result) }
        case .failure(let error):
            fail(AttemptFailure(result: RequestResult(head: head), error: error))
        }
    }

    private var hasProcessors: Bool {
        runsUserHooks && (!environment.defaults.processors.isEmpty || request.hasProcessors)
    }
}
