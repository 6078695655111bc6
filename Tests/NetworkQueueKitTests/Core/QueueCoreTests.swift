import Testing

@testable import NetworkQueueKit

struct QueueCoreTests {
    /// An element called `a1`, whose host is the letter.
    private final class Item: QueueElement {
        let id: String
        var queueEntry = QueueEntry()
        let equivalenceHash: UInt32

        init(_ id: String, hash: UInt32 = 0) {
            self.id = id
            equivalenceHash = hash
        }
    }

    private var core = Self.makeCore()

    private static func makeCore(_ cap: RequestCap = RequestCap(measure: { (1 << 20, 0) })) -> QueueCore<Item> {
        QueueCore(cap: cap) { String($0.id.prefix(1)) }
    }

    private static func start(_ core: inout QueueCore<Item>, at now: Duration = .zero) -> [String] {
        core.effects(now: now).map { effect in
            switch effect {
            case .start(let item): "start \(item.id)"
            case .cancel(let item): "cancel \(item.id)"
            }
        }
    }

    @discardableResult
    private static func add(_ ids: [String], to core: inout QueueCore<Item>, stage: RequestStage = .transfer) -> [Item]
    {
        let items = ids.map { Item($0) }
        for item in items { _ = core.add(item, priority: .normal, stage: stage, now: .zero) }
        return items
    }

    private mutating func start(at now: Duration = .zero) -> [String] { Self.start(&core, at: now) }

    // MARK: The life of an element

    @Test mutating func `An element that is removed frees its slot, whether it runs or is parked`() {
        core.scheduler.maximumRunning = 1
        let items = Self.add(["a1", "a2", "a3"], to: &core)
        #expect(start() == ["start a1"])
        core.park(items[0], for: .waiting)
        #expect(start() == ["start a2"])
        core.remove(items[0])
        #expect(!core.contains(items[0]) && start() == [])
        core.remove(items[1])
        #expect(start() == ["start a3"] && core.isRunning(items[2]))
    }

    @Test mutating func `An element that was added as parked starts once it is unparked`() {
        let item = Item("a1")
        _ = core.add(item, priority: .normal, isParked: true, now: .zero)
        #expect(start() == [] && core.contains(item))
        core.unpark(item, from: .waiting)
        #expect(start() == ["start a1"])
    }

    @Test mutating func `An element that is set aside for two reasons starts when neither is left`() {
        let item = Self.add(["a1"], to: &core)[0]
        core.park(item, for: .paused)
        core.park(item, for: .waiting)
        core.park(item, for: .paused)
        #expect(start() == [] && core.pausedCount == 1)
        core.unpark(item, from: .paused)
        #expect(start() == [] && core.pausedCount == 0)
        core.unpark(item, from: .waiting)
        #expect(start() == ["start a1"])
        core.park(item, for: .paused)
        core.remove(item)
        #expect(core.pausedCount == 0)
    }

    @Test mutating func `An element that is not in the core is ignored`() {
        let stranger = Item("a1")
        core.remove(stranger)
        core.park(stranger, for: .waiting)
        core.unpark(stranger, from: .waiting)
        core.setPriority(of: stranger, to: .high)
        #expect(!core.contains(stranger) && !core.isRunning(stranger) && start() == [])
    }

    @Test mutating func `The waiting elements come in the order of their start, the parked ones behind them`() {
        core.scheduler.maximumRunning = 1
        let items = Self.add(["a1", "a2", "a3", "a4"], to: &core)
        _ = start()
        core.park(items[0], for: .waiting)
        _ = start()
        core.setPriority(of: items[3], to: .high)
        #expect(core.waitingElements.map(\.id) == ["a4", "a3", "a1"])
    }

    // MARK: Hosts

    @Test mutating func `A held host starts nothing until its hold has ended, others do`() {
        core.hold("a", until: .seconds(5))
        Self.add(["a1", "b1"], to: &core)
        #expect(start() == ["start b1"] && core.wakeTime == .seconds(5))
        core.wake(now: .seconds(4))
        #expect(start() == [] && core.wakeTime == .seconds(5))
        core.wake(now: .seconds(5))
        #expect(start() == ["start a1"] && core.wakeTime == nil)
    }

    @Test(arguments: [[3, 8], [8, 3], [8, 8]])
    mutating func `The longest hold of a host counts`(ends: [Int]) {
        for end in ends { core.hold("a", until: .seconds(end)) }
        Self.add(["a1"], to: &core)
        core.wake(now: .seconds(7))
        #expect(start() == [] && core.wakeTime == .seconds(8))
        core.wake(now: .seconds(8))
        #expect(start() == ["start a1"])
    }

    @Test mutating func `The core wakes for the hold that ends first`() {
        core.hold("a", until: .seconds(9))
        core.hold("b", until: .seconds(4))
        Self.add(["a1", "b1"], to: &core)
        #expect(core.wakeTime == .seconds(4))
        core.wake(now: .seconds(4))
        #expect(start() == ["start b1"] && core.wakeTime == .seconds(9))
    }

    @Test mutating func `All holds can be ended at once`() {
        core.hold("a", until: .seconds(9))
        core.hold("b", until: .seconds(4))
        Self.add(["a1", "b1"], to: &core)
        core.endAllHolds()
        #expect(core.wakeTime == nil && start() == ["start a1", "start b1"])
    }

    // MARK: Duplicates

    @Test mutating func `An element finds those with its hash, but only while duplicates are looked for`() {
        func found(_ id: String, _ hash: UInt32, _ core: inout QueueCore<Item>) -> Set<String> {
            Set(core.add(Item(id, hash: hash), priority: .normal, now: .zero).map(\.id))
        }
        #expect(found("a1", 1, &core) == [] && found("a2", 1, &core) == [])
        core.looksForDuplicates = true
        #expect(core.looksForDuplicates)
        #expect(found("a3", 1, &core) == ["a1", "a2"] && found("a4", 2, &core) == [])
        core.looksForDuplicates = false
        #expect(found("a5", 1, &core) == [])
    }

    @Test mutating func `An element that has been removed, or is a probe, is no duplicate`() {
        core.looksForDuplicates = true
        let item = Self.add(["a1"], to: &core)[0]
        Self.add(["a2"], to: &core, stage: .sizing)
        core.remove(item)
        #expect(core.add(Item("a3"), priority: .normal, now: .zero).isEmpty)
        #expect(core.add(Item("a4"), priority: .normal, stage: .sizing, now: .zero).isEmpty)
        #expect(core.add(Item("a5"), priority: .normal, hash: 7, now: .zero).isEmpty)
        #expect(core.add(Item("a6"), priority: .normal, now: .zero).map(\.id) == ["a3"])
    }

    // MARK: Probes

    @Test mutating func `A probe that keeps a transfer from its host is canceled, once`() {
        core.scheduler.maximumRunning = 2
        core.scheduler.maximumRunningPerHost = 1
        let probes = Self.add(["a1", "b1"], to: &core, stage: .sizing)
        #expect(start() == ["start a1", "start b1"])
        let transfer = Self.add(["a2"], to: &core)[0]
        #expect(start() == ["cancel a1"] && start() == [])
        core.remove(probes[0])
        #expect(start() == ["start a2"] && core.isRunning(transfer) && core.isRunning(probes[1]))
    }

    @Test mutating func `A probe is not canceled for a transfer that could not start anyway`() {
        core.scheduler.maximumRunningPerHost = 1
        Self.add(["a1"], to: &core, stage: .sizing)
        _ = start()
        core.scheduler.isGated = true
        Self.add(["a2"], to: &core)
        #expect(start() == [])
        core.scheduler.isGated = false
        core.hold("a", until: .seconds(5))
        #expect(start() == [])
    }
}
