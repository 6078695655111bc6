extension RequestOperation.State {
    /// What an event of the run demands outside the lock.
    struct Demand {
        let handle: QueueHandle?
        /// The process-wide cap, if an operation that is in no queue of this library starts or ceases to run.
        var cap: RequestCap?
        /// Whether to call the progress handlers.
        let mustReport: Bool
        /// Whether the speed is measured.
        let isMetered: Bool
        /// The bytes that the attempt had moved before.
        let formerBytes: Int64
    }

    /// Records an event of the run: status, response and bytes.
    mutating func note(_ event: RequestEvent) -> Demand {
        var demand = Demand(
            handle: home.handle, mustReport: handlers?.mustReport(event) == true,
            isMetered: meter != nil && event.countsBytes, formerBytes: movedBytes)
        switch event {
        case .started, .continued:
            meter?.restart()
            demand.cap = count(true)
            guard !status.isTerminal else { break }
            setStatus(.running)
            attempts = max(attempts, 1)
        case .restarted:
            demand.cap = count(true)
            setStatus(.running)
            attempts += 1
        case .willSend(let length, let resumed):
            // Progress does not go back if the server has dropped an upload that continues.
            let bytes = resumed.map { max($0, sent.isResumed ? sent.bytes : 0) } ?? 0
            sent = RequestOperation.TransferCount(bytes: bytes, total: length, isResumed: resumed != nil)
        case .didSend(let bytes, let length): (sent.bytes, sent.total) = (bytes, length)
        case .didReject(let head): answer = .head(head)
        case .willReceive(let head, let resumed, let length):
            answer = .head(head)
            received = RequestOperation.TransferCount(bytes: resumed, total: length.map { resumed.addingSaturated($0) })
        case .didReceive(let byteCount):
            if !status.isTerminal { received.bytes = received.bytes.addingSaturated(Int64(byteCount)) }
        case .willRetry:
            demand.cap = count(false)
            setStatus(.retrying)
            // The response of the failed attempt is dropped.
            answer = .none
            if !sent.isResumed { sent.bytes = 0 }
            received.bytes = 0
        case .paused, .resumed, .ended: break
        }
        return demand
    }

    /// Counts an operation that is in no queue of this library as running, or as no longer running. It is never
    /// refused, because the user has started it. Returns the cap to tell, unless nothing changes.
    mutating func count(_ isRunning: Bool) -> RequestCap? {
        guard !home.isQueue, isCounted != isRunning else { return nil }
        isCounted = isRunning
        return run?.environment.cap
    }
}

extension RequestEvent {
    var isRetry: Bool { if case .willRetry = self { true } else { false } }

    /// Whether content moves, or is about to move.
    fileprivate var countsBytes: Bool {
        switch self {
        case .willSend, .didSend, .willReceive, .didReceive, .willRetry: true
        default: false
        }
    }

    /// Whether the request starts, or goes on after a pause.
    var isStart: Bool {
        switch self {
        case .started, .continued: true
        default: false
        }
    }
}
