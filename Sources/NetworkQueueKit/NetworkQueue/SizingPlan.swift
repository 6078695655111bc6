import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is left to ask for, and what has been asked: the decisions of ``Sizing``.
struct SizingPlan {
    /// The operations with one URL, which is asked for once.
    struct Group {
        /// The first of them; its request is the pattern for the probe.
        let pattern: RequestOperation
        var operations: [RequestOperation]
        /// How many of them have not ended. At 0 the size is not wanted any more.
        var liveCount: Int
        var probe: RequestOperation?
        var isDone = false
    }

    var groups: [Group] = []
    var groupOfOperation: [RequestOperation.ID: Int] = [:]
    var groupOfProbe: [RequestOperation.ID: Int] = [:]
    var next = 0
    var completedCount = 0
    /// How many groups have been handed out by ``nextGroup(window:)`` and not come back.
    private var undecidedCount = 0
    /// How many results are on their way to the owner. Probes end on several threads, and the sizing not before the last of them is
    /// known.
    private var unreportedCount = 0
    var isEnding = false
    var timer: (any ScheduledCall)?

    /// Groups those operations whose size is worth asking for.
    init(_ operations: [RequestOperation]) {
        var groupOfURL: [URL: Int] = [:]
        for operation in operations {
            guard let url = Self.urlToSize(for: operation.request) else { continue }
            let index = groupOfURL[url] ?? groups.count
            if index == groups.count {
                groupOfURL[url] = index
                groups.append(Group(pattern: operation, operations: [], liveCount: 0))
            }
            groups[index].operations.append(operation)
            groups[index].liveCount += 1
            groupOfOperation[operation.id] = index
        }
    }

    /// The next group to ask for, if there is room for a probe. ``probe(for:isWanted:isSeen:)`` takes the answer whether there is
    /// to be one: that may need the file system, which is not asked under a lock.
    mutating func nextGroup(window: Int) -> (index: Int, operations: [RequestOperation])? {
        while !isEnding, groupOfProbe.count + undecidedCount < window, next < groups.count {
            let index = next
            next += 1
            // Its operations may have been cancelled meanwhile.
            guard groups[index].liveCount > 0 else {
                complete(index)
                continue
            }
            undecidedCount += 1
            return (index, groups[index].operations)
        }
        return nil
    }

    /// The probe to add for a group, if it is wanted.
    ///
    /// - Parameter isSeen: whether the user's adapters or authenticator will look at it.
    mutating func probe(for index: Int, isWanted: Bool, isSeen: Bool) -> RequestOperation? {
        undecidedCount -= 1
        guard isWanted, !isEnding, groups[index].liveCount > 0 else {
            complete(index)
            return nil
        }
        return send(SizeAnswer.head(for: groups[index].pattern.request), for: index, isSeen: isSeen)
    }

    /// Notes the end of a probe: either a group is done, or there is another way to ask.
    mutating func take(
        _ answer: SizeAnswer, from probe: RequestOperation, isSeen: Bool
    ) -> (result: (operations: [RequestOperation], completedCount: Int)?, followUp: RequestOperation?) {
        guard let index = groupOfProbe.removeValue(forKey: probe.id) else { return (nil, nil) }
        if answer.isWorthAskingAgain, !isEnding, groups[index].liveCount > 0 {
            return (nil, send(SizeAnswer.range(for: groups[index].pattern.request), for: index, isSeen: isSeen))
        }
        let operations = groups[index].operations
        complete(index)
        unreportedCount += 1
        return ((operations, completedCount), nil)
    }

    /// Notes that the owner knows a result of ``take(_:from:isSeen:)``.
    mutating func noteReport() {
        unreportedCount -= 1
    }

    /// Closes the plan when there is nothing left to ask for, to wait for or to report; returns `true` once.
    mutating func closeIfDone() -> Bool {
        guard isEnding || next == groups.count, groupOfProbe.isEmpty, undecidedCount == 0, unreportedCount == 0,
            !groups.isEmpty
        else {
            return false
        }
        timer?.cancel()
        isEnding = true
        // What is kept here must not outlive the sizing.
        groups = []
        groupOfOperation = [:]
        return true
    }

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

    /// The URL of a download whose size is worth asking for.
    private static func urlToSize(for request: NetworkRequest) -> URL? {
        guard request.expectedDownloadSize == nil, request.body == nil else { return nil }
        // Of a part, HEAD cannot tell the size.
        guard request.method == "GET", !request.hasBody, !request.lacksURL, !request.headers.contains("Range")
        else { return nil }
        return request.url
    }
}
