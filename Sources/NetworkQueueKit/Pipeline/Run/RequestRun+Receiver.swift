import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the transport tells of the exchange under way.
extension RequestRun: ExchangeReceiver {
    func exchangeDidSend(totalBytes: Int64) {
        cells.owned.attempt.bytesSent = totalBytes
        delegate.requestDid(.didSend(totalBytes: totalBytes, length: cells.owned.attempt.exchange?.body?.length))
    }

    func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition {
        let storage = environment.defaults.cookieStorage
        let framing = head.headers.framing
        if let fault = head.fault(framing, storesCookies: storage != nil) {
            cells.owned.attempt.response = .failed(head, .badResponse(fault))
            return .stop
        }
        if let storage, head.hasCookies {
            cells.owned.attempt.isStoringCookies = true
            CookieQueues.queue(for: storage).async { storage.storeCookies(from: head) }
        }
        if environment.hasMonitors, !isCancelled { tellMonitors { $0.attempt(didReceive: head, in: $1) } }
        return receive(head, framing)
    }

    func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition {
        receive(body)
    }

    func exchangeDidCollect(_ metrics: ExchangeMetrics) {
        cells.owned.attempt.exchangeMetrics = metrics
    }

    func exchangeDidComplete(error: URLError?) {
        cells.owned.attempt.target.resumer?.end()
        // What follows, be it the next hop or the end of the operation, finds the cookies in their place.
        if cells.owned.attempt.isStoringCookies, let storage = environment.defaults.cookieStorage {
            cells.owned.attempt.isStoringCookies = false
            CookieQueues.queue(for: storage).async { [self] in complete(error) }
        } else {
            complete(error)
        }
    }

    /// Takes the end of an exchange; or, of a response that was put aside, that it is the result after all.
    func complete(_ error: URLError?) {
        // It closes files.
        let bodyError = cells.owned.body?.endExchange()
        switch handle(.exchangeEnded(storesContent: storesContent(after: error))) {
        case .proceed: proceed(error, bodyError: bodyError)
        case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
        default: break
        }
    }
}
