import Dashboard
import Foundation
import NetworkQueueKit

/// The queue's delegate and monitor, which collects the items and remarks for the dashboard and the record for the
/// report.
final class JobMonitor: NetworkQueueDelegate, QueueMonitor, Sendable {
    private struct State {
        var transfers: [RequestOperation.ID: (operation: RequestOperation, transfer: ActiveTransfer)] = [:]
        /// The speed of all transfers.
        var meter = SpeedMeter()
        /// The hosts whose waiting requests are held back.
        var holds: [String: HostHold] = [:]
        /// The heads of the latest responses, and the parts received by failed attempts.
        var heads: [RequestOperation.ID: ResponseHead] = [:]
        var ends: [RequestOperation.ID: ReceivedPart] = [:]
        /// The content bytes transferred by failed attempts.
        var bytes: [RequestOperation.ID: Int64] = [:]
        /// The delays before pending retries.
        var delays: [RequestOperation.ID: Duration] = [:]
        /// Whether the first transfer has started.
        var hasStarted = false
        var retries: RetryLines
        var record = JobRecord()
        /// The files saved under names that servers suggested.
        var suggestedFiles: Set<ByteText> = []

        /// Removes the state of a transfer that has ended; a batch may have a million.
        mutating func forget(_ operation: RequestOperation) {
            transfers[operation.id] = nil
            ends[operation.id] = nil
            delays[operation.id] = nil
        }
    }

    private let display: any ProgressDisplay
    private let failures: FailureLines
    private let listeners: [any JobListener]
    private let space: DiskSpace?
    private let netrc: Netrc?
    private let hasProxyLogin: Bool
    private let didEnd: @Sendable (String) -> Int?
    private let willStop: @Sendable () -> Void
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Locked<State>

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - netrc: The logins for mirrors and for hosts to which redirects lead.
    ///   - hasProxyLogin: Whether there are credentials for the proxy.
    ///   - didEnd: Called with the name of a transfer that has ended; returns its number.
    ///   - willStop: Called before a failure cancels the rest.
    init(
        display: any ProgressDisplay, failures: FailureLines, space: DiskSpace?, listeners: [any JobListener],
        netrc: Netrc? = nil, hasProxyLogin: Bool = false,
        didEnd: @escaping @Sendable (String) -> Int? = { _ in nil },
        willStop: @escaping @Sendable () -> Void,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.display = display
        self.failures = failures
        self.listeners = listeners
        self.space = space
        self.netrc = netrc
        self.hasProxyLogin = hasProxyLogin
        self.didEnd = didEnd
        self.willStop = willStop
        self.now = now
        state = Locked(State(retries: RetryLines(limit: failures.limit)))
    }

    /// The running transfers, oldest first, with their current progress.
    var items: [ActiveItem] {
        let now = now()
        // Each operation has its own lock, which must not be taken under this one.
        let facts = state.withLock { $0.transfers.mapValues { $0.operation } }.mapValues {
            (progress: $0.progress, moved: $0.bytesMoved, isPaused: $0.status == .paused)
        }
        return state.withLock { state in
            state.transfers.keys.sorted().compactMap { id in
                guard case (let operation, var transfer)? = state.transfers[id] else { return nil }
                if let (progress, moved, isPaused) = facts[id] {
                    let content = operation.request.body == nil ? progress.download : progress.upload
                    transfer.note(content, moved: moved, isPaused: isPaused, now: now)
                    state.transfers[id] = (operation, transfer)
                }
                return transfer.item(now)
            }
        }
    }

    /// The speed of all transfers, measured like that of each.
    ///
    /// - Parameter moved: The bytes that have crossed the network; `nil` while the queue is suspended.
    func bytesPerSecond(moved: Int64?) -> Double? {
        let now = now()
        return state.withLock { state in
            guard let moved else {
                state.meter = SpeedMeter()
                return nil
            }
            return state.meter.rate(bytes: moved, now: now).flatMap { $0 >= 1 ? $0 : nil }
        }
    }

    /// Reasons that delay more than one transfer.
    var remarks: [String] {
        let now = now()
        return state.withLock { state in
            state.holds = state.holds.filter { $0.value.end > now }
            return state.holds.sorted { $0.key < $1.key }.map { $0.value.text(host: $0.key, now: now) }
        }
    }

    /// Prints the numbers of retries that were only counted.
    func tellOfRetries() {
        guard display.tellsOfRetries else { return }
        for line in state.withLock({ $0.retries.end() }) { log(line) }
    }

    private func log(_ line: String) { display.log(line.withoutControls().fitting(.current)) }

    /// The record of the transfers so far.
    var record: JobRecord { state.withLock { $0.record } }

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        let item = ActiveItem(name: operation.request.tag ?? "", expected: operation.request.expectedDownloadSize)
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            let request = operation.request
            let transfer = ActiveTransfer(
                item, tellsOfSilence: !queue.isSlowed && !request.isReadSlowly,
                lastStep: request.lastStep, now: now())
            state.transfers[operation.id] = (operation, transfer)
            return !state.hasStarted
        }
        // Check now: the first update may arrive only after files have been written.
        if isFirst { checkSpace(queue.progress) }
        for listener in listeners { listener.didStart(operation) }
    }

    /// Prints a message if the batch does not fit on the disk, as soon as this is known.
    private func checkSpace(_ progress: @autoclosure () -> NetworkQueue.Progress) {
        guard let space, !space.isSettled, let complaint = space.complaint(progress()) else { return }
        log(complaint)
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) { checkSpace(progress) }

    /// Answers challenges of origins other than the request's own, whose login is part of the request.
    func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        let (asked, own) = (challenge.url, operation.request.url)
        guard !asked.hasOrigin(of: own), !challenge.isProxy, challenge.previousFailureCount == 0,
            let login = netrc?.login(for: asked.host() ?? "")
        else { return answer(nil) }
        answer(login.credential)
    }

    func networkQueue(
        _ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation
    ) {
        for listener in listeners { listener.didReceiveHead(head, of: operation) }
    }

    func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    ) {
        let (part, delay) = state.withLock { ($0.ends[operation.id], $0.delays[operation.id] ?? delay) }
        let failure = JobFailure(source: operation.request.tag ?? "", error, after: part)
        if display.tellsOfRetries,
            let line = state.withLock({
                $0.retries.line(
                    for: failure, at: error.url ?? operation.request.url, after: delay,
                    turningTo: operation.mirror(after: failure))
            })
        {
            log(line)
        }
        for listener in listeners {
            listener.willRetry(operation, after: delay, because: failure, attempts: error.attempts)
        }
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        let wasCurrent = Self.wasCurrent(operation)
        _ = didEnd(operation.request.tag ?? "")
        let bytes = state.withLock { state in
            state.forget(operation)
            let former = state.bytes.removeValue(forKey: operation.id)
            let bytes = (former ?? 0) + (operation.metrics.map { $0.contentBytes(of: operation.request) } ?? 0)
            state.record.bytes = state.record.bytes.addingSaturated(bytes)
            if wasCurrent { state.record.currentCount += 1 }
            if operation.request.usesSuggestedFileName, let file = operation.fileURL {
                state.suggestedFiles.insert(ByteText(file.path(percentEncoded: false)))
            }
            return bytes
        }
        for listener in listeners { listener.didFinish(operation, wasCurrent: wasCurrent, bytes: bytes) }
    }

    /// Whether the file already existed and is up to date. A 304 without a kept file answers a condition that the user
    /// set (`--header`).
    private static func wasCurrent(_ operation: RequestOperation) -> Bool {
        guard case .success(let response) = operation.result else { return false }
        return response.wasKept || response.head.statusCode == 304
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        let name = operation.request.tag ?? ""
        // A full standard output is not a full disk.
        let isFull =
            error.code == .fileSystem && [.ENOSPC, .EDQUOT].contains((error.underlying as? POSIXError)?.code)
        var failure =
            error.isCancellation
            ? nil
            : nameClash(of: operation, error)
                ?? JobFailure(source: name, error, after: state.withLock { $0.ends[operation.id] })
        failure?.answer = operation.answerLine
        failure?.explain(
            error, for: operation.request, netrc: netrc, sendsField: queue.headers.contains("Authorization"),
            hasProxyLogin: hasProxyLogin)
        let number = didEnd(name)
        let bytes = state.withLock { state in
            state.forget(operation)
            if let number { state.record.unfinished.append(number) }
            let bytes = state.bytes.removeValue(forKey: operation.id) ?? 0
            state.record.bytes = state.record.bytes.addingSaturated(bytes)
            guard let failure else { return bytes }
            if isFull { state.record.isDiskFull = true } else { state.record.failures.append(failure) }
            return bytes
        }
        for listener in listeners { listener.didFail(operation, failure, bytes: bytes) }
        if isFull || failure != nil && queue.cancelsAllOnFailure { willStop() }
        if isFull {
            // All other transfers would fail for the same reason, one after the other.
            queue.cancelAll()
        } else if let failure {
            failures.tell(failure)
        }
    }

    /// The failure of a file whose name another file of this job has; `nil` if the existing file is not from this job.
    private func nameClash(of operation: RequestOperation, _ error: NetworkError) -> JobFailure? {
        guard (error.underlying as? POSIXError)?.code == .EEXIST, let file = error.fileURL,
            error.hasSameName
                || operation.request.usesSuggestedFileName
                    && state.withLock({ $0.suggestedFiles.contains(ByteText(file.path(percentEncoded: false))) })
        else { return nil }
        return .sameName(source: operation.request.tag ?? "", as: file.lastPathComponent)
    }

    /// Reports an item that will not be sent any more as canceled.
    func tellOfCancelled(_ request: NetworkRequest) {
        let operation = RequestOperation(request)
        for listener in listeners { listener.didFail(operation, nil, bytes: 0) }
    }

    // MARK: QueueMonitor

    func attemptDidStart(in context: AttemptContext) {
        state.withLock { $0.transfers[context.operationID]?.transfer.goOn(now: now()) }
        guard context.attempt == 1 else { return }
        for listener in listeners { listener.willStart(context.request, id: context.operationID) }
    }

    func attempt(didReceive head: ResponseHead, in context: AttemptContext) {
        state.withLock { $0.heads[context.operationID] = head }
    }

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        state.withLock { state in
            let head = state.heads.removeValue(forKey: context.operationID)
            // Keep nothing for successes: they are not reported, and a batch may have a million.
            state.ends[context.operationID] =
                error == nil ? nil : head.flatMap { ReceivedPart($0, bytes: metrics.bytesReceived) }
            let bytes = error == nil ? 0 : metrics.contentBytes(of: context.request)
            if bytes > 0 { state.bytes[context.operationID, default: 0] += bytes }
        }
    }

    func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {
        for listener in listeners { listener.willRedirect(context.request, to: url, after: head) }
    }

    func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
        for listener in listeners { listener.didReceive(challenge, for: context.request) }
    }

    // Not the delegate's method, which may be called after the next attempt has started.
    func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {
        let id = context.operationID
        state.withLock { state in
            let now = now()
            // If another request's host asked for a delay, this one waits for that as well.
            let held = (context.mirror ?? context.request.url).host().flatMap { state.holds[$0.lowercased()] }
            let hold = held.map { now.duration(to: $0.end) }
            let delay = max(delay, hold ?? delay)
            let reason = JobFailure(source: "", error, after: state.ends[id]).reason
            state.transfers[id]?.transfer.wait(because: reason, for: delay, now: now)
            state.delays[id] = delay
        }
    }

    func didHold(host: String, for delay: Duration, in context: AttemptContext) {
        let now = now()
        let text = state.withLock { state -> String? in
            let asked = state.heads[context.operationID].flatMap { RetryAfter.delay(in: $0) } ?? delay
            let hold = HostHold(end: now + delay, excess: max(.zero, asked - delay))
            let former = state.holds[host]
            if former.map({ $0.end < hold.end }) ?? true { state.holds[host] = hold }
            return former.map { $0.end >= now } == true ? nil : hold.text(host: host, now: now)
        }
        if let text, display.tellsOfRetries { log(text) }
    }
}

extension RequestOperation {
    /// The mirror that the operation has turned to, if the failure was at another URL.
    func mirror(after failure: JobFailure) -> URL? { mirror == failure.url ? nil : mirror }
}

extension RequestMetrics {
    /// The request's content bytes: for an upload those sent, without the response; otherwise those received.
    fileprivate func contentBytes(of request: NetworkRequest) -> Int64 {
        request.body == nil ? bytesReceived : bytesSent
    }
}

extension URL {
    /// Whether both URLs have the same scheme, host and port, however they are written.
    func hasOrigin(of other: URL) -> Bool { origin == other.origin }

    private var origin: [String?] {
        let scheme = scheme?.lowercased()
        return [scheme, host()?.lowercased(), "\(port ?? (scheme == "https" ? 443 : 80))"]
    }
}

/// The hold of a host that asked the client to wait.
struct HostHold: Sendable {
    let end: ContinuousClock.Instant
    /// The time that the host asked for beyond the end of the hold.
    let excess: Duration

    /// A remark such as `example.com asks for 12 s` or `example.com asks for 1 h 0 min; retrying in 5 min 0 s`.
    func text(host: String, now: ContinuousClock.Instant) -> String {
        let rest = now.duration(to: end)
        let asked = "\(host) asks to wait \(TimeText.countdown(rest + excess))"
        return excess > .zero ? asked + "; retrying in \(TimeText.countdown(rest))" : asked
    }
}

extension NetworkQueue {
    /// Whether the queue's own speed limit may delay transfers.
    fileprivate var isSlowed: Bool { self.maxBytesPerSecond != nil }
}

extension NetworkRequest {
    /// What a download still needs after its last byte. A split one is read from the disk for its checksum.
    fileprivate var lastStep: String? {
        guard body == nil, !isReadSlowly else { return nil }
        return expectedChecksum == nil ? "writing to disk" : "checking"
    }

    /// Whether a slow reader of the content may delay the transfer.
    fileprivate var isReadSlowly: Bool {
        if case .sink = destination { body == nil } else { false }
    }
}
