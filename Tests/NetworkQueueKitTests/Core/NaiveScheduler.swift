@testable import NetworkQueueKit

/// What `RequestScheduler` is to do, written so that one can see that it is right: one array, searched and sorted.
struct NaiveScheduler {
    struct Item {
        let element: Int
        let host: String?
        let stage: RequestStage
        var priority: RequestPriority
        var state: RequestScheduler<Int>.State
        /// The later it came to its present place, the larger.
        var sequence: Int

        var isWaiting: Bool { if case .waiting = state { true } else { false } }
        var isReturning: Bool { if case .waiting(isReturning: true) = state { true } else { false } }
        var isRunning: Bool { if case .running = state { true } else { false } }
        var isParked: Bool { if case .parked = state { true } else { false } }
    }

    var mode = QueueMode.firstInFirstOut
    var maximumRunning = 0
    var maximumSizing = 0
    var maximumRunningPerHost: Int?
    var isSuspended = false
    var isGated = false
    var blockedHosts: Set<String> = []
    private(set) var items: [Item] = []
    private var lastSequence = 0
    private var inTheWay: Set<Int> = []

    mutating func add(_ element: Int, host: String?, priority: RequestPriority, stage: RequestStage) {
        items.append(
            Item(
                element: element, host: host, stage: stage, priority: priority, state: .waiting(isReturning: false),
                sequence: nextSequence()))
    }

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

    var running: [Int] {
        items.filter(\.isRunning).sorted { $0.sequence < $1.sequence }.map(\.element)
    }

    var waiting: [Int] {
        items.filter(\.isWaiting).sorted(by: startsBefore).map(\.element)
    }

    var parked: [Int] {
        items.filter(\.isParked).sorted { $0.sequence < $1.sequence }.map(\.element)
    }

    /// The first running element of stage `.sizing` that could be called off so that a transfer can start; each once.
    mutating func nextObstructingSizing() -> Int? {
        let waiting = items.filter { $0.isWaiting && $0.stage == .transfer }
        if isSuspended || isGated || isFull(.transfer, limit: maximumRunning) || waiting.contains(where: mayStart) {
            return nil
        }
        let hosts = Set(waiting.compactMap(\.host)).subtracting(blockedHosts)
        let found = running.first { element in
            guard let item = item(element), item.stage == .sizing, !inTheWay.contains(element) else { return false }
            return item.host.map(hosts.contains) == true
        }
        if let found { inTheWay.insert(found) }
        return found
    }

    // MARK: Rules

    private func mayStart(_ item: Item) -> Bool {
        switch item.stage {
        case .transfer, .helping: if isGated || isFull(.transfer, limit: maximumRunning) { return false }
        case .sizing:
            let isLimited = maximumRunning > 0 && maximumSizing > 0
            if isLimited && isFull(.sizing, limit: max(maximumSizing, maximumRunning)) { return false }
        }
        guard let host = item.host else { return true }
        if blockedHosts.contains(host) { return false }
        guard let limit = maximumRunningPerHost, limit > 0 else { return true }
        return items.count { $0.isRunning && $0.host == host } < limit
    }

    private func isFull(_ stage: RequestStage, limit: Int) -> Bool {
        limit > 0 && items.count { $0.isRunning && ($0.stage == .sizing) == (stage == .sizing) } >= limit
    }

    private func startsBefore(_ left: Item, _ right: Item) -> Bool {
        if left.stage != right.stage { return left.stage.rawValue < right.stage.rawValue }
        if left.priority != right.priority, left.stage != .helping { return left.priority > right.priority }
        if left.isReturning != right.isReturning { return left.isReturning }
        if left.isReturning || mode == .lastInFirstOut { return left.sequence > right.sequence }
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
