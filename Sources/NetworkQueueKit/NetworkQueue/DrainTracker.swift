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
