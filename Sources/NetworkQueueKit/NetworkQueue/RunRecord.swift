/// What is kept of a run for its summary, and to run again what has failed.
struct RunRecord: Sendable {
    typealias Summary = NetworkQueue.Summary

    /// A request that did not get through.
    private struct Unfinished: Sendable {
        let blueprint: RequestOperation.Blueprint
        /// Whether it was cancelled because another failed, rather than failed itself.
        let isCancelled: Bool
    }

    var startTime: Duration?
    /// In the order in which they came.
    var failures: [Summary.Failure] = []
    private var unfinished: [Unfinished] = []
    /// Whether these are of a former run, and go when an operation of this one is added.
    private var isUnfinishedFormer = false

    mutating func begin(now: Duration) {
        failures = []
        isUnfinishedFormer = true
        startTime = now
    }

    /// Notes that an operation is added; returns what this makes the record forget, to be released outside the lock.
    mutating func noteAdding() -> (any Sendable)? {
        defer { isUnfinishedFormer = false }
        guard isUnfinishedFormer, !unfinished.isEmpty else { return nil }
        defer { unfinished = [] }
        return unfinished
    }

    /// Notes an operation that has not finished, with what it takes to run it again, unless the user has ended it;
    /// returns whether the body of its failure is to be dropped.
    ///
    /// - Parameter isSwept: whether the failure of another has cancelled it.
    mutating func note(_ result: RequestResult, of operation: RequestOperation, isSwept: Bool) -> Bool {
        let hasFailed = result.outcome == .failed
        // What is awaited has told the task that waits for it.
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

    /// Takes out what is to run again.
    mutating func takeUnfinished(includingCancelled: Bool) -> [RequestOperation.Blueprint] {
        let chosen = unfinished.filter { includingCancelled || !$0.isCancelled }
        unfinished.removeAll { includingCancelled || !$0.isCancelled }
        return chosen.map(\.blueprint)
    }

    /// What has come of the run until now, of which `progress` is a snapshot.
    func summary(of progress: QueueProgress, resumed: Int64, now: Duration) -> Summary {
        Summary(
            counts: progress.counts, failures: failures, duration: startTime.map { now - $0 } ?? .zero,
            bytesReceived: progress.download.transferred - resumed, bytesSent: progress.upload.transferred)
    }
}

/// When a batch has drained, and who waits for that.
struct DrainTracker: Sendable {
    typealias Waiter = @Sendable (NetworkQueue.Summary) -> Void

    /// Operations whose last callback has not returned, and what else keeps the queue from draining.
    private(set) var outstandingCount = 0
    /// Whether the next time that nothing is outstanding is to be told.
    private var owesReport = false
    /// How many drains are being told.
    private var reportCount = 0
    var waiters: [Waiter] = []
    /// The summary of the latest run, if that was begun by an operation being added, and nobody has awaited it.
    var unawaitedSummary: NetworkQueue.Summary?
    var isRunBegunByAdding = false

    /// Whether a drain is to come.
    var isOwed: Bool { outstandingCount > 0 || owesReport }
    /// Whether it has come and is to be told.
    var isDue: Bool { outstandingCount == 0 && owesReport }
    var isBeingTold: Bool { reportCount > 0 }

    mutating func noteAdding() {
        outstandingCount += 1
        owesReport = true
    }

    mutating func noteStart() { owesReport = true }
    mutating func hold() { outstandingCount += 1 }
    mutating func release() { outstandingCount -= 1 }

    /// Notes that a drain is told from now on; returns who waits for it.
    mutating func takeWaiters(for summary: NetworkQueue.Summary) -> [Waiter] {
        owesReport = false
        reportCount += 1
        unawaitedSummary = waiters.isEmpty && isRunBegunByAdding ? summary : nil
        defer { waiters = [] }
        return waiters
    }

    /// Notes that a drain has been told; returns those who came meanwhile, unless there is something else to wait for.
    mutating func noteReport() -> [Waiter] {
        reportCount -= 1
        guard reportCount == 0, !isOwed else { return [] }
        defer { waiters = [] }
        return waiters
    }
}

/// When the progress is told.
struct UpdateSchedule: Sendable {
    var nextTime: Duration?
    var isPosted = false
    var latest: QueueProgress?
}

/// What a request says of its size before it runs. Found out before the queue's lock is taken: it may have to ask the
/// file system, and the request is in most cases not in the processor's cache.
struct BatchExpectation {
    let uploadLength: Int64?
    let downloadLength: Int64?
    /// Whether the request has content, or may have by its method.
    let hasBody: Bool

    init(_ request: NetworkRequest) {
        let (method, hasBody) = (request.method, request.hasBody)
        uploadLength = hasBody ? request.currentBodyLength : 0
        downloadLength = method == "HEAD" ? 0 : request.expectedDownloadSize ?? request.estimatedDownloadSize
        self.hasBody = hasBody || method != "GET"
    }
}
