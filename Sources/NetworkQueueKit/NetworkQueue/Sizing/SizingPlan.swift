import Foundation

/// What is left to ask for, and what has been asked: what the sizing of a batch decides.
struct SizingPlan {
    /// The operations that have one size, which is asked for once.
    struct Group {
        /// The first of them; its request is the pattern for the probe.
        let pattern: RequestOperation
        var operations: [RequestOperation]
        /// How many of them have not started. At 0 the size is not wanted any more.
        var waitingCount: Int
        var probe: RequestOperation?
        var isDone = false
    }

    /// So many groups are asked for in the order in which they start, since what starts first is seen first. Those beyond are asked
    /// for from the end: transfers that go on meanwhile tell their own sizes, and come from the other side.
    static let orderedCount = 256

    var groups: [Group] = []
    private var groupOfOperation: [RequestID: Int] = [:]
    private var groupOfProbe: [RequestID: Int] = [:]
    /// The groups that have not been handed out by ``nextGroup(window:)``.
    private var remaining: Range<Int>
    private(set) var completedCount = 0
    /// How many groups have been handed out by ``nextGroup(window:)`` and not come back.
    private var undecidedCount = 0
    /// What was not answered while the transfers waited. This sizing goes on beside them; the next one asks these origins nothing.
    private(set) var silentURLs: [URL] = []
    var barrier: SizingBarrier
    private(set) var width: SizingWidth

    /// Groups those operations whose size is worth asking for.
    init(_ operations: [RequestOperation]) {
        var groupOfKey: [SizingKey: Int] = [:]
        for (number, operation) in operations.enumerated() {
            guard let key = SizingKey(operation.request, number: number) else { continue }
            let index = groupOfKey[key] ?? groups.count
            if index == groups.count {
                groupOfKey[key] = index
                groups.append(Group(pattern: operation, operations: [], waitingCount: 0))
            }
            groups[index].operations.append(operation)
            groups[index].waitingCount += 1
            groupOfOperation[operation.id] = index
        }
        remaining = 0..<groups.count
        let origin = groups.first.flatMap { Origin($0.pattern.request.url) }
        width = SizingWidth(hasOneOrigin: groups.allSatisfy { Origin($0.pattern.request.url) == origin })
        barrier = SizingBarrier(total: groups.count)
    }

    /// How many groups are not answered.
    var unansweredCount: Int { groups.count - completedCount }

    /// The probes that have not ended.
    var probes: [RequestID: RequestOperation] {
        groupOfProbe.reduce(into: [:]) { $0[$1.key] = groups[$1.value].probe }
    }

    /// Notes that the transfers do not wait any more.
    mutating func noteLift(now: Duration) {
        silentURLs = barrier.silentProbes(now: now).compactMap { probe in
            groupOfProbe[probe].map { groups[$0].pattern.request.url }
        }
    }

    // MARK: Asking

    /// The next group to ask for, if there is room for a probe. ``probe(for:isWanted:isSeen:)`` takes the answer whether there is
    /// to be one: that may need the file system, which is not asked under a lock.
    mutating func nextGroup(window: Int) -> (index: Int, operations: [RequestOperation])? {
        while groupOfProbe.count + undecidedCount < window, let index = takeNext() {
            // Its operations may have been cancelled or have started meanwhile.
            guard groups[index].waitingCount > 0 else {
                complete(index)
                continue
            }
            undecidedCount += 1
            return (index, groups[index].operations)
        }
        return nil
    }

    private mutating func takeNext() -> Int? {
        remaining.lowerBound < Self.orderedCount ? remaining.popFirst() : remaining.popLast()
    }

    /// The probe to add for a group, if it is wanted.
    ///
    /// - Parameter isSeen: whether the user's adapters or authenticator will look at it.
    mutating func probe(for index: Int, isWanted: Bool, isSeen: Bool) -> RequestOperation? {
        undecidedCount -= 1
        guard isWanted, groups[index].waitingCount > 0 else {
            complete(index)
            return nil
        }
        return send(SizeAnswer.head(for: groups[index].pattern.request), for: index, isSeen: isSeen)
    }

    // MARK: Answers

    /// Notes the end of a probe: either a group is done, or there is another way to ask. The operations are those that wait for the
    /// size.
    mutating func take(
        _ answer: SizeAnswer, from probe: RequestOperation, isSeen: Bool
    ) -> (result: (operations: [RequestOperation], completedCount: Int)?, followUp: RequestOperation?) {
        guard let index = groupOfProbe.removeValue(forKey: probe.id) else { return (nil, nil) }
        width.note(answer)
        if answer.isWorthAskingAgain, groups[index].waitingCount > 0 {
            return (nil, send(SizeAnswer.range(for: groups[index].pattern.request), for: index, isSeen: isSeen))
        }
        let operations = groups[index].operations.filter { groupOfOperation[$0.id] != nil }
        complete(index)
        return ((operations, completedCount), nil)
    }

    /// Notes that an operation has started or ended; returns the probe that is not wanted any more.
    mutating func forget(_ operation: RequestOperation) -> RequestOperation? {
        guard let index = groupOfOperation.removeValue(forKey: operation.id) else { return nil }
        groups[index].waitingCount -= 1
        return groups[index].waitingCount == 0 ? groups[index].probe : nil
    }

    /// Whether there is nothing left to ask for, or to wait for.
    var isDone: Bool { remaining.isEmpty && groupOfProbe.isEmpty && undecidedCount == 0 }

    private mutating func send(_ request: NetworkRequest, for index: Int, isSeen: Bool) -> RequestOperation {
        let probe = RequestOperation(isSeen || request.hasAdapters ? request.withVisibleProbe : request)
        groups[index].probe = probe
        groupOfProbe[probe.id] = index
        return probe
    }

    private mutating func complete(_ index: Int) {
        guard !groups[index].isDone else { return }
        groups[index].isDone = true
        groups[index].probe = nil
        completedCount += 1
        for operation in groups[index].operations { groupOfOperation[operation.id] = nil }
        groups[index].operations = []
    }
}
