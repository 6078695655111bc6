import Foundation

/// A download that several exchanges fetch: one of its own at a time, beside those of its helpers.
extension RequestRun {
    /// Goes on after an exchange of its own, or after a wait, where something is missing.
    ///
    /// - Parameters:
    ///   - response: the one that the user has been told of, with the sink for all.
    ///   - error: what the exchange has ended with.
    func goOn(
        _ split: SplitDownload, _ response: (head: ResponseHead, sink: any BodySink), after error: URLError?
    ) {
        noteShares()
        attempt.isSatisfied = false
        attempt.isRejected = false
        attempt.statusCode = response.head.statusCode
        attempt.redirectCount = 0
        let endCount = split.endCount
        if let share = attempt.target.takeShare() {
            let end = split.end(share)
            // What is missing is left to the helpers, as long as there are any.
            guard end == .whole || split.isShared else {
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

    /// Counts what helpers have brought as brought by this attempt.
    func noteShares() {
        if let split = attempt.target.split { attempt.bytesReceived = attempt.bytesResumed + split.bytesReceived }
    }

    /// Waits for the helpers, with the slot in hand. To the machine it is an exchange: cancelling and pausing end it.
    private func wait(
        for split: SplitDownload, _ endCount: Int, _ response: (head: ResponseHead, sink: any BodySink)
    ) {
        attempt.response = .accepted(response.head, response.sink)
        switch handle(.beginExchange) {
        case .send(let number):
            let wait = HelperWait { [self] error in complete(error) }
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
