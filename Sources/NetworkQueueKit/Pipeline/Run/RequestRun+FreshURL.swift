import Foundation

/// Tracks the URL that replaces a request's own one, which has expired.
struct FreshTurn: Sendable {
    /// How often ``NetworkRequest/freshURL`` is called in a row without a byte in between.
    static let maximumCount = 3

    /// The request to the fresh URL; `nil` while there is none.
    var request: NetworkRequest?
    /// The name of the part, which belongs to the original URL.
    let partName: String?
    /// Why there is no URL, if sizing has asked for one.
    var reason: (any Error)?
    /// The number of calls without a byte in between.
    var count = 0
    /// The bytes that the run had received at the latest call.
    var bytesReceived: Int64 = 0

    /// The name of a part that an exchange may continue.
    var ownPartName: String? { request == nil ? nil : partName }
}

/// Replaces a URL that has expired.
extension RequestRun {
    /// What is known of the attempt that was refused. Not the attempt itself, which would keep its part open.
    private struct Refusal {
        let failure: AttemptFailure
        let expired: URL
        let exchangeMetrics: ExchangeMetrics?
        let redirectCount: Int
        let bytesSent: Int64
        let timeToFirstByte: Duration?
    }

    /// Whether to call ``NetworkRequest/freshURL`` after a failure, before anything else is tried.
    func mayRenewURL(after failure: AttemptFailure, _ pause: RequestedPause?) -> Bool {
        guard request.hasFreshURL, mirrors.request == nil, attempt.target.help == nil,
            // A used-up quota comes back; another URL would use it up, too.
            pause?.isQuotaRefusal != true,
            isRefusal(failure),
            freshURLCount < (request.isSizeProbe ? 1 : FreshTurn.maximumCount)
        else { return false }
        return attempt.target.userSink?.mayStartOver() ?? request.destination.mayStartOver
    }

    private var totalBytesReceived: Int64 { bytesReceivedBefore + attempt.bytesReceived - attempt.bytesResumed }

    /// The number of calls since the latest byte of content.
    private var freshURLCount: Int {
        guard let fresh = mirrors.fresh, totalBytesReceived <= fresh.bytesReceived else { return 0 }
        return fresh.count
    }

    /// Calls ``NetworkRequest/freshURL`` without a slot, and goes on at the URL that it returns.
    func renewURL(after failure: AttemptFailure) {
        guard let freshURL = request.freshURL else { return }
        let error = completed(failure)
        var fresh = mirrors.fresh ?? makeFreshTurn()
        fresh.count = freshURLCount + 1
        fresh.bytesReceived = totalBytesReceived
        mirrors.fresh = fresh
        latestFailure = error
        tellMonitorsOfRetry(after: .zero, because: error)
        let refusal = Refusal(
            failure: failure, expired: current.url, exchangeMetrics: attempt.exchangeMetrics,
            redirectCount: attempt.redirectCount, bytesSent: attempt.bytesSent,
            timeToFirstByte: attempt.timeToFirstByte)
        let wait = RetryWait(delay: .zero, timekeeper: environment.timekeeper) {}
        let event = RequestEvent.willRetry(after: .zero, because: error, keepsLength: failure.keepsLength)
        guard beginWait(wait, next: nil, telling: event) else { return }
        wait.start(
            for: { () -> Result<URL?, any Error> in
                do { return .success(try await freshURL(refusal.expired, error)) } catch { return .failure(error) }
            },
            then: { [self] answer in take(answer, after: refusal) })
    }

    private func take(_ answer: Result<URL?, any Error>, after refusal: Refusal) {
        guard case .proceed = handle(.waitAnswered) else { return }
        var reason: (any Error)?
        do {
            if let url = try answer.get() {
                try turn(toFresh: url, insteadOf: refusal.expired)
                return awaitSlot()
            }
        } catch {
            reason = error
        }
        delegate.requestDidRenew(FreshURLAnswer(url: nil, reason: reason))
        attempt.isRejected = true
        attempt.exchangeMetrics = refusal.exchangeMetrics
        attempt.redirectCount = refusal.redirectCount
        attempt.bytesSent = refusal.bytesSent
        attempt.timeToFirstByte = refusal.timeToFirstByte
        var result = refusal.failure.result
        result.error = refusal.failure.error
        if let reason { result.error?.underlying = reason }
        end(with: result)
    }

    private func awaitSlot() {
        asideTime = environment.now
        switch handle(.needSlot) {
        case .proceed: delegate.requestSlot()
        case .interrupt(let interruption): interrupt(interruption)
        default: break
        }
    }

    /// Starts with the answer that sizing got, or with the URL of the download that this run helps.
    func start(with answer: FreshURLAnswer) {
        var fresh = makeFreshTurn()
        fresh.count = FreshTurn.maximumCount
        fresh.reason = answer.reason
        mirrors.fresh = fresh
        if let url = answer.url { try? turn(toFresh: url, insteadOf: request.url) }
    }

    /// A failure with the reason for which sizing got no fresh URL, if this run would have asked for one.
    func explained(_ failure: AttemptFailure) -> AttemptFailure {
        guard let reason = mirrors.fresh?.reason, mirrors.request == nil, isRefusal(failure) else { return failure }
        var failure = failure
        failure.error.underlying = reason
        return failure
    }

    /// Whether a failure is one after which ``NetworkRequest/freshURL`` is called.
    private func isRefusal(_ failure: AttemptFailure) -> Bool {
        guard attempt.isRejected, let status = failure.result.head?.statusCode else { return false }
        return request.freshURLStatusCodes.contains(status)
            && [.httpStatus(status), .validation].contains(failure.error.code)
    }

    private func makeFreshTurn() -> FreshTurn {
        FreshTurn(partName: attempt.target.partURL ?? (try? HTTPExchange(request))?.url.absoluteString)
    }

    /// Directs all further attempts to a fresh URL. Throws if it cannot be used.
    private func turn(toFresh url: URL, insteadOf expired: URL) throws(NetworkError) {
        let next = request.sent(to: url)
        _ = try HTTPExchange(next)
        if Origin(expired)?.scheme == "https", Origin(url)?.scheme == "http" {
            let fault = [NSLocalizedDescriptionKey: "The fresh URL is not an https URL, as the one before was."]
            throw NetworkError(
                .tlsFailure, underlying: URLError(.appTransportSecurityRequiresSecureConnection, userInfo: fault),
                url: url.withoutUserInformation)
        }
        mirrors.fresh?.request = next
        takeCredentials(for: url)
        delegate.requestDidRenew(FreshURLAnswer(url: url))
    }
}
