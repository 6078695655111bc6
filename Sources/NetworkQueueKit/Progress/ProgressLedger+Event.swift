extension ProgressLedger {
    /// Notes what has happened to a request.
    mutating func note(_ event: RequestEvent, _ account: inout Account) {
        switch event {
        case .started, .restarted: start(&account)
        case .willSend(let length): setUploadSize(length, &account)
        case .didSend(let totalBytes, _): send(totalBytes, &account)
        case .willReceive(_, let resumed, let length):
            receiveHead(contentLength: length, resumedFrom: resumed, &account)
        case .didReceive(let byteCount, _, _): receive(Int64(byteCount), &account)
        case .didReject: break
        case .willRetry(_, _, let keepsLength): failAttempt(keepingSize: keepsLength, &account)
        case .ended(let result): end(result.outcome, resumed: result.bytesResumed, &account)
        }
    }
}
