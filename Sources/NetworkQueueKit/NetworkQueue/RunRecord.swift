/// The failures of a run, kept for its summary and for running the requests again.
struct RunRecord: Sendable {
    typealias Summary = NetworkQueue.Summary

    /// A request that failed or was canceled.
    private struct Unfinished: Sendable {
        let blueprint: RequestOperation.Blueprint
        /// Whether it was canceled because another request failed.
        let isCancelled: Bool
    }

    var startTime: Duration?
    /// In the order in which the operations failed.
    private(set) var failures: [Summary.Failure] = []
    var flushFailures: [NetworkError] = []
    private var unfinished: [Unfinished] = []
    /// Whether `unfinished` belongs to an earlier run. It is dropped when an operation of this run is added.
    private var isUnfinishedFormer = false

    mutating func begin(now: Duration) {
        dropFailures()
        isUnfinishedFormer = true
        startTime = now
    }

    mutating func dropFailures() {
        failures = []
        flushFailures = []
    }

    /// Notes that an operation is added. Returns what the record drops, to be released outside the lock.
    mutating func noteAdding() -> (any Sendable)? {
        defer { isUnfinishedFormer = false }
        guard isUnfinishedFormer, !unfinished.isEmpty else { return nil }
        defer { unfinished = [] }
        return unfinished
    }

    /// Records an operation that failed or was canceled. Keeps what a retry needs, unless the user canceled it.
    /// Returns whether to drop the body of its error.
    ///
    /// - Parameter isSwept: whether the failure of another operation canceled it.
    mutating func note(_ result: RequestResult, of operation: RequestOperation, isSwept: Bool) -> Bool {
        let hasFailed = result.outcome == .failed
        // Awaited requests report to their task; `retryFailed()` skips them.
        if hasFailed || isSwept, !operation.queueEntry.isExemptFromDuplicates {
            unfinished.append(Unfinished(blueprint: operation.blueprint, isCancelled: !hasFailed))
        }
        guard hasFailed, var error = operation.error else { return false }
        // A hundred thousand error pages would add up.
        let dropsBody = failures.count >= Summary.maximumPageCount
        if dropsBody { error.response?.data = nil }
        failures.append(Summary.Failure(operation: operation, error: error))
        return dropsBody
    }

    /// Removes and returns the requests to run again.
    mutating func takeUnfinished(includingCancelled: Bool) -> [RequestOperation.Blueprint] {
        let chosen = unfinished.filter { includingCancelled || !$0.isCancelled }
        unfinished.removeAll { includingCancelled || !$0.isCancelled }
        return chosen.map(\.blueprint)
    }

    /// The summary of the run so far.
    func summary(of ledger: ProgressLedger, now: Duration) -> Summary {
        Summary(
            counts: ledger.counts, failures: failures, duration: startTime.map { now - $0 } ?? .zero,
            bytesReceived: ledger.bytesReceived, bytesSent: ledger.bytesSent, flushFailures: flushFailures)
    }
}

/// Tracks when a batch has drained, and which callers wait for that.
struct DrainTracker: Sendable {
    /// A caller that waits for a drain.
    struct Waiter: Sendable {
        /// Whether the summary counts as awaited.
        var takesSummary = true
        let resume: @Sendable (NetworkQueue.Summary) -> Void
    }

    /// The number of operations whose last callback has not returned, plus deferrals of the drain.
    private(set) var outstandingCount = 0
    /// Whether to report a drain the next time that nothing is outstanding.
    private var owesReport = false
    /// The number of drains that are being reported.
    private var reportCount = 0
    var waiters: [Waiter] = []
    /// Callers that have taken the summary of the latest run, and wait until its drain has been reported.
    var takers: [Waiter] = []
    /// The summary of the latest run, if it has ended and nobody has awaited it.
    var unawaitedSummary: NetworkQueue.Summary?

    /// Whether a drain is still to come.
    var isOwed: Bool { outstandingCount > 0 || owesReport }
    /// Whether the drain has come and is to be reported.
    var isDue: Bool { outstandingCount == 0 && owesReport }
    var isBeingTold: Bool { reportCount > 0 }

    mutating func noteAdding() {
        outstandingCount += 1
        owesReport = true
    }

    mutating func noteStart() { owesReport = true }
    mutating func hold() { outstandingCount += 1 }
    mutating func release() { outstandingCount -= 1 }

    /// Notes that a drain is about to be reported. Returns the waiters for it.
    ///
    /// The summary of an empty run, which `go()` begins on a drained queue, does not replace one that nobody has awaited:
    /// whether what was added has ended before `go()` is a matter of luck.
    mutating func takeWaiters(for summary: NetworkQueue.Summary) -> [Waiter] {
        owesReport = false
        reportCount += 1
        if waiters.contains(where: \.takesSummary) {
            unawaitedSummary = nil
        } else if summary.counts.total > 0 || unawaitedSummary == nil {
            unawaitedSummary = summary
        }
        defer { waiters = [] }
        return waiters
    }

    /// Notes that a drain has been reported. Returns the callers that took its summary and, unless another drain is to
    /// come, the waiters that came meanwhile.
    mutating func noteReport() -> [Waiter] {
        reportCount -= 1
        defer { takers = [] }
        guard reportCount == 0, !isOwed else { return takers }
        defer { waiters = [] }
        return takers + waiters
    }
}

/// The schedule of the progress updates.
struct UpdateSchedule: Sendable {
    var nextTime: Duration?
    var isPosted = false
    var latest: QueueProgress?
}

/// The sizes a request declares. Determined outside the queue's lock: this may query the file system, and most requests
/// are cold in cache.
struct BatchExpectation {
    let uploadLength: Int64?
    let downloadLength: Int64?
    /// Whether the request has content, or a method that allows it.
    let hasBody: Bool

    init(_ request: NetworkRequest) {
        let (method, hasBody) = (request.method, request.hasBody)
        uploadLength = hasBody ? request.currentBodyLength : 0
        downloadLength = method == "HEAD" ? 0 : request.expectedDownloadSize ?? request.estimatedDownloadSize
        self.hasBody = hasBody || method != "GET"
    }
}
