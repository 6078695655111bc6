import Dashboard
import Foundation
import NetworkQueueKit

/// The queue's delegate and monitor: keeps what the dashboard shows beside the progress, and what the report lists.
final class JobMonitor: NetworkQueueDelegate, QueueMonitor, Sendable {
    private struct State {
        var transfers: [RequestOperation.ID: ActiveTransfer] = [:]
        /// Until when the waiting requests to a host are held back.
        var holds: [String: ContinuousClock.Instant] = [:]
        /// The latest responses, and how far the attempts were that have ended.
        var heads: [RequestOperation.ID: ResponseHead] = [:]
        var ends: [RequestOperation.ID: ReceivedPart] = [:]
        /// How long those wait that are tried again.
        var delays: [RequestOperation.ID: Duration] = [:]
        var record = JobRecord()
        /// The files that have got the names that their servers suggest.
        var suggestedFiles: Set<String> = []
    }

    private let display: any ProgressDisplay
    private let failures: FailureLines
    private let listeners: [any JobListener]
    private let space: DiskSpace?
    private let netrc: Netrc?
    private let willStop: @Sendable () -> Void
    private let state = Locked(State())

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - netrc: answers the hosts that redirects lead to.
    ///   - willStop: called before a failure cancels the rest.
    init(
        display: any ProgressDisplay, failures: FailureLines, space: DiskSpace?, listeners: [any JobListener],
        netrc: Netrc? = nil,
        willStop: @escaping @Sendable () -> Void
    ) {
        self.display = display
        self.failures = failures
        self.listeners = listeners
        self.space = space
        self.netrc = netrc
        self.willStop = willStop
    }

    /// The transfers under way, the oldest first, as they are now.
    var items: [ActiveItem] {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.transfers.keys.sorted().compactMap { state.transfers[$0]?.item(now) }
        }
    }

    /// What holds up more than one transfer.
    var remarks: [String] {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.holds = state.holds.filter { $0.value > now }
            return state.holds.sorted { $0.key < $1.key }.map { Self.remark($0.key, now.duration(to: $0.value)) }
        }
    }

    private static func remark(_ host: String, _ time: Duration) -> String {
        "\(host) asks for \(TimeText.countdown(time))"
    }

    /// What has come of the transfers so far.
    var record: JobRecord { state.withLock { $0.record } }

    /// Follows the bytes of an operation that has not started: of one that runs, the first would have gone by.
    func follow(_ operation: RequestOperation) {
        let id = operation.id
        let note: RequestOperation.ProgressHandler = { [weak self] _, bytes, total in
            self?.state.withLock { $0.transfers[id]?.move(to: bytes, of: total, now: .now) }
        }
        if operation.request.body == nil {
            operation.downloadProgressHandler = note
        } else {
            operation.uploadProgressHandler = note
        }
    }

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        // An update may come when the first files are on the disk.
        checkSpace(queue.progress)
        let item = ActiveItem(name: operation.request.tag ?? "", expected: operation.request.expectedDownloadSize)
        state.withLock { state in
            state.transfers[operation.id] = ActiveTransfer(
                item, tellsOfSilence: !queue.isSlowed && !operation.request.isReadSlowly, now: .now)
        }
        for listener in listeners { listener.didStart(operation) }
    }

    /// Tells where the batch does not fit on the disk, as soon as that is known.
    private func checkSpace(_ progress: @autoclosure () -> NetworkQueue.Progress) {
        guard let space, !space.isSettled, let complaint = space.complaint(progress()) else { return }
        display.log(complaint.withoutControls().fitting(.current))
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) { checkSpace(progress) }

    /// The origin that a request is for has got its login from the request; others get theirs here.
    func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        let (asked, own) = (challenge.url, operation.request.url)
        let isOther = asked.scheme != own.scheme || asked.host() != own.host() || asked.port != own.port
        guard isOther, !challenge.isProxy, challenge.previousFailureCount == 0,
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
        if display.tellsOfRetries {
            let remark = "\(failure.reason); retrying in \(TimeText.delay(delay))"
            display.log("\(failure.source): \(remark)".withoutControls().fitting(.current))
        }
        for listener in listeners {
            listener.willRetry(operation, after: delay, because: failure, attempts: error.attempts)
        }
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        let wasCurrent = Self.wasCurrent(operation)
        state.withLock { state in
            state.transfers[operation.id] = nil
            state.record.bytes += operation.contentBytes ?? 0
            if wasCurrent { state.record.currentCount += 1 }
            if operation.request.usesSuggestedFileName, let file = operation.fileURL {
                state.suggestedFiles.insert(file.path(percentEncoded: false))
            }
        }
        for listener in listeners { listener.didFinish(operation, wasCurrent: wasCurrent) }
    }

    /// Whether the file was there and is what the server has. A 304 without a kept file answers a condition of the
    /// user's (`--header`).
    private static func wasCurrent(_ operation: RequestOperation) -> Bool {
        guard case .success(let response) = operation.result else { return false }
        return response.wasKept || response.head.statusCode == 304
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        let name = operation.request.tag ?? ""
        // The standard output may be full, too, and then no disk is.
        let isFull =
            error.code == .fileSystem && [.ENOSPC, .EDQUOT].contains((error.underlying as? POSIXError)?.code)
        var failure =
            error.isCancellation
            ? nil
            : nameClash(of: operation, error)
                ?? JobFailure(source: name, error, after: state.withLock { $0.ends[operation.id] })
        failure?.answer = operation.answerLine
        state.withLock { state in
            state.transfers[operation.id] = nil
            state.record.unfinished.insert(name)
            state.record.bytes += operation.contentBytes ?? 0
            guard let failure else { return }
            if isFull { state.record.isDiskFull = true } else { state.record.failures.append(failure) }
        }
        for listener in listeners { listener.didFail(operation, failure) }
        if isFull || failure != nil && queue.cancelsAllOnFailure { willStop() }
        if isFull {
            // All others would fail of the same, one after the other.
            queue.cancelAll()
        } else if let failure {
            failures.tell(failure)
        }
    }

    /// The failure of a file whose name is in the way of this job's own; `nil` where it is another's.
    private func nameClash(of operation: RequestOperation, _ error: NetworkError) -> JobFailure? {
        guard operation.request.usesSuggestedFileName, (error.underlying as? POSIXError)?.code == .EEXIST,
            let file = error.fileURL,
            state.withLock({ $0.suggestedFiles.contains(file.path(percentEncoded: false)) })
        else { return nil }
        return .sameName(source: operation.request.tag ?? "", as: file.lastPathComponent)
    }

    // MARK: QueueMonitor

    func attemptDidStart(in context: AttemptContext) {
        state.withLock { $0.transfers[context.operationID]?.goOn(now: .now) }
    }

    func attempt(didReceive head: ResponseHead, in context: AttemptContext) {
        state.withLock { $0.heads[context.operationID] = head }
    }

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        state.withLock { state in
            let head = state.heads.removeValue(forKey: context.operationID)
            // Of a success nothing is told, and a batch may have a million.
            state.ends[context.operationID] =
                error == nil ? nil : head.flatMap { ReceivedPart($0, bytes: metrics.bytesReceived) }
        }
    }

    func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {
        for listener in listeners { listener.willRedirect(context.request, to: url, after: head) }
    }

    func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
        for listener in listeners { listener.didReceive(challenge, for: context.request) }
    }

    // Not the delegate's, which may come when the next attempt has begun.
    func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {
        let id = context.operationID
        state.withLock { state in
            let now = ContinuousClock.now
            // Others of its host have asked for time, and it waits for that as well.
            let hold = context.request.url.host().flatMap { state.holds[$0.lowercased()] }.map { now.duration(to: $0) }
            let delay = max(delay, hold ?? delay)
            let reason = JobFailure(source: "", error, after: state.ends[id]).reason
            state.transfers[id]?.wait(because: reason, for: delay, now: now)
            state.delays[id] = delay
        }
    }

    func didHold(host: String, for delay: Duration, in context: AttemptContext) {
        let end = ContinuousClock.now + delay
        let isNew = state.withLock { state in
            let former = state.holds[host]
            state.holds[host] = max(former ?? end, end)
            return former.map { $0 < .now } ?? true
        }
        guard isNew, display.tellsOfRetries else { return }
        display.log(Self.remark(host, delay).withoutControls().fitting(.current))
    }
}

extension RequestOperation {
    /// The bytes of the content that it is about: what has been sent by an upload, without the answer, and received by
    /// all others.
    var contentBytes: Int64? { metrics.map { request.body == nil ? $0.bytesReceived : $0.bytesSent } }
}

extension NetworkQueue {
    /// Whether it is the queue itself that lets transfers wait.
    fileprivate var isSlowed: Bool { self.maxBytesPerSecond != nil }
}

extension NetworkRequest {
    /// Whether it may be the reader of the content that lets the transfer wait.
    fileprivate var isReadSlowly: Bool {
        if case .sink = destination { body == nil } else { false }
    }
}
