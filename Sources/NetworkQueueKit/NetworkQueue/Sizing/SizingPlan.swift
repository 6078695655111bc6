import Foundation

/// The groups that are still to be sized, and the probes that are under way.
struct SizingPlan {
    /// Operations that share a size, which is requested once.
    struct Group {
        /// Never empty.
        fileprivate(set) var operations: [RequestOperation]
        /// The number of operations that have not started. At 0 the size is no longer needed.
        fileprivate(set) var waitingCount = 0
        fileprivate(set) var probe: RequestOperation?

        /// The request on which the probe is modeled.
        fileprivate var request: NetworkRequest { operations[0].request }
    }

    /// This many groups are sized in the order in which they start, because what starts first is seen first. The others
    /// are sized from the end: transfers that run meanwhile give their own sizes, and approach from the other side.
    static let orderedCount = 256

    /// The unanswered groups by number.
    private(set) var groups: [Int: Group] = [:]
    private var latestGroup = -1
    private var groupOfOperation: [RequestID: Int] = [:]
    private var groupOfProbe: [RequestID: Int] = [:]
    /// The groups that ``nextGroup(window:)`` has not returned yet.
    private var remaining: ArraySlice<Int> = []
    private var handedOutCount = 0
    private(set) var completedCount = 0
    /// Whether operations may still be added.
    var isOpen: Bool
    /// The number of groups that ``nextGroup(window:)`` has returned and that are not decided yet.
    private var undecidedCount = 0
    /// The URLs whose probes were silent while the transfers waited. This sizing continues beside the transfers; the
    /// next one sends these origins nothing.
    private(set) var silentURLs: [URL] = []
    var barrier = SizingBarrier()
    private(set) var width = SizingWidth()

    /// Groups the operations whose size is worth requesting.
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

    /// The number of unanswered groups.
    var unansweredCount: Int { groups.count }
    /// The number of all groups so far.
    var total: Int { completedCount + groups.count }

    /// Adds an operation as a group of its own if its size is worth requesting; returns whether it is.
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

    /// Notes that the transfers no longer wait.
    mutating func noteLift(now: Duration) {
        silentURLs = barrier.silentProbes(now: now).compactMap { probe in
            groupOfProbe[probe].flatMap { groups[$0]?.request.url }
        }
    }

    // MARK: Sending probes

    /// The next group to size, if there is room for a probe. The caller passes ``probe(for:_:isWanted:isSeen:)`` whether
    /// to send one: finding out may query the file system, which must not happen under a lock.
    mutating func nextGroup(window: Int) -> (index: Int, operations: [RequestOperation])? {
        while groupOfProbe.count + undecidedCount < window, let index = takeNext() {
            // Its operations may have been canceled or started meanwhile.
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

    /// Returns the probe to add for a group, if it is wanted.
    ///
    /// - Parameters:
    ///   - operations: those that ``nextGroup(window:)`` has returned. If it was another plan that did, because a reset
    ///     has come between, nothing happens.
    ///   - isSeen: whether the user's adapters or authenticator will see it.
    mutating func probe(
        for index: Int, _ operations: [RequestOperation], isWanted: Bool, isSeen: Bool
    ) -> RequestOperation? {
        guard groups[index]?.operations.first === operations.first else { return nil }
        undecidedCount -= 1
        guard isWanted, let group = groups[index], group.waitingCount > 0 else {
            complete(index)
            return nil
        }
        return send(SizeAnswer.head(for: group.request), for: index, isSeen: isSeen)
    }

    // MARK: Answers

    /// Handles the end of a probe. Either the group is done, and its operations that wait for the size are returned, or
    /// there is a follow-up probe.
    mutating func take(
        _ answer: SizeAnswer, from probe: RequestOperation, isSeen: Bool
    ) -> (result: (operations: [RequestOperation], completedCount: Int)?, followUp: RequestOperation?) {
        guard let index = groupOfProbe.removeValue(forKey: probe.id), let group = groups[index] else {
            return (nil, nil)
        }
        width.note(answer)
        if answer.isWorthAskingAgain, group.waitingCount > 0 {
            let next = SizeAnswer.range(for: group.request, after: answer.statusCode)
            let followUp = send(next, for: index, isSeen: isSeen)
            if let freshURL = answer.freshURL { followUp.note(freshURL) }
            return (nil, followUp)
        }
        let operations = group.operations.filter { groupOfOperation[$0.id] != nil }
        complete(index)
        return ((operations, completedCount), nil)
    }

    /// Notes that an operation has started or ended. Returns the probe that is no longer needed.
    mutating func forget(_ operation: RequestOperation) -> RequestOperation? {
        guard let index = groupOfOperation.removeValue(forKey: operation.id) else { return nil }
        groups[index]?.waitingCount -= 1
        return groups[index]?.waitingCount == 0 ? groups[index]?.probe : nil
    }

    /// Whether nothing is left to request or to wait for.
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

/// What a size depends on: downloads with equal keys are sized once.
struct SizingKey: Hashable {
    private let url: URL
    private let headers: HTTPHeaders
    private let user: ByteText?
    private let password: ByteText?
    private let adapters: [AnyHashable]
    /// The number of a request with a `freshURL`: such closures cannot be compared.
    private let number: Int?

    /// Fails if the size is not worth requesting: it is known, or a HEAD could not give it.
    ///
    /// - Parameter number: a number unique to the request.
    init?(_ request: NetworkRequest, number: Int) {
        guard Self.isWorthAsking(of: request) else { return nil }
        url = request.url
        headers = request.headers
        user = (request.credential?.user).map { ByteText($0) }
        password = (request.credential?.password).map { ByteText($0) }
        self.number = request.hasFreshURL ? number : nil
        adapters = request.adapters.map { Self.identity(of: $0, number: number) }
    }

    /// Whether the size is unknown and a HEAD may give it.
    static func isWorthAsking(of request: NetworkRequest) -> Bool {
        guard request.expectedDownloadSize == nil, request.body == nil else { return false }
        // A HEAD cannot give the size of a part.
        return request.method == "GET" && !request.hasBody && !request.lacksURL && !request.headers.contains("Range")
    }

    /// Equal adapters change requests in the same way. Adapters that cannot be compared are treated as different.
    private static func identity(of adapter: any RequestAdapter, number: Int) -> AnyHashable {
        if let adapter = adapter as? any Hashable { return AnyHashable(adapter) }
        if type(of: adapter) is AnyClass { return ObjectIdentifier(adapter as AnyObject) }
        return number
    }
}
