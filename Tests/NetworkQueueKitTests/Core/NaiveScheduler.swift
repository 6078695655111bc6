@testable import NetworkQueueKit

/// What `RequestScheduler` is to do, written so that one can see that it is right: one array, searched and sorted.
struct NaiveScheduler {
    struct Item {
        let element: Int
        let host: String?
        /// 0 for none.
        let group: UInt32
        let kind: RequestKind
        var priority: RequestPriority
        var state: RequestScheduler<Int>.State
        /// The later it came to its present place, the larger.
        var sequence: Int
        let stage: Int
        var size: Int64?

        var isWaiting: Bool { if case .waiting = state { true } else { false } }
        var isReturning: Bool { if case .waiting(isReturning: true) = state { true } else { false } }
        var isRunning: Bool { if case .running = state { true } else { false } }
        var isParked: Bool { if case .parked = state { true } else { false } }
    }

    var mode = QueueMode.firstInFirstOut {
        didSet {
            // Sizes are kept only as long as they matter.
            if !oldValue.ordersBySize { for index in items.indices { items[index].size = nil } }
        }
    }
    var maximumRunning = 0
    var maximumSizing = 0
    var maximumRunningPerHost: Int?
    var isSuspended = false
    var isGated = false
    var stageBound: Int?
    var groupLimits: [UInt32: Int] = [:]
    var blockedHosts: Set<String> = []
    private(set) var items: [Item] = []
    private var lastSequence = 0
    private var inTheWay: Set<Int> = []

    mutating func add(
        _ element: Int, host: String?, group: UInt32, priority: RequestPriority, kind: RequestKind,
        isParked: Bool = false, stage: Int, size: Int64?
    ) {
        items.append(
            Item(
                element: element, host: host, group: group, kind: kind, priority: priority,
                state: isParked ? .parked : .waiting(isReturning: false), sequence: nextSequence(),
                stage: kind == .transfer ? stage : 0, size: mode.ordersBySize ? size : nil))
    }

    mutating func setSize(_ element: Int, _ size: Int64?) {
        guard mode.ordersBySize, let index = items.firstIndex(where: { $0.element == element }) else { return }
        items[index].size = size
    }

    /// The number of transfers whose stage may not start.
    var closedStageCount: Int { items.count { $0.kind == .transfer && !mayStartStage($0) } }

    mutating func startNext() -> Int? {
        if isSuspended { return nil }
        guard let next = items.filter({ $0.isWaiting && mayStart($0) }).min(by: startsBefore) else { return nil }
        move(next.element, to: .running)
        return next.element
    }

    mutating func finish(_ element: Int) -> Int? {
        guard let item = item(element), !item.isWaiting else { return nil }
        items.removeAll { $0.element == element }
        return element
    }

    mutating func cancel(_ element: Int) -> Cancellation<Int> {
        guard let item = item(element) else { return .unknown }
        if item.isRunning { return .running(element) }
        items.removeAll { $0.element == element }
        return .removed(element)
    }

    mutating func setPriority(_ element: Int, _ priority: RequestPriority) {
        guard let index = items.firstIndex(where: { $0.element == element }) else { return }
        if items[index].priority == priority { return }
        items[index].priority = priority
        if items[index].isWaiting { items[index].sequence = nextSequence() }
    }

    mutating func park(_ element: Int) {
        if let item = item(element), !item.isParked { move(element, to: .parked) }
    }

    mutating func unpark(_ element: Int) {
        if let item = item(element), item.isParked { move(element, to: .waiting(isReturning: true)) }
    }

    mutating func moveToFront(_ element: Int) {
        if let item = item(element), item.isWaiting { move(element, to: .waiting(isReturning: true)) }
    }

    var running: [Int] {
        items.filter(\.isRunning).sorted { $0.sequence < $1.sequence }.map(\.element)
    }

    var waiting: [Int] {
        items.filter(\.isWaiting).sorted(by: startsBefore).map(\.element)
    }

    var parked: [Int] {
        items.filter(\.isParked).sorted { $0.sequence < $1.sequence }.map(\.element)
    }

    /// The first running element of kind `.sizing` that could be called off so that a transfer can start; each once.
    mutating func nextObstructingSizing() -> Int? {
        let waiting = items.filter { $0.isWaiting && $0.kind == .transfer && mayStartStage($0) }
        if isSuspended || isGated || isFull(.transfer, limit: maximumRunning) || waiting.contains(where: mayStart) {
            return nil
        }
        let hosts = Set(waiting.compactMap(\.host)).subtracting(blockedHosts).filter(isFull(host:))
        let groups = Set(waiting.map(\.group)).filter(isFull(group:))
        let found = running.first { element in
            guard let item = item(element), item.kind == .sizing, !inTheWay.contains(element) else { return false }
            return item.host.map(hosts.contains) == true || groups.contains(item.group)
        }
        if let found { inTheWay.insert(found) }
        return found
    }

    // MARK: Rules

    private func mayStart(_ item: Item) -> Bool {
        switch item.kind {
        case .transfer where !mayStartStage(item): return false
        case .transfer, .helping: if isGated || isFull(.transfer, limit: maximumRunning) { return false }
        case .sizing:
            let isLimited = maximumRunning > 0 && maximumSizing > 0
            if isLimited && isFull(.sizing, limit: max(maximumSizing, maximumRunning)) { return false }
        }
        if isFull(group: item.group) { return false }
        guard let host = item.host else { return true }
        return !blockedHosts.contains(host) && !isFull(host: host)
    }

    private func isFull(host: String) -> Bool {
        guard let limit = maximumRunningPerHost, limit > 0 else { return false }
        return items.count { $0.isRunning && $0.host == host } >= limit
    }

    private func isFull(group: UInt32) -> Bool {
        groupLimits[group].map { limit in items.count { $0.isRunning && $0.group == group } >= limit } ?? false
    }

    private func mayStartStage(_ item: Item) -> Bool {
        !items.contains { $0.kind == .transfer && $0.stage < item.stage } && stageBound.map { item.stage <= $0 } ?? true
    }

    private func isFull(_ kind: RequestKind, limit: Int) -> Bool {
        limit > 0 && items.count { $0.isRunning && ($0.kind == .sizing) == (kind == .sizing) } >= limit
    }

    private func startsBefore(_ left: Item, _ right: Item) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if left.stage != right.stage { return left.stage < right.stage }
        if left.priority != right.priority, left.kind != .helping { return left.priority > right.priority }
        if left.isReturning != right.isReturning { return left.isReturning }
        if left.isReturning || mode == .lastInFirstOut { return left.sequence > right.sequence }
        if mode.ordersBySize, left.kind == .transfer, left.size != right.size {
            guard let leftSize = left.size, let rightSize = right.size else { return left.size != nil }
            return mode == .smallestFirst ? leftSize < rightSize : leftSize > rightSize
        }
        return left.sequence < right.sequence
    }

    // MARK: Helpers

    private func item(_ element: Int) -> Item? {
        items.first { $0.element == element }
    }

    private mutating func move(_ element: Int, to state: RequestScheduler<Int>.State) {
        guard let index = items.firstIndex(where: { $0.element == element }) else { return }
        items[index].state = state
        items[index].sequence = nextSequence()
    }

    private mutating func nextSequence() -> Int {
        lastSequence += 1
        return lastSequence
    }
}
