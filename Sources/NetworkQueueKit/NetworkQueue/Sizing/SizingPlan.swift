import Foundation

/// What is left to ask for, and what has been asked: what the sizing of a batch decides.
struct SizingPlan {
    /// The operations that have one size, which is asked for once.
    struct Group {
        /// At least one.
        fileprivate(set) var operations: [RequestOperation]
        /// How many of them have not started. At 0 the size is not wanted any more.
        fileprivate(set) var waitingCount = 0
        fileprivate(set) var probe: RequestOperation?

        /// The pattern for the probe.
        fileprivate var request: NetworkRequest { operations[0].request }
    }

    /// So many groups are asked for in the order in which they start, since what starts first is seen first. Those
    /// beyond are asked for from the end: transfers that go on meanwhile tell their own sizes, and come from the other
    /// side.
    static let orderedCount = 256

    /// The groups that are not answered, by their numbers.
    private(set) var groups: [Int: Group] = [:]
    private var latestGroup = -1
    private var groupOfOperation: [RequestID: Int] = [:]
    private var groupOfProbe: [RequestID: Int] = [:]
    /// The groups that have not been handed out by ``nextGroup(window:)``.
    private var remaining: ArraySlice<Int> = []
    private var handedOutCount = 0
    private(set) var completedCount = 0
    /// Whether operations may be added.
    var isOpen: Bool
    /// How many groups have been handed out by ``nextGroup(window:)`` and not come back.
    private var undecidedCount = 0
    /// What was not answered while the transfers waited. This sizing goes on beside them; the next one asks these
    /// origins nothing.
    private(set) var silentURLs: [URL] = []
    var barrier = SizingBarrier()
    private(set) var width = SizingWidth()

    /// Groups those operations whose size is worth asking for.
    init(_ operations: [RequestOperation], isOpen: Bool = false) {
        self.isOpen = isOpen
        var groupOfKey: [SizingKey: Int] = [:]
        for (number, operation) in operations.enumerated() {
            guard let key = SizingKey(operation.request, number: number) else { continue }
            if let group = groupOfKey[key] {
                join(operation, group)
            } else {
                addGroup(of: operation)
                groupOfKey[key] = latestGroup
            }
        }
    }

    /// How many groups are not answered.
    var unansweredCount: Int { groups.count }
    /// How many groups there have been.
    var total: Int { completedCount + groups.count }

    /// Adds an operation with a size of its own, if that is worth asking for; returns whether it is.
    mutating func add(_ operation: RequestOperation) -> Bool {
        guard SizingKey.isWorthAsking(of: operation.request) else { return false }
        addGroup(of: operation)
        return true
    }

    private mutating func addGroup(of operation: RequestOperation) {
        latestGroup += 1
        groups[latestGroup] = Group(operations: [])
        join(operation, latestGroup)
        remaining.append(latestGroup)
        width.noteOrigin(Origin(operation.request.url))
        barrier.total += 1
    }

    private mutating func join(_ operation: RequestOperation, _ group: Int) {
        groups[group]?.operations.append(operation)
        groups[group]?.waitingCount += 1
        groupOfOperation[operation.id] = group
    }

    /// The probes that have not ended.
    var probes: [RequestID: RequestOperation] {
        groupOfProbe.reduce(into: [:]) { $0[$1.key] = groups[$1.value]?.probe }
    }

    /// Notes that the transfers do not wait any more.
    mutating func noteLift(now: Duration) {
        silentURLs = barrier.silentProbes(now: now).compactMap { probe in
            groupOfProbe[probe].flatMap { groups[$0]?.request.url }
        }
    }

    // MARK: Asking

    /// The next group to ask for, if there is room for a probe. ``probe(for:isWanted:isSeen:)`` takes the answer
    /// whether there is to be one: that may need the file system, which is not asked under a lock.
    mutating func nextGroup(window: Int) -> (index: Int, operations: [RequestOperation])? {
        while groupOfProbe.count + undecidedCount < window, let index = takeNext() {
            // Its operations may have been cancelled or have started meanwhile.
            guard let group = groups[index], group.waitingCount > 0 else {
                complete(index)
                continue
            }
            undecidedCount += 1
            return (index, group.operations)
        }
        return nil
    }

    private mutating func takeNext() -> Int? {
        handedOutCount += 1
        return handedOutCount <= Self.orderedCount ? remaining.popFirst() : remaining.popLast()
    }

    /// The probe to add for a group, if it is wanted.
    ///
    /// - Parameter isSeen: whether the user's adapters or authenticator will look at it.
    mutating func probe(for index: Int, isWanted: Bool, isSeen: Bool) -> RequestOperation? {
        undecidedCount -= 1
        guard isWanted, let group = groups[index], group.waitingCount > 0 else {
            complete(index)
            return nil
        }
        return send(SizeAnswer.head(for: group.request), for: index, isSeen: isSeen)
    }

    // MARK: Answers

    /// Notes the end of a probe: either a group is done, or there is another way to ask. The operations are those that
    /// wait for the size.
    mutating func take(
        _ answer: SizeAnswer, from probe: RequestOperation, isSeen: Bool
    ) -> (result: (operations: [RequestOperation], completedCount: Int)?, followUp: RequestOperation?) {
        guard let index = groupOfProbe.removeValue(forKey: probe.id), let group = groups[index] else {
            return (nil, nil)
        }
        width.note(answer)
        if answer.isWorthAskingAgain, group.waitingCount > 0 {
            return (nil, send(SizeAnswer.range(for: group.request), for: index, isSeen: isSeen))
        }
        let operations = group.operations.filter { groupOfOperation[$0.id] != nil }
        complete(index)
        return ((operations, completedCount), nil)
    }

    /// Notes that an operation has started or ended; returns the probe that is not wanted any more.
    mutating func forget(_ operation: RequestOperation) -> RequestOperation? {
        guard let index = groupOfOperation.removeValue(forKey: operation.id) else { return nil }
        groups[index]?.waitingCount -= 1
        return groups[index]?.waitingCount == 0 ? groups[index]?.probe : nil
    }

    /// Whether there is nothing left to ask for, or to wait for.
    var isDone: Bool { !isOpen && remaining.isEmpty && groupOfProbe.isEmpty && undecidedCount == 0 }

    private mutating func send(_ request: NetworkRequest, for index: Int, isSeen: Bool) -> RequestOperation {
        let probe = RequestOperation(isSeen || !request.adapters.isEmpty ? request.withVisibleProbe : request)
        groups[index]?.probe = probe
        groupOfProbe[probe.id] = index
        return probe
    }

    private mutating func complete(_ index: Int) {
        guard let group = groups.removeValue(forKey: index) else { return }
        completedCount += 1
        for operation in group.operations { groupOfOperation[operation.id] = nil }
    }
}

/// What a size depends on: downloads with equal keys are asked for once.
struct SizingKey: Hashable {
    private let url: URL
    private let headers: HTTPHeaders
    private let user: String?
    private let password: String?
    private let adapters: [AnyHashable]

    /// `nil` where the size is not worth asking for: it is known, or a HEAD could not tell it.
    ///
    /// - Parameter number: one of its own for each request.
    init?(_ request: NetworkRequest, number: Int) {
        guard Self.isWorthAsking(of: request) else { return nil }
        url = request.url
        headers = request.headers
        user = request.credential?.user
        password = request.credential?.password
        adapters = request.adapters.map { Self.identity(of: $0, number: number) }
    }

    /// Whether a HEAD may tell a size that is not known.
    static func isWorthAsking(of request: NetworkRequest) -> Bool {
        guard request.expectedDownloadSize == nil, request.body == nil else { return false }
        // Of a part, HEAD cannot tell the size.
        return request.method == "GET" && !request.hasBody && !request.lacksURL && !request.headers.contains("Range")
    }

    /// Equal adapters change requests in the same way. Those that cannot be compared are taken to differ.
    private static func identity(of adapter: any RequestAdapter, number: Int) -> AnyHashable {
        if let adapter = adapter as? any Hashable { return AnyHashable(adapter) }
        if type(of: adapter) is AnyClass { return ObjectIdentifier(adapter as AnyObject) }
        return number
    }
}
