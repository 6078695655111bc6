import LoopbackHTTP
import TestSupport

@testable import NetworkQueueKit

/// Drives a scheduler and the naive model with the same random operations, and compares their answers.
struct SchedulerDriver {
    private typealias Ticket = RequestScheduler<Int>.Ticket

    /// What the last step showed to be wrong.
    private(set) var difference: String?

    private let regime: SchedulerRegime
    private var random: SplitMix64
    private var scheduler: RequestScheduler<Int>
    private var model = NaiveScheduler()
    private var tickets: [(ticket: Ticket, element: Int)] = []
    private var staleTickets: [(ticket: Ticket, element: Int)] = []
    private var lastElement = 0

    init(regime: SchedulerRegime, seed: UInt64) {
        self.regime = regime
        random = SplitMix64(seed: seed)
        let hosts = regime.hosts
        let groups = regime.groups
        scheduler = RequestScheduler(hostOf: { hosts[$0 % hosts.count] }, groupOf: { groups[$0 / 7 % groups.count] })
    }

    /// Returns the name of the operation.
    mutating func step() -> String {
        let choice = Int.random(in: 0..<1000, using: &random)
        let isCrowded = tickets.count > regime.population
        defer { if choice.isMultiple(of: 16) { compareAll() } }
        switch choice {
        case ..<220: return isCrowded ? finish() : add()
        case ..<470: return startNext()
        case ..<600: return finish()
        case ..<680: return cancel()
        case ..<760: return park()
        case ..<850: return unpark()
        case ..<880: return setPriority()
        case ..<930: return regime.modes.contains(where: \.ordersBySize) ? setSize() : moveToFront()
        default: return changeRule(choice)
        }
    }

    // MARK: Operations

    private mutating func add() -> String {
        lastElement += Int.random(in: 1...9, using: &random)
        let priority = randomPriority()
        let kind =
            [RequestKind.transfer, .transfer, .transfer, .sizing, .helping].randomElement(using: &random) ?? .transfer
        let host = regime.hosts[lastElement % regime.hosts.count]
        let group = regime.groups[lastElement / 7 % regime.groups.count]
        let isParked = Int.random(in: 0..<8, using: &random) == 0
        let stage = regime.stages.randomElement(using: &random) ?? 0
        let size = randomSize()
        let ticket = scheduler.add(
            lastElement, priority: priority, kind: kind, isParked: isParked, stage: stage, size: size)
        tickets.append((ticket, lastElement))
        model.add(
            lastElement, host: host, group: group, priority: priority, kind: kind, isParked: isParked, stage: stage,
            size: size)
        return isParked ? "add parked" : "add"
    }

    private mutating func startNext() -> String {
        let next = scheduler.startNext()
        expect(next?.element, model.startNext())
        if let next { expect(next.ticket, tickets.first { $0.element == next.element }?.ticket) }
        return "startNext"
    }

    private mutating func finish() -> String {
        guard let (ticket, element) = randomTicket() else { return "nothing" }
        let result = scheduler.finish(ticket)
        expect(result, model.finish(element))
        if result != nil { retire { $0 == element } }
        return "finish"
    }

    private mutating func cancel() -> String {
        guard let (ticket, element) = randomTicket() else { return "nothing" }
        let result = scheduler.cancel(ticket)
        expect(result, model.cancel(element))
        if case .removed = result { retire { $0 == element } }
        return "cancel"
    }

    private mutating func park() -> String {
        guard let (ticket, element) = randomTicket() else { return "nothing" }
        scheduler.park(ticket)
        model.park(element)
        return "park"
    }

    private mutating func unpark() -> String {
        guard let (ticket, element) = randomTicket() else { return "nothing" }
        scheduler.unpark(ticket)
        model.unpark(element)
        return "unpark"
    }

    private mutating func setPriority() -> String {
        guard let (ticket, element) = randomTicket() else { return "nothing" }
        let priority = randomPriority()
        scheduler.setPriority(ticket, priority)
        model.setPriority(element, priority)
        return "setPriority"
    }

    private mutating func setSize() -> String {
        guard let (ticket, element) = randomTicket() else { return "nothing" }
        let size = randomSize()
        scheduler.setSize(ticket, size)
        model.setSize(element, size)
        return "setSize"
    }

    private mutating func moveToFront() -> String {
        guard let (ticket, element) = randomTicket() else { return "nothing" }
        scheduler.moveToFront(ticket)
        model.moveToFront(element)
        return "moveToFront"
    }

    private mutating func changeRule(_ choice: Int) -> String {
        switch choice % 8 {
        case 0:
            scheduler.mode = regime.modes.randomElement(using: &random) ?? .firstInFirstOut
            model.mode = scheduler.mode
            return "mode"
        case 1 where choice.isMultiple(of: 3):
            scheduler.maximumSizing = Int.random(in: 0...6, using: &random)
            model.maximumSizing = scheduler.maximumSizing
            return "maximumSizing"
        case 1:
            scheduler.maximumRunning = Int.random(in: 0...6, using: &random)
            model.maximumRunning = scheduler.maximumRunning
            return "maximumRunning"
        case 2:
            scheduler.isSuspended = Int.random(in: 0..<4, using: &random) == 0
            model.isSuspended = scheduler.isSuspended
            return "isSuspended"
        case 3 where regime.stages.count > 1 && choice.isMultiple(of: 5):
            scheduler.stageBound = (regime.stages + [nil]).randomElement(using: &random) ?? nil
            model.stageBound = scheduler.stageBound
            return "stageBound"
        case 3:
            scheduler.isGated = Int.random(in: 0..<3, using: &random) == 0
            model.isGated = scheduler.isGated
            return "isGated"
        case 4 where regime.groups.count > 1:
            return setGroupLimit()
        case 4, 5:
            guard regime.limitsHosts else { return "nothing" }
            let limit = Int.random(in: 0...5, using: &random)
            scheduler.maximumRunningPerHost = limit > 3 ? nil : limit
            model.maximumRunningPerHost = limit > 3 ? nil : limit
            return "maximumRunningPerHost"
        default:
            return holdOrReleaseHost()
        }
    }

    private mutating func holdOrReleaseHost() -> String {
        guard regime.holdsHosts, let host = regime.hosts.randomElement(using: &random) ?? nil else { return "nothing" }
        // Often enough no host is blocked, so that this rule too comes into force and goes.
        if Int.random(in: 0..<3, using: &random) == 0 {
            scheduler.holdHost(host)
            model.blockedHosts.insert(host)
            return "holdHost"
        }
        scheduler.releaseHost(host)
        model.blockedHosts.remove(host)
        return "releaseHost"
    }

    private mutating func setGroupLimit() -> String {
        let group = UInt32.random(in: 1...4, using: &random)
        // Often enough no group has a limit, so that this rule too comes into force and goes.
        let limit = Int.random(in: -3...3, using: &random)
        scheduler.setMaximumRunning(limit < 0 ? nil : limit, ofGroup: group)
        model.groupLimits[group] = limit > 0 ? limit : nil
        return "setMaximumRunning(ofGroup:)"
    }

    // MARK: Helpers

    /// Often one of few, so that many are equal.
    private mutating func randomSize() -> Int64? {
        [nil, 0, 1, 2, 3, 1 << 40, Int64.random(in: 0..<1000, using: &random)].randomElement(using: &random) ?? nil
    }

    private mutating func randomPriority() -> RequestPriority {
        RequestPriority.allCases.randomElement(using: &random) ?? .normal
    }

    /// Now and then that of an element that has gone.
    private mutating func randomTicket() -> (ticket: Ticket, element: Int)? {
        let isStale = Int.random(in: 0..<20, using: &random) == 0
        return isStale ? staleTickets.randomElement(using: &random) : tickets.randomElement(using: &random)
    }

    private mutating func retire(_ hasGone: (Int) -> Bool) {
        for gone in tickets where hasGone(gone.element) {
            if staleTickets.count < 50 {
                staleTickets.append(gone)
            } else {
                staleTickets[Int.random(in: 0..<50, using: &random)] = gone
            }
        }
        tickets.removeAll { hasGone($0.element) }
    }

    private mutating func compareAll() {
        let (running, waiting, parked) = (model.running, model.waiting, model.parked)
        expect(scheduler.elementsInOrder, running + waiting + parked)
        expect(scheduler.runningElements, running)
        expect(scheduler.nextObstructingSizing(), model.nextObstructingSizing())
        expect(
            [
                scheduler.runningCount, scheduler.waitingCount, scheduler.parkedCount, scheduler.count,
                scheduler.stages.closedCount,
            ],
            [running.count, waiting.count, parked.count, model.items.count, model.closedStageCount])
        let hosts = Set(model.items.compactMap(\.host)).union(model.blockedHosts)
        expect(
            (tickets + staleTickets).filter { scheduler.contains($0.ticket) }.map(\.element), tickets.map(\.element))
        if scheduler.hosts.count > hosts.count { difference = "\(scheduler.hosts.count) hosts, not \(hosts.count)" }
        let groups = Set(model.items.map(\.group)).union(model.groupLimits.keys).subtracting([0])
        if scheduler.groups.count > groups.count {
            difference = "\(scheduler.groups.count) groups, not \(groups.count)"
        }
    }

    private mutating func expect<Value: Equatable>(_ actual: Value, _ expected: Value) {
        if actual != expected { difference = "\(actual), not \(expected)" }
    }
}
