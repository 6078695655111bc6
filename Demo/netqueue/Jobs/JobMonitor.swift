import Dashboard
import Foundation
import NetworkQueueKit

/// Follows the events of a job's queue: it keeps the running transfers for the dashboard and the outcome for the report,
/// and tells the listeners.
final class JobMonitor: NetworkQueueDelegate, QueueMonitor, Sendable {
    private struct State {
        var transfers = RunningTransfers()
        var groups = RunningGroups()
        /// Whether the first transfer has started.
        var hasStarted = false
        var retries: RetryLines
        var report = JobReport()
        /// The files saved under names that servers suggested.
        var suggestedFiles: Set<ByteText> = []
    }

    private let output: CommandOutput
    private let space: DiskSpace?
    private let decoration: RequestDecoration?
    private let items: ItemFeed
    private let interruption: Interruption
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Locked<State>

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - items: The items that the queue is sent. A failure that cancels the rest stops them.
    ///   - decoration: Has the logins for mirrors, proxies and hosts to which redirects lead.
    init(
        output: CommandOutput, items: ItemFeed = ItemFeed([]), interruption: Interruption = Interruption(),
        space: DiskSpace? = nil, decoration: RequestDecoration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.output, self.items, self.interruption) = (output, items, interruption)
        (self.space, self.decoration, self.now) = (space, decoration, now)
        state = Locked(State(retries: RetryLines(limit: output.failures.limit)))
    }

    // MARK: What has become of the transfers

    /// The running transfers, oldest first, with their current progress.
    var activeItems: [ActiveItem] {
        let now = now()
        // Each operation has its own lock, which must not be taken under this one.
        let facts = state.withLock { $0.transfers.operations }.mapValues {
            (progress: $0.progress, moved: $0.bytesMoved, isPaused: $0.status == .paused)
        }
        return state.withLock { $0.transfers.items(facts, now: now) }
    }

    /// The speed of all transfers; `moved` is `nil` while the queue is suspended.
    func bytesPerSecond(moved: Int64?) -> Double? {
        let now = now()
        return state.withLock { $0.transfers.bytesPerSecond(moved: moved, now: now) }
    }

    /// Reasons that delay more than one transfer.
    var remarks: [String] {
        let now = now()
        return state.withLock { $0.transfers.remarks(now: now) }
    }

    /// The groups of the running transfers, with their current progress.
    ///
    /// - Parameter sizes: The numbers of items in the groups.
    func groups(in queue: NetworkQueue, _ sizes: GroupSizes) -> [GroupItem] {
        let speeds = state.withLock { $0.transfers.groups }
        guard !speeds.isEmpty else { return [] }
        // The queue has a lock, which must not be taken under this one.
        let progress = speeds.map { ($0.name, queue.group($0.name).progress, $0.bytesPerSecond) }
        let isAccurate = queue.showsAccurateProgress
        return state.withLock { state in
            let items = progress.map {
                state.groups.item($0, $1, size: sizes[$0], isAccurate: isAccurate, bytesPerSecond: $2)
            }
            return state.groups.sorted(items)
        }
    }

    /// The outcome of the transfers so far, with that of the groups of the job.
    func report(_ sizes: GroupSizes) -> JobReport {
        state.withLock { state in
            var report = state.report
            report.groups = state.groups.report(sizes)
            return report
        }
    }

    /// Prints the numbers of retries that were only counted.
    func tellOfRetries() {
        guard output.display.tellsOfRetries else { return }
        for line in state.withLock({ $0.retries.end() }) { output.log(line) }
    }

    /// Reports an item that will not be sent any more as canceled.
    func tellOfCancelled(_ request: NetworkRequest) { tell(.failed(RequestOperation(request), nil, bytes: 0)) }

    /// Cancels the transfers that have begun and wait: for a retry, for the end of a pause, or for their first turn by a
    /// rate.
    func cancelIdle(in queue: NetworkQueue) {
        let hasRate = queue.requestRate != nil
        for operation in state.withLock({ $0.transfers.operations }).values
        where operation.status != .running || hasRate && operation.attempts == 0 {
            queue.cancel(operation)
        }
    }

    private func tell(_ event: @autoclosure () -> JobEvent) {
        for listener in output.listeners { listener.receive(event()) }
    }

    // MARK: NetworkQueueDelegate

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        let request = operation.request
        let transfer = ActiveTransfer(
            ActiveItem(name: operation.request.itemName, expected: request.expectedDownloadSize),
            tellsOfSilence: queue.maxBytesPerSecond == nil && !request.isReadSlowly, lastStep: request.lastStep,
            now: now())
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            state.transfers.start(operation, transfer)
            if let group = request.group { state.groups.begin(group) }
            return !state.hasStarted
        }
        // Check now: the first update may arrive only after files have been written.
        if isFirst { checkSpace(queue.progress) }
        tell(.started(operation))
    }

    /// Prints a message if the batch does not fit on the disk, as soon as this is known.
    private func checkSpace(_ progress: @autoclosure () -> NetworkQueue.Progress) {
        guard let space, !space.isSettled, let complaint = space.complaint(progress()) else { return }
        output.log(complaint)
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) { checkSpace(progress) }

    /// Answers challenges of origins other than the request's own, whose login is part of the request.
    func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        let (asked, own) = (challenge.url, operation.request.url)
        guard Origin(asked) != Origin(own), !challenge.isProxy, challenge.previousFailureCount == 0,
            let login = decoration?.netrc?.login(for: asked.host() ?? "")
        else { return answer(nil) }
        answer(login.credential)
    }

    func networkQueue(_ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation) {
        tell(.head(head, of: operation))
    }

    func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    ) {
        if interruption.isStopping, operation.status != .running { return queue.cancel(operation) }
        let latest = state.withLock { $0.transfers.latest(operation.id) }
        let delay = latest.delay ?? delay
        let failure = JobFailure(source: operation.request.itemName, error, after: latest.part)
        // The program itself has caused this retry, by making the folder.
        let isForFolder = operation.request.retryDecider is FolderKeeper && delay == .zero
        if output.display.tellsOfRetries, !isForFolder {
            let (url, mirror) = (error.url ?? operation.request.url, operation.mirror(after: failure))
            let isRenewing = operation.isRenewing(after: failure, in: delay)
            let line = state.withLock {
                $0.retries.line(for: failure, at: url, after: delay, turningTo: mirror, isRenewing: isRenewing)
            }
            if let line { output.log(line) }
        }
        tell(.retry(operation, after: delay, because: failure, attempts: error.attempts))
    }

    func networkQueue(
        _ queue: NetworkQueue, groupDidFinish group: NetworkQueue.Group, summary: NetworkQueue.Summary
    ) {
        tell(.groupEnded(group, summary))
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        // A 304 without a kept file answers a condition that the user set (`--header`).
        let response = try? operation.result?.get()
        let wasCurrent = response.map { $0.wasKept || $0.head.statusCode == 304 } ?? false
        _ = items.end(operation.request.itemName)
        let bytes = state.withLock { state in
            let former = state.transfers.end(operation)
            let bytes = former + (operation.metrics?.contentBytes(of: operation.request) ?? 0)
            state.report.bytes = state.report.bytes.addingSaturated(bytes)
            if wasCurrent { state.report.currentCount += 1 }
            if let group = operation.request.group { state.groups.finishItem(of: group, bytes: bytes) }
            if operation.request.usesSuggestedFileName, let file = operation.fileURL {
                state.suggestedFiles.insert(ByteText(file.path(percentEncoded: false)))
            }
            return bytes
        }
        tell(.finished(operation, wasCurrent: wasCurrent, bytes: bytes))
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        // A full standard output is not a full disk.
        let isFull = error.code == .fileSystem && [.ENOSPC, .EDQUOT].contains((error.underlying as? POSIXError)?.code)
        let failure = error.isCancellation ? nil : failure(of: operation, error, in: queue)
        let number = items.end(operation.request.itemName)
        let bytes = state.withLock { state in
            let bytes = state.transfers.end(operation)
            if let number { state.report.unfinished.append(number) }
            state.report.bytes = state.report.bytes.addingSaturated(bytes)
            if isFull { state.report.isDiskFull = true } else if let failure { state.report.failures.append(failure) }
            return bytes
        }
        tell(.failed(operation, failure, bytes: bytes))
        if isFull || failure != nil && queue.cancelsAllOnFailure { items.stop() }
        if isFull {
            // All other transfers would fail for the same reason, one after the other.
            queue.cancelAll()
        } else if let failure, failure.code != .space {
            // A refusal for lack of space concerns all of them, and has been told of.
            output.failures.tell(failure)
        }
    }

    private func failure(of operation: RequestOperation, _ error: NetworkError, in queue: NetworkQueue) -> JobFailure {
        let (part, suggestedFiles) = state.withLock { ($0.transfers.latest(operation.id).part, $0.suggestedFiles) }
        var failure = JobFailure(source: operation.request.itemName, error, after: part)
        // An existing file may be another one of this job.
        if (error.underlying as? POSIXError)?.code == .EEXIST, let file = error.fileURL,
            error.hasSameName
                || operation.request.usesSuggestedFileName
                    && suggestedFiles.contains(ByteText(file.path(percentEncoded: false)))
        {
            failure = .sameName(source: operation.request.itemName, as: file.lastPathComponent)
        }
        failure.answer = operation.answerLine
        failure.explain(
            error, for: operation.request, netrc: decoration?.netrc,
            sendsField: queue.headers.contains("Authorization"), hasProxyLogin: decoration?.hasProxyLogin == true,
            isWithheld: decoration?.withholds(from: error.response?.head.url ?? operation.request.url) == true)
        return failure
    }

    // MARK: QueueMonitor

    func attemptDidStart(in context: AttemptContext) {
        let now = now()
        state.withLock { $0.transfers.beginAttempt(context.operationID, now: now) }
        if context.attempt == 1 { tell(.starting(context.request, id: context.operationID)) }
    }

    func attempt(didReceive head: ResponseHead, in context: AttemptContext) {
        state.withLock { $0.transfers.receive(head, context.operationID) }
    }

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        state.withLock { $0.transfers.endAttempt(with: error, metrics, in: context) }
    }

    func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {
        tell(.redirect(context.request, to: url, after: head))
    }

    func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
        tell(.challenge(challenge, for: context.request))
    }

    // Not the delegate's method, which may be called after the next attempt has started.
    func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {
        let now = now()
        state.withLock { $0.transfers.wait(after: error, for: delay, in: context, now: now) }
    }

    func didHold(host: String, for delay: Duration, in context: AttemptContext) {
        let now = now()
        let line = state.withLock { $0.transfers.hold(host, for: delay, in: context, now: now) }
        if let line, output.display.tellsOfRetries { output.log(line) }
    }
}

extension RequestOperation {
    /// The mirror that the operation has turned to, if the failure was at another URL.
    func mirror(after failure: JobFailure) -> URL? { mirror == failure.url ? nil : mirror }

    /// Whether the operation now asks for a new URL, which it does without a delay.
    func isRenewing(after failure: JobFailure, in delay: Duration) -> Bool {
        request.freshURL != nil && delay == .zero
            && failure.status.map { request.freshURLStatusCodes.contains($0) } == true
    }
}

extension NetworkRequest {
    /// What a download still needs after its last byte. A split one is read from the disk for its checksum.
    fileprivate var lastStep: String? {
        guard body == nil, !isReadSlowly else { return nil }
        if !processors.isEmpty { return "running the command" }
        return expectedChecksum == nil ? "writing to disk" : "checking"
    }

    /// Whether a slow reader of the content may delay the transfer.
    fileprivate var isReadSlowly: Bool { if case .sink = destination { body == nil } else { false } }
}
