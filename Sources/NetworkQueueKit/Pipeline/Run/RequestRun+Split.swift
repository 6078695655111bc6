import Foundation

/// Runs a download that several exchanges fetch: its own, one at a time, and those of its helpers.
extension RequestRun {
    /// Continues an incomplete download after an exchange of its own or a wait.
    ///
    /// - Parameters:
    ///   - isShared: whether helpers were active at the end of the exchange.
    ///   - response: the response that the user knows, with the sink for the whole content.
    ///   - error: the error with which the exchange ended.
    func goOn(
        _ split: SplitDownload, isShared: Bool, _ response: (head: ResponseHead, sink: any BodySink),
        after error: URLError?
    ) {
        if wasTooSlow {
            response.sink.abandon()
            return failTransfer(URLError(.timedOut), nil, head: response.head)
        }
        attempt.isSatisfied = false
        attempt.isRejected = false
        attempt.statusCode = response.head.statusCode
        attempt.redirectCount = 0
        let endCount = split.endCount
        if let share = attempt.target.takeShare() {
            let end = split.end(share, isRanged: attempt.exchange?.headers.contains("Range") == true)
            attempt.target.rangeYield = split.rangeYield
            // An answer that ends properly before its range does is no failure, but three without progress are.
            let isAnswer = error == nil && split.rangeYield.brokenCount < RangeYield.maximumBrokenCount
            // Helpers, if there are any, fetch what is missing. Without room on the disk, `next()` tells the error.
            guard end == .whole || isShared || isAnswer || split.hasFailed else {
                response.sink.abandon()
                return failTransfer(error, nil, head: response.head)
            }
            if end == .refused { return wait(for: split, endCount, response) }
        }
        switch split.next() {
        case .fetch(let share):
            if let exchange = attempt.firstExchange { perform(attempt.target.follow(share, after: exchange)) }
        case .wait(let endCount): wait(for: split, endCount, response)
        case .fail(let error):
            response.sink.abandon()
            fail(AttemptFailure(result: RequestResult(head: response.head), error: error))
        }
    }

    /// Adds what helpers have received to the bytes of this attempt.
    func noteShares() {
        if let split = attempt.target.split { attempt.bytesReceived = attempt.bytesResumed + split.bytesReceived }
    }

    /// Waits for the helpers and keeps the slot. The machine sees an exchange, which a cancellation or a pause ends.
    private func wait(
        for split: SplitDownload, _ endCount: Int, _ response: (head: ResponseHead, sink: any BodySink)
    ) {
        attempt.response = .accepted(response.head, response.sink)
        switch handle(.beginExchange) {
        case .send(let number):
            let wait = ExchangeStandIn { [self] error in complete(error) }
            split.start(wait, endCount: endCount)
            if case .cancel(let handle) = handle(.exchangeStarted(number: number, wait)) { handle.cancel() }
        case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
        case .pause:
            _ = abandonResponse()
            setAside()
        default: break
        }
    }
}
