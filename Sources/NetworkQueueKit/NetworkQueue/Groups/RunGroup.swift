import Foundation

/// A group of a run, shared by the entries of its operations and the handles of the user.
///
/// Unchecked: the lock of the queue guards everything that changes, as in ``GroupAccount``.
final class RunGroup: GroupAccount, @unchecked Sendable {
    typealias Summary = NetworkQueue.Summary

    let name: String
    /// Identifies the group in the scheduler.
    let number: UInt32
    let handle: QueueHandle
    /// Whether a member has not been reported, or was added and the queue has not been started.
    var isInPass = false
    /// The number of members whose last callback has not returned, plus deferrals of the end.
    var outstandingCount = 0
    /// The number of ends that are being reported.
    var reportCount = 0
    var maxConcurrentRequestCount: Int?
    var cancelsAllOnFailure: Bool?
    /// The failures of the pass.
    var failures: [Summary.Failure] = []
    /// When the pass began in a started queue.
    var startTime: Duration?
    var latestSummary: Summary?
    var foundationProgress: Foundation.Progress?
    /// Whether a drain or a reset has ended its time, or its name is not supported.
    var isGone = false

    init(_ name: String, number: UInt32, _ handle: QueueHandle) {
        self.name = name
        self.number = number
        self.handle = handle
    }

    /// The summary of the pass so far.
    ///
    /// - Parameter start: the start of the queue, if the pass began before it.
    func summary(since start: Duration?, now: Duration) -> Summary {
        let (former, counts) = (ledger.former, ledger.counts)
        return Summary(
            counts: counts.without(former.counts), failures: failures,
            duration: (startTime ?? start).map { now - $0 } ?? .zero,
            bytesReceived: ledger.bytesReceived - former.received,
            bytesSent: ledger.bytesSent - former.sent)
    }
}

extension BatchEntry {
    /// The group with all that the batch knows of it.
    var runGroup: RunGroup? { group as? RunGroup }
}

extension QueueProgress.Counts {
    /// The counts without those of former requests, all of which have ended.
    func without(_ former: Self) -> Self {
        .init(
            waiting: waiting, running: running, paused: paused, retrying: retrying,
            finished: finished - former.finished, failed: failed - former.failed,
            cancelled: cancelled - former.cancelled)
    }
}

/// The groups of a run.
struct RunGroups: Sendable {
    /// Those that have members, in the order in which they got their first one.
    private(set) var inOrder: [RunGroup] = []
    private var byName: [ByteText: RunGroup] = [:]
    private var lastNumber: UInt32 = 0

    init() {}

    /// No groups. Their numbers will differ from those of former groups, whose members may still be in the core.
    init(after former: RunGroups) {
        lastNumber = former.lastNumber
    }

    var all: [RunGroup] { Array(byName.values) }

    static func isSupported(_ name: String) -> Bool { (1...255).contains(name.utf8.count) }

    /// Returns the group with a name, which it creates if needed; `nil` if the name is not supported.
    mutating func group(named name: String, _ handle: QueueHandle) -> RunGroup? {
        if let group = byName[ByteText(name)] { return group }
        guard Self.isSupported(name) else { return nil }
        lastNumber += 1
        let group = RunGroup(name, number: lastNumber, handle)
        byName[ByteText(name)] = group
        return group
    }

    /// Notes that a group gets its first member.
    mutating func noteAppearance(of group: RunGroup) { inOrder.append(group) }
}

/// The end of a group's pass.
struct GroupEnd: Sendable {
    let group: RunGroup
    let summary: NetworkQueue.Summary
    let progress: QueueProgress
    /// The object of the pass that has ended.
    let foundationProgress: Foundation.Progress?
}
