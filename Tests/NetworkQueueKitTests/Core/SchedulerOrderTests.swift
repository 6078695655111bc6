import Testing

@testable import NetworkQueueKit

struct SchedulerOrderTests {
    @Test
    func `Elements start in the order in which they were added`() {
        var scheduler = StringScheduler.make()
        scheduler.add(all: ["a", "b", "c"])
        #expect(scheduler.elementsInOrder == ["a", "b", "c"])
        #expect(scheduler.startAll() == ["a", "b", "c"])
        #expect(scheduler.startNext() == nil)
    }

    @Test
    func `The last in is the first out in LIFO mode`() {
        var scheduler = StringScheduler.make(mode: .lastInFirstOut)
        scheduler.add(all: ["a", "b", "c"])
        #expect(scheduler.elementsInOrder == ["c", "b", "a"])
        #expect(scheduler.startAll() == ["c", "b", "a"])
    }

    @Test(arguments: [nil, 5])
    func `A change of mode takes effect for all that are waiting`(perHost: Int?) {
        var scheduler = StringScheduler.make(perHost: perHost)
        scheduler.add(all: ["a", "b", "c", "d"])
        #expect(scheduler.startNext()?.element == "a")
        scheduler.mode = .lastInFirstOut
        #expect(scheduler.startNext()?.element == "d")
        scheduler.mode = .firstInFirstOut
        #expect(scheduler.startAll() == ["b", "c"])
    }

    @Test(arguments: QueueMode.allCases)
    func `A higher priority starts first, in either mode`(mode: QueueMode) {
        var scheduler = StringScheduler.make(mode: mode)
        scheduler.add("low", priority: .low)
        scheduler.add("normal", priority: .normal)
        scheduler.add("high", priority: .high)
        scheduler.add("second low", priority: .low)
        #expect(scheduler.startAll().prefix(2) == ["high", "normal"])
    }

    @Test(arguments: QueueMode.allCases)
    func `Transfers start before any sizing, whatever the priorities`(mode: QueueMode) {
        var scheduler = StringScheduler.make(mode: mode)
        scheduler.add("sizing", priority: .high, stage: .sizing)
        scheduler.add("transfer", priority: .low)
        #expect(scheduler.elementsInOrder == ["transfer", "sizing"])
        #expect(scheduler.startAll() == ["transfer", "sizing"])
    }

    @Test
    func `A waiting element whose priority changes counts as newly added to it`() {
        var scheduler = StringScheduler.make()
        let first = scheduler.add("first", priority: .low)
        scheduler.add(all: ["b", "c"])
        scheduler.setPriority(first, .normal)
        #expect(scheduler.elementsInOrder == ["b", "c", "first"])
        scheduler.mode = .lastInFirstOut
        #expect(scheduler.elementsInOrder == ["first", "c", "b"])
        scheduler.setPriority(first, .high)
        scheduler.mode = .firstInFirstOut
        #expect(scheduler.elementsInOrder == ["first", "b", "c"])
    }

    @Test
    func `Setting the priority that an element has leaves it in its place`() {
        var scheduler = StringScheduler.make()
        let tickets = scheduler.add(all: ["a", "b"])
        scheduler.setPriority(tickets[0], .normal)
        #expect(scheduler.elementsInOrder == ["a", "b"])
    }

    @Test
    func `elementsInOrder has the running in order of start, then the waiting, then the parked`() throws {
        var scheduler = StringScheduler.make(mode: .lastInFirstOut)
        scheduler.add(all: ["a", "b", "c", "d"])
        let parked = try scheduler.start().ticket
        _ = scheduler.startNext()
        scheduler.park(parked)
        scheduler.add("high", priority: .high)
        _ = scheduler.startNext()
        #expect(scheduler.elementsInOrder == ["c", "high", "b", "a", "d"])
        #expect(scheduler.runningElements == ["c", "high"])
        #expect(scheduler.runningCount == 2)
        #expect(scheduler.waitingCount == 2)
        #expect(scheduler.parkedCount == 1)
        #expect(scheduler.count == 5)
    }
}
