import Dispatch
import Foundation

/// Uploads a file by tus. ``TusUpload`` decides what comes next.
extension RequestRun {
    /// Starts an attempt.
    func beginTus() {
        do throws(NetworkError) {
            guard let content = try preparedContent(of: outgoing), let file = body?.file else {
                throw NetworkError(.bodyUnavailable)
            }
            guard upload.tus == nil else {
                upload.tus?.stay(at: current.url)
                return nextTusStep()
            }
            let folder = environment.defaults.stateFolder
            let place = TusPlace(folder, request, file)
            upload.tusPlace = place
            let cleans = environment.tus.takeCleaning(of: folder)
            work(
                { () throws(NetworkError) in
                    if cleans { place.cleanFolder() }
                    return try place.read()
                },
                then: { [self] state in
                    upload.storedState = state
                    upload.tus = TusUpload(
                        length: content.length, pieceLength: environment.defaults.uploadPieceLength, state: state)
                    upload.tus?.stay(at: current.url)
                    nextTusStep()
                })
        } catch {
            fail(AttemptFailure(error: error))
        }
    }

    private func nextTusStep() {
        guard var tus = upload.tus else { return }
        tus.offer = tus.offer ?? environment.tus[current.url]
        let step = tus.next()
        upload.tus = tus
        let now = tus
        guard case .piece(let range) = step, let algorithm = tus.offer?.checksum else { return take(step, of: now) }
        work(
            { [self] () throws(NetworkError) in
                defer { _ = body?.endExchange() }
                return try preparedContent(of: outgoing)?.digest(algorithm, of: range) { !isCancelled }
            },
            then: { [self] digest in
                let text = digest.map { "\(algorithm.tusName) \(Data($0).base64EncodedString())" }
                take(step, of: now, checksum: text)
            })
    }

    private func take(_ step: TusUpload.Step, of tus: TusUpload, checksum: String? = nil) {
        take(.tus(step), outgoing.request(for: step, upload: tus.url, length: tus.length, checksum: checksum))
    }

    /// The content of the current step.
    func contentOfStep() throws(NetworkError) -> (any ExchangeBody)? {
        switch attempt.step {
        // Some servers want a Content-Length.
        case .tus(.create): DataBody(data: Data())
        case .tus(.piece(let range)): try preparedContent(of: outgoing).map { PieceBody(whole: $0, range: range) }
        default: nil
        }
    }

    /// Continues after the response to a step.
    func advanceTus(_ step: TusUpload.Step, _ head: ResponseHead, _ page: Data) {
        guard var tus = upload.tus else { return }
        let outcome = tus.take(head, to: step, endpoint: current.url)
        if case .options = step { environment.tus[current.url] = tus.offer }
        if case .finished = outcome { tus.forget() }
        // A long upload may outlive an authorization more than once.
        if tus.confirmed > upload.tus?.confirmed ?? 0 { hasRefreshed = false }
        _ = tus.show(tus.confirmed)
        upload.tus = tus
        let (length, confirmed) = (tus.length, tus.confirmed)
        keepTusState { [self] in
            switch (outcome, step) {
            case (.goOn, .terminate): fail(upload.pendingFailure ?? AttemptFailure(error: NetworkError(.unknown)))
            case (.goOn, .create), (.goOn, .ask):
                delegate.requestDid(.willSend(length: length, resumed: confirmed))
                nextTusStep()
            case (.goOn, _): nextTusStep()
            case (.finished, _):
                delegate.requestDid(.willSend(length: length, resumed: length))
                endUpload(head)
            case (.reject, _): failUpload(head, page)
            case (.fail(let error), _):
                fail(AttemptFailure(result: RequestResult(head: head, data: page), error: error))
            }
        }
    }

    /// Brings what is kept between runs up to date.
    private func keepTusState(then next: @escaping @Sendable () -> Void) {
        let state = upload.tus?.state
        guard state != upload.storedState, let place = upload.tusPlace else { return next() }
        work(
            { () throws(NetworkError) in try place.write(state) },
            then: { [self] in
                upload.storedState = state
                next()
            })
    }

    /// If the file has changed, ends the upload at the server before the request fails, because nothing can continue
    /// it. Returns whether it does.
    func endsTus(before failure: AttemptFailure) -> Bool {
        guard upload.pendingFailure == nil, failure.error.code == .bodyUnavailable, let file = body?.file,
            (try? BodyFile(file.url)) != file, var tus = upload.tus, let url = tus.url
        else { return false }
        upload.pendingFailure = failure
        tus.forget()
        upload.tus = tus
        let ended = tus
        keepTusState { [self] in
            if ended.offer?.terminates == true { take(.terminate(url), of: ended) } else { fail(failure) }
        }
        return true
    }

    // MARK: The URL of the upload, which is a secret

    /// The endpoint in place of the URL of the upload. In place of a URL at another server to which a redirect has led,
    /// the root of that server: who is asked for credentials must know which one asks.
    func hidden(_ url: URL) -> URL {
        guard attempt.step?.hidesURL == true else { return url }
        guard let origin = Origin(url), origin != Origin(current.url) else { return current.url.withoutUserInformation }
        return URL(string: "/", relativeTo: url)?.absoluteURL.withoutUserInformation ?? url
    }

    /// A head without the URL of the upload.
    func hidden(_ head: ResponseHead) -> ResponseHead {
        guard case .tus? = attempt.step else { return head }
        var head = head
        head.url = hidden(head.url)
        head.headers.removeAll(named: "Location")
        head.headers.removeAll(named: "Content-Location")
        return head
    }

    /// An exchange without the URL of the upload, for logs.
    func hidden(_ exchange: HTTPExchange) -> HTTPExchange {
        guard attempt.step?.hidesURL == true else { return exchange }
        var exchange = exchange
        exchange.url = hidden(exchange.url)
        return exchange
    }

    /// A failure without the URL of the upload.
    func hidden(_ failure: AttemptFailure) -> AttemptFailure {
        var failure = failure
        failure.result.head = failure.result.head.map { hidden($0) }
        return failure
    }

    // MARK: Files

    /// Reads or writes files on a thread of their own.
    private func work<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(NetworkError) -> Answer, then: @escaping @Sendable (Answer) -> Void
    ) {
        pause { step in
            FileSink.queue.async { [self] in
                let answer = Result { () throws(NetworkError) in try body() }
                guard takesAnswer(step) else { return }
                switch answer {
                case .success(let answer): then(answer)
                case .failure(let error): fail(AttemptFailure(error: error))
                }
            }
            return nil
        }
    }
}

extension UploadStep {
    /// Whether the URL of the exchange is a secret.
    var hidesURL: Bool {
        switch self {
        case .tus(.ask), .tus(.piece), .tus(.terminate): true
        case .tus(.options), .tus(.create), .question, .afterRefusal: false
        }
    }
}
