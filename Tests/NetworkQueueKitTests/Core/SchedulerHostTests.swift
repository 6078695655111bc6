import Testing

@testable import NetworkQueueKit

struct SchedulerHostTests {
    @Test(arguments: QueueMode.allCases)
    func `An element of a full host is passed over, and the others go on in order`(mode: QueueMode) throws {
        var scheduler = StringScheduler.make(mode: mode, perHost: 1)
        let names = ["a1", "a2", "b1", "b2", "-", "--"]
        scheduler.add(all: mode == .firstInFirstOut ? names : names.reversed())
        let first = try scheduler.start()
        #expect(first.element == "a1")
        #expect(scheduler.startAll() == ["b1", "-", "--"])
        #expect(scheduler.elementsInOrder.suffix(2) == ["a2", "b2"])
        #expect(scheduler.finish(first.ticket) == "a1")
        #expect(scheduler.startAll() == ["a2"])
    }

    @Test
    func `A lower priority does not overtake within a host, but does across hosts`() {
        var scheduler = StringScheduler.make(perHost: 1)
        scheduler.add("a1", priority: .low)
        scheduler.add("b1", priority: .low)
        scheduler.add(all: ["a2", "a3"], priority: .high)
        #expect(scheduler.startAll() == ["a2", "b1"])
    }

    @Test
    func `A parked element gives its slot at the host back`() throws {
        var scheduler = StringScheduler.make(perHost: 1)
        scheduler.add(all: ["a1", "a2"])
        scheduler.park(try scheduler.start().ticket)
        #expect(scheduler.startAll() == ["a2"])
    }

    @Test
    func `A limit that comes into force counts the elements that run already`() throws {
        var scheduler = StringScheduler.make()
        scheduler.add(all: ["a1", "a2", "a3", "b1"])
        let first = try scheduler.start().ticket
        let second = try scheduler.start().ticket
        scheduler.maximumRunningPerHost = 1
        #expect(scheduler.startAll() == ["b1"])
        _ = scheduler.finish(first)
        #expect(scheduler.startNext() == nil)
        _ = scheduler.finish(second)
        #expect(scheduler.startAll() == ["a3"])
    }

    @Test
    func `A limit that is changed or lifted takes effect at once`() {
        var scheduler = StringScheduler.make(perHost: 1)
        scheduler.add(all: ["a1", "a2", "a3", "a4"])
        #expect(scheduler.startAll() == ["a1"])
        scheduler.maximumRunningPerHost = 2
        #expect(scheduler.startAll() == ["a2"])
        scheduler.maximumRunningPerHost = nil
        #expect(scheduler.startAll() == ["a3", "a4"])
    }

    @Test(arguments: QueueMode.allCases)
    func `The order survives rules that come and go`(mode: QueueMode) {
        var scheduler = StringScheduler.make(mode: mode, isSuspended: true)
        var names: [String] = []
        for round in 0..<6 {
            scheduler.maximumRunningPerHost = round.isMultiple(of: 2) ? nil : 100
            let new = ["a\(round)", "b\(round)", "-\(round)"]
            scheduler.add(all: new)
            names += new
        }
        if mode == .lastInFirstOut { names.reverse() }
        #expect(scheduler.elementsInOrder == names)
        scheduler.isSuspended = false
        #expect(scheduler.startAll() == names)
    }

    @Test
    func `A priority that changes between two rules leaves the order right`() {
        var scheduler = StringScheduler.make(perHost: 100)
        let first = scheduler.add("a1", priority: .high)
        scheduler.maximumRunningPerHost = nil
        scheduler.add("a2")
        scheduler.setPriority(first, .normal)
        scheduler.maximumRunningPerHost = 100
        #expect(scheduler.elementsInOrder == ["a2", "a1"])
        #expect(scheduler.startAll() == ["a2", "a1"])
    }

    @Test
    func `A host's next element does not inherit the turn of its first if that is canceled`() {
        var scheduler = StringScheduler.make(perHost: 100)
        let tickets = scheduler.add(all: ["a1", "b1", "a2"])
        _ = scheduler.cancel(tickets[0])
        #expect(scheduler.startAll() == ["b1", "a2"])
    }

    @Test
    func `A blocked host does not start, its running elements go on`() throws {
        var scheduler = StringScheduler.make()
        scheduler.add(all: ["a1", "a2", "b1"])
        let running = try scheduler.start().ticket
        scheduler.holdHost("a")
        scheduler.add("a3")
        #expect(scheduler.startAll() == ["b1"])
        #expect(scheduler.finish(running) == "a1")
        #expect(scheduler.startNext() == nil)
        scheduler.releaseHost("a")
        #expect(scheduler.startAll() == ["a2", "a3"])
    }

    @Test
    func `A host can be blocked before anything of it is added, and sizing is blocked as well`() {
        var scheduler = StringScheduler.make()
        scheduler.holdHost("a")
        scheduler.add("a1", stage: .sizing)
        #expect(scheduler.startNext() == nil)
        scheduler.releaseHost("a")
        #expect(scheduler.startNext()?.element == "a1")
    }

    @Test
    func `Blocking twice is blocking once, and unblocking a host that is not blocked does nothing`() {
        var scheduler = StringScheduler.make()
        scheduler.add("a1")
        scheduler.releaseHost("a")
        scheduler.holdHost("a")
        scheduler.holdHost("a")
        scheduler.releaseHost("b")
        #expect(scheduler.startNext() == nil)
        scheduler.releaseHost("a")
        #expect(scheduler.startNext()?.element == "a1")
    }

    @Test
    func `Unblocking a host does not lift its limit`() {
        var scheduler = StringScheduler.make(perHost: 1)
        scheduler.add(all: ["a1", "a2"])
        #expect(scheduler.startAll() == ["a1"])
        scheduler.holdHost("a")
        scheduler.releaseHost("a")
        #expect(scheduler.startNext() == nil)
    }

    @Test
    func `No element is asked for its host while no rule is in force, and each is asked once when one is`() {
        let asked = Counter()
        var scheduler = RequestScheduler<Int>(hostOf: { number in
            asked.increment()
            return "host \(number % 3)"
        })
        let tickets = (0..<10).map { scheduler.add($0) }
        _ = scheduler.startNext()
        _ = scheduler.cancel(tickets[5])
        scheduler.setPriority(tickets[6], .high)
        #expect(asked.value == 0)
        scheduler.maximumRunningPerHost = 2
        #expect(asked.value == 9)
        scheduler.maximumRunningPerHost = 1
        scheduler.holdHost("host 1")
        #expect(asked.value == 9)
    }

    @Test
    func `Hosts are forgotten with their last element, and room for many is given back`() {
        var scheduler = RequestScheduler<Int>(
            maximumRunning: 1, maximumRunningPerHost: 1, hostOf: { $0 < 0 ? nil : "host \($0)" })
        for number in 0..<1000 { _ = scheduler.add(number) }
        scheduler.add(-1)
        #expect(scheduler.hosts.count == 1000)
        for _ in 0..<1000 {
            guard let (ticket, _) = scheduler.startNext() else { break }
            _ = scheduler.finish(ticket)
        }
        #expect(scheduler.hosts.count == 0)
        #expect(scheduler.waiting.hosts.count == 1)
        for number in 0..<2000 { _ = scheduler.cancel(scheduler.add(number)) }
        #expect(scheduler.hosts.count == 0)
        #expect(scheduler.waiting.hosts.count == 2)
        #expect(scheduler.startNext()?.element == -1)
    }

    private final class Counter: Sendable {
        private let count = Guarded(0)
        var value: Int { count.withLock { $0 } }
        func increment() { count.withLock { $0 += 1 } }
    }
}
