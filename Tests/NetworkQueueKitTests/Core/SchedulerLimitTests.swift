import Testing

@testable import NetworkQueueKit

@Suite("RequestScheduler: limits, suspension and hold")
struct SchedulerLimitTests {
    @Test
    func `no more than the maximum run, and a finished one frees its slot`() throws {
        var scheduler = StringScheduler.make(maximumRunning: 2)
        scheduler.add(all: ["a", "b", "c"])
        let first = try scheduler.start().ticket
        #expect(scheduler.startAll() == ["b"])
        #expect(scheduler.finish(first) == "a")
        #expect(scheduler.startAll() == ["c"])
    }

    @Test
    func `0 means no limit`() {
        var scheduler = StringScheduler.make(maximumRunning: 0)
        scheduler.add(all: ["a", "b", "c"])
        #expect(scheduler.startAll().count == 3)
    }

    @Test
    func `a lowered limit lets the running ones end`() throws {
        var scheduler = StringScheduler.make(maximumRunning: 3)
        scheduler.add(all: ["a", "b", "c", "d"])
        let tickets = (0..<3).compactMap { _ in scheduler.startNext()?.ticket }
        scheduler.maximumRunning = 1
        #expect(scheduler.runningCount == 3)
        _ = scheduler.finish(tickets[0])
        _ = scheduler.finish(tickets[1])
        #expect(scheduler.startNext() == nil)
        _ = scheduler.finish(tickets[2])
        #expect(scheduler.startNext()?.element == "d")
    }

    @Test
    func `a raised limit lets more start`() {
        var scheduler = StringScheduler.make(maximumRunning: 1)
        scheduler.add(all: ["a", "b", "c"])
        #expect(scheduler.startAll() == ["a"])
        scheduler.maximumRunning = 2
        #expect(scheduler.startAll() == ["b"])
    }

    @Test
    func `nothing starts while suspended, not even sizing`() {
        var scheduler = StringScheduler.make(isSuspended: true)
        scheduler.add("a")
        scheduler.add("b", stage: .sizing)
        #expect(scheduler.startNext() == nil)
        scheduler.isSuspended = false
        #expect(scheduler.startAll() == ["b", "a"])
    }

    @Test
    func `only sizing starts while gated`() {
        var scheduler = StringScheduler.make(isGated: true)
        scheduler.add("a", priority: .high)
        scheduler.add("b", priority: .low, stage: .sizing)
        #expect(scheduler.startAll() == ["b"])
        scheduler.isGated = false
        #expect(scheduler.startAll() == ["a"])
    }

    @Test
    func `sizing counts towards the limit`() {
        var scheduler = StringScheduler.make(maximumRunning: 1)
        scheduler.add("a", stage: .sizing)
        scheduler.add("b")
        #expect(scheduler.startAll() == ["a"])
    }
}
