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

    /// Notes an operation that has not finished, with what it takes to run it again, unless the user has ended it; returns whether the body
    /// of its failure is to be dropped.
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
