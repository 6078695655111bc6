import Foundation

/// Receives the transport's reports about the current exchange.
extension RequestRun: ExchangeReceiver {
    func exchangeDidSend(totalBytes: Int64) {
        let isMuch = totalBytes > RetryCount.largeSize && attempt.bytesSent <= RetryCount.largeSize
        if isMuch, !environment.outages.isEmpty { noteReach() }
        watchSent(totalBytes)
        attempt.bytesSent = totalBytes
        if case .tus(.piece(let range)) = attempt.step, let length = upload.tus?.length {
            let shown = upload.tus?.show(range.lowerBound.addingSaturated(totalBytes)) ?? totalBytes
            return delegate.requestDid(.didSend(totalBytes: shown, length: length))
        }
        delegate.requestDid(.didSend(totalBytes: totalBytes, length: attempt.exchange?.body?.length))
    }

    func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition {
        let storage = environment.defaults.cookieStorage
        let framing = head.headers.framing
        if !environment.outages.isEmpty { noteReach() }
        if let fault = head.fault(framing, storesCookies: storage != nil) {
            attempt.response = .failed(head, .badResponse(fault))
            return .stop
        }
        if let storage, head.hasCookies {
            attempt.isStoringCookies = true
            CookieQueues.queue(for: storage).async { storage.storeCookies(from: head) }
        }
        attempt.statusCode = head.statusCode
        if environment.hasMonitors, !isCancelled { tellMonitors { $0.attempt(didReceive: hidden(head), in: $1) } }
        if framing.hasQuota { holdHostIfQuotaIsUsedUp(head) }
        if !environment.refusals.isEmpty { noteAcceptance(head) }
        return receive(head, framing)
    }

    func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition {
        receive(body)
    }

    func exchange(didCollect metrics: ExchangeMetrics) {
        attempt.exchangeMetrics = metrics
    }

    func exchangeDidComplete(error: URLError?) {
        resumer?.end()
        // Complete only after the cookies are stored, so that the next hop or the caller finds them.
        if attempt.isStoringCookies, let storage = environment.defaults.cookieStorage {
            attempt.isStoringCookies = false
            CookieQueues.queue(for: storage).async { [self] in complete(error) }
        } else {
            complete(error)
        }
    }

    /// Handles the end of an exchange, or of a put-aside response that has become the result.
    func complete(_ error: URLError?) {
        // Called in any case, because it closes files.
        let bodyError = body?.endExchange()
        let error = judged(error)
        let isCut = error?.code == .cancelled
        let isWhole = storesContent(after: error)
        if isWhole || attempt.target.split == nil { speedWatch?.stop() }
        switch handle(.exchangeEnded(storesContent: isWhole, isCut: isCut)) {
        case .proceed: proceed(error, bodyError: bodyError, isWhole: isWhole)
        case .pause:
            _ = abandonResponse()
            setAside()
        case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
        default: break
        }
    }
}

/// Handles responses.
extension RequestRun {
    /// How many bytes of an intermediate response are drained, so that the connection can be reused.
    private static let maximumSkippedLength = BodyExcerpt.usualLimit
    /// How many bytes of it are kept if the request must not be sent again to fetch the rest.
    private static let maximumUnrepeatableLength = 16 * 1024 * 1024

    // MARK: The head

    func receive(_ head: ResponseHead, _ framing: HTTPHeaders.Framing) -> ExchangeDisposition {
        guard !isCancelled, let exchange = attempt.exchange else { return .stop }
        if authentication.hasUses {
            for use in authentication.uses(acceptedWith: head) {
                environment.credentials.noteAcceptance(of: use)
            }
        }
        let length = contentLength(of: head, framing, to: exchange.method)
        do throws(NetworkError) {
            if !attempt.takesResponseAsItIs, let meaning = try interimMeaning(of: head, exchange) {
                return putAside(head, meaning, length: length, mayRepeat: exchange.isIdempotent)
            }
            if attempt.splitResponse == nil { attempt.timeToFirstByte = elapsed }
            if isUploadAnswer(head, to: exchange) {
                attempt.response = .answered(head, BodyExcerpt(limit: Self.maximumSkippedLength))
                return .proceed
            }
            return try accept(head, framing, to: exchange, length: length)
        } catch {
            attempt.response = .failed(head, error)
            return .stop
        }
    }

    /// Keeps the content of a redirect or challenge, because the response may become the result after all.
    private func putAside(
        _ head: ResponseHead, _ meaning: ProvisionalResponse.Meaning, length: Int64?, mayRepeat: Bool
    ) -> ExchangeDisposition {
        let limit = mayRepeat ? Self.maximumSkippedLength : Self.maximumUnrepeatableLength
        attempt.response = .interim(
            ProvisionalResponse(head: head, meaning: meaning, kept: BodyExcerpt(limit: limit)))
        // If it is the result, it is fetched again as a whole; only the beginning of a rejected one is kept.
        let isFetchedAgain = mayRepeat && validation.rejection(of: head) == nil
        return isFetchedAgain && length.map { $0 > Int64(limit) } == true ? .stop : .proceed
    }

    private func accept(
        _ head: ResponseHead, _ framing: HTTPHeaders.Framing, to exchange: HTTPExchange, length: Int64?
    ) throws(NetworkError) -> ExchangeDisposition {
        // RFC 9112, section 6.3: an invalid Content-Length leaves the end of the content unknown.
        if length == nil, framing.hasContentLength, !framing.hasTransferEncoding {
            throw .badResponse("Content-Length is not a valid number.")
        }
        switch attempt.target.judge(head, of: exchange, for: request) {
        case .take:
            break
        case .startOver(let whole):
            attempt.response = .startOver(whole, BodyExcerpt(limit: Self.maximumSkippedLength))
            return length.map { $0 > Int64(Self.maximumSkippedLength) } == true ? .stop : .proceed
        case .complete:
            attempt.isSatisfied = true
        case .reject(let error):
            return reject(head, error)
        case .refuse(let error):
            throw error
        }
        // The response only shows that the existing file is current. The user's validation does not apply.
        if !attempt.target.isKeeping,
            let error = attempt.target.rejection(of: head, by: validation)
        {
            return reject(head, error)
        }
        if attempt.target.isFollowing, let response = attempt.splitResponse {
            attempt.response = .accepted(response.head, response.sink)
            return .proceed
        }
        var length = length
        do throws(NetworkError) {
            let sink = try attempt.target.open(
                for: head, to: exchange, expecting: length, isCoded: framing.hasContentEncoding, request)
            attempt.response = .accepted(head, sink.sink)
            attempt.splitResponse = sink.isSplit ? (head, sink.sink) : nil
            watchSplit()
            resumer?.noteContent()
            attempt.bytesResumed = sink.offset
            length = sink.rest ?? length
        } catch {
            // The content may explain the mismatch, so it is kept like that of an error page.
            if error.code == .contentMismatch { return reject(head, error) }
            attempt.isRejected = true
            throw error
        }
        // A server that ignores a probe's range sends the whole content, but the head is enough.
        let isEnough = request.isSizeProbe && exchange.method == "GET" && head.statusCode != 206
        if isEnough { attempt.isSatisfied = true }
        let rest = attempt.isSatisfied ? 0 : length
        attempt.bytesReceived = attempt.bytesResumed
        attempt.expectedLength = rest.map { attempt.bytesResumed.addingSaturated($0) }
        delegate.requestDid(.willReceive(head, resumed: attempt.bytesResumed, length: rest))
        attempt.target.split?.askForHelper()
        // A server may announce content that it does not send: rclone and Jetty put the file's length into a 416.
        return isEnough || attempt.isSatisfied && length != 0 ? .stop : .proceed
    }

    /// Fails the attempt and keeps the content like that of an error page.
    private func reject(_ head: ResponseHead, _ error: NetworkError) -> ExchangeDisposition {
        attempt.response = .rejected(head, error, BodyExcerpt(limit: Self.maximumSkippedLength))
        attempt.isRejected = true
        return .proceed
    }

    private func interimMeaning(
        of head: ResponseHead, _ exchange: HTTPExchange
    ) throws(NetworkError) -> ProvisionalResponse.Meaning? {
        switch head.statusCode {
        case 300..<400:
            return Redirect.target(of: head, for: exchange, policy: environment.defaults.redirectPolicy).map {
                .redirect(to: $0)
            }
        case 401:
            if let challenge = try ServerChallenge.strongest(in: head, isProxy: false) {
                return .challenge(challenge, isProxy: false)
            }
            return mayRefresh(after: head) ? .unauthorized : nil
        case 407 where head.isFromProxy:
            return try ServerChallenge.strongest(in: head, isProxy: true).map { .challenge($0, isProxy: true) }
        default:
            return nil
        }
    }

    /// The length of the content. Some responses have none, whatever their fields say (RFC 9112, section 6.3).
    private func contentLength(
        of head: ResponseHead, _ framing: HTTPHeaders.Framing, to method: String
    ) -> Int64? {
        switch head.statusCode {
        case _ where method == "HEAD": 0
        case 204, 304: 0
        case 206: framing.contentLength ?? head.rangeLength
        default: framing.contentLength
        }
    }

    // MARK: The content

    func receive(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition {
        guard !attempt.isSatisfied, !isCancelled else { return .stop }
        switch attempt.response {
        case .accepted(_, let sink):
            let disposition: ExchangeDisposition
            do throws(NetworkError) {
                disposition = try sink.write(bytes)
            } catch {
                // If the disk is full, a later run continues what was written.
                if error.code == .fileSystem { sink.abandon() } else { sink.discard() }
                attempt.response = .failed(attempt.response.head, error)
                return .stop
            }
            attempt.bytesReceived += Int64(bytes.count)
            watchReceived(bytes.count, disposition)
            if attempt.target.isShared {
                // The split download counts the bytes itself, because it may take fewer.
                if case .stop = disposition { attempt.isSatisfied = true }
                return disposition
            }
            delegate.requestDid(.didReceive(byteCount: bytes.count))
            if case .proceed = disposition, resumer?.isHeld == true { return .pause }
            return disposition
        case .rejected(_, _, let kept), .answered(_, let kept): return kept.append(bytes) ? .proceed : .stop
        case .interim(let response): return response.kept.append(bytes) ? .proceed : .stop
        case .startOver(_, let skipped): return skipped.append(bytes) ? .proceed : .stop
        case .none, .failed: return .stop
        }
    }

    /// Abandons the content that has arrived, and returns the head of its response.
    func abandonResponse() -> ResponseHead? {
        defer { attempt.response = .none }
        if case .accepted(_, let sink) = attempt.response { sink.abandon() }
        return attempt.response.head
    }

    // MARK: The end

    /// Whether the exchange has delivered the complete content of the result.
    func storesContent(after error: URLError?) -> Bool {
        guard case .accepted = attempt.response else { return false }
        return attempt.target.split?.isWhole ?? (error == nil || attempt.isSatisfied)
    }

    /// Continues after the end of an exchange.
    ///
    /// - Parameter isWhole: whether the content is complete.
    func proceed(_ error: URLError?, bodyError: NetworkError?, isWhole: Bool) {
        if let split = attempt.target.split, let response = attempt.splitResponse, !isWhole {
            // A failure that helpers can make up for does not count. They may end at any moment.
            let isShared = split.isShared
            if attempt.response.isAccepted || isShared && !attempt.response.isInterim {
                attempt.response = .none
                return goOn(split, isShared: isShared, response, after: error)
            }
        }
        switch attempt.takeResponse() {
        case .interim(var response):
            response.isWhole = error == nil
            resolve(response)
        case .startOver(let whole, _):
            perform(whole)
        case .rejected(let head, let rejection, let kept):
            fail(AttemptFailure(result: RequestResult(head: head, data: kept.data), error: rejection))
        case .answered(let head, let page):
            advanceUpload(head, page)
        case .failed(let head, let failure):
            fail(AttemptFailure(result: RequestResult(head: head), error: failure))
        case .accepted(let head, let sink):
            if isWhole {
                store(sink, head)
            } else {
                sink.abandon()
                failTransfer(error, bodyError, head: head)
            }
        case .none:
            failTransfer(error, bodyError, head: nil)
        }
    }

    /// Fails the attempt because its exchange has broken off.
    func failTransfer(_ error: URLError?, _ bodyError: NetworkError?, head: ResponseHead?) {
        let hadLength = attempt.expectedLength != nil
        fail(
            AttemptFailure(
                result: RequestResult(head: head),
                error: bodyError ?? NetworkError(error ?? URLError(.badServerResponse)), keepsLength: hadLength))
    }

    /// Moves the complete content to its destination. Until it is there, only the user's code can be canceled.
    private func store(_ sink: any BodySink, _ head: ResponseHead) {
        // For a probe only the head counts.
        if head.statusCode == 206, let length = head.rangeLength, !attempt.isSatisfied,
            !request.isSizeProbe, attempt.target.split == nil,
            attempt.bytesReceived - attempt.bytesResumed != length
        {
            sink.discard()
            return didStore(
                .failure(.badResponse("The content does not have the length that Content-Range gives.")), head)
        }
        switch sink.finish() {
        case .done(let outcome): didStore(outcome, head)
        case .pending(let begin): begin { [self] outcome in didStore(outcome, head) }
        case .handover(let begin): awaitDelivery(begin, sink, head)
        }
    }

    private func didStore(_ outcome: SinkCompletion.Outcome, _ head: ResponseHead) {
        switch outcome {
        case .success(let place):
            // If nothing follows, the stored content is the result even after a cancellation.
            guard hasProcessors else { return end(with: RequestResult(head: head, place)) }
            if case .proceed = handle(.stored) { didDeliver(.success(place), head) }
        case .failure(let error):
            if case .proceed = handle(.stored) { didDeliver(.failure(error), head) }
        }
    }

    /// Waits for the user's code to take the content. This may take any time, so a cancellation can end the wait.
    private func awaitDelivery(
        _ begin: (@escaping SinkCompletion.Report) -> Void, _ sink: any BodySink, _ head: ResponseHead
    ) {
        // A cancellation abandons this sink.
        attempt.response = .accepted(head, sink)
        guard case .proceed = handle(.stored) else { return }
        pause { step in
            begin { [self] outcome in
                guard takesAnswer(step) else { return }
                attempt.response = .none
                didDeliver(outcome, head)
            }
            return nil
        }
    }

    /// Continues after the content was moved to its destination, or could not be.
    func didDeliver(_ outcome: SinkCompletion.Outcome, _ head: ResponseHead) {
        switch outcome {
        case .success(let place):
            let result = RequestResult(head: head, place)
            if hasProcessors { process(result) } else { end(with: result) }
        case .failure(let error):
            fail(AttemptFailure(result: RequestResult(head: head), error: error))
        }
    }

    private var hasProcessors: Bool {
        runsUserHooks && (!environment.defaults.processors.isEmpty || !request.processors.isEmpty)
    }
}
