import Testing

@testable import NetworkQueueKit

struct SchedulerLimitTests {
    @Test
    func `No more elements than the maximum run, and a finished one frees its slot`() throws {
        var scheduler = StringScheduler.make(maximumRunning: 2)
        scheduler.add(all: ["a", "b", "c"])
        let first = try scheduler.start().ticket
        #expect(scheduler.startAll() == ["b"])
        #expect(scheduler.finish(first) == "a")
        #expect(scheduler.startAll() == ["c"])
    }

    @Test
    func `A maximum of 0 means no limit`() {
        var scheduler = StringScheduler.make(maximumRunning: 0)
        scheduler.add(all: ["a", "b", "c"])
        #expect(scheduler.startAll().count == 3)
    }

    @Test
    func `A lowered limit lets the running elements end`() throws {
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
    func `A raised limit lets more elements start`() {
        var scheduler = StringScheduler.make(maximumRunning: 1)
        scheduler.add(all: ["a", "b", "c"])
        #expect(scheduler.startAll() == ["a"])
        scheduler.maximumRunning = 2
        #expect(scheduler.startAll() == ["b"])
    }

    @Test
    func `Nothing starts while the scheduler is suspended, not even sizing`() {
        var scheduler = StringScheduler.make(isSuspended: true)
        scheduler.add("a")
        scheduler.add("b", stage: .sizing)
        #expect(scheduler.startNext() == nil)
        scheduler.isSuspended = false
        #expect(scheduler.startAll() == ["a", "b"])
    }

    @Test
    func `Only sizing starts while the scheduler is gated`() {
        var scheduler = StringScheduler.make(isGated: true)
        scheduler.add("a", priority: .high)
        scheduler.add("b", priority: .low, stage: .sizing)
        #expect(scheduler.startAll() == ["b"])
        scheduler.isGated = false
        #expect(scheduler.startAll() == ["a"])
    }

    @Test
    func `Sizing has a limit of its own, and sizing and transfers take no places from each other`() {
        var scheduler = StringScheduler.make(maximumRunning: 1)
        scheduler.maximumSizing = 2
        for name in ["a", "b", "c"] { scheduler.add(name, stage: .sizing) }
        scheduler.add(all: ["d", "e"])
        #expect(scheduler.startAll() == ["d", "a", "b"])
    }

    @Test
    func `At least as many elements may be sized as may be transferred`() {
        var scheduler = StringScheduler.make(maximumRunning: 3, isGated: true)
        scheduler.maximumSizing = 2
        for name in ["a", "b", "c", "d"] { scheduler.add(name, stage: .sizing) }
        #expect(scheduler.startAll() == ["a", "b", "c"])
    }

    @Test(arguments: [(0, 2), (2, 0)])
    func `A limit of 0 for running or for sizing means no limit for sizing`(running: Int, sizing: Int) {
        var scheduler = StringScheduler.make(maximumRunning: running, isGated: true)
        scheduler.maximumSizing = sizing
        for number in 0..<9 { scheduler.add("a\(number)", stage: .sizing) }
        #expect(scheduler.startAll().count == 9)
    }

    @Test
    func `The scheduler names the sizing in the way of a transfer that waits for nothing else, once`() throws {
        var scheduler = StringScheduler.make(maximumRunning: 1, perHost: 1)
        let sizing = scheduler.add("a1", stage: .sizing)
        #expect(scheduler.startAll() == ["a1"])
        #expect(inTheWay(of: &scheduler) == nil)
        scheduler.add("b2")
        let other = try scheduler.start().ticket
        scheduler.add("a3")
        #expect(inTheWay(of: &scheduler) == nil, "nothing could start")
        _ = scheduler.finish(other)
        scheduler.holdHost("a")
        #expect(inTheWay(of: &scheduler) == nil, "it could not start")
        scheduler.releaseHost("a")
        #expect(scheduler.startAll().isEmpty)
        #expect(inTheWay(of: &scheduler) == "a1")
        #expect(inTheWay(of: &scheduler) == nil, "it has been told")
        _ = scheduler.finish(sizing)
        #expect(scheduler.startAll() == ["a3"])
    }

    private func inTheWay(of scheduler: inout StringScheduler) -> String? {
        scheduler.nextObstructingSizing()
    }
}
