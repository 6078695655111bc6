import Testing

@testable import NetworkQueueKit

struct SchedulerTicketTests {
    @Test
    func `A waiting element is canceled at once`() {
        var scheduler = StringScheduler.make()
        let tickets = scheduler.add(all: ["a", "b", "c"])
        #expect(scheduler.cancel(tickets[1]) == .removed("b"))
        #expect(scheduler.cancel(tickets[1]) == .unknown)
        #expect(scheduler.startAll() == ["a", "c"])
    }

    @Test
    func `A canceled running element counts until it is finished`() throws {
        var scheduler = StringScheduler.make(maximumRunning: 1)
        scheduler.add(all: ["a", "b"])
        let ticket = try scheduler.start().ticket
        #expect(scheduler.cancel(ticket) == .running("a"))
        #expect(scheduler.startNext() == nil)
        #expect(scheduler.finish(ticket) == "a")
        #expect(scheduler.startNext()?.element == "b")
    }

    @Test
    func `Finishing a waiting element does nothing`() {
        var scheduler = StringScheduler.make()
        let ticket = scheduler.add("a")
        #expect(scheduler.finish(ticket) == nil)
        #expect(scheduler.count == 1)
    }

    @Test
    func `A parked element gives its slot back and does not start by itself`() throws {
        var scheduler = StringScheduler.make(maximumRunning: 1)
        scheduler.add(all: ["a", "b"])
        let ticket = try scheduler.start().ticket
        scheduler.park(ticket)
        #expect(scheduler.startAll() == ["b"])
        #expect(scheduler.elementsInOrder == ["b", "a"])
    }

    @Test(arguments: QueueMode.allCases)
    func `An unparked element is ahead of all that wait in its priority`(mode: QueueMode) throws {
        var scheduler = StringScheduler.make(mode: mode)
        scheduler.add(all: ["a", "b", "c"])
        let first = try scheduler.start()
        let second = try scheduler.start()
        scheduler.park(first.ticket)
        scheduler.park(second.ticket)
        scheduler.add("high", priority: .high)
        scheduler.unpark(first.ticket)
        scheduler.unpark(second.ticket)
        scheduler.add("d")
        let expected = ["high", second.element, first.element]
        #expect(scheduler.elementsInOrder.prefix(3) == expected[...])
        scheduler.mode = mode == .firstInFirstOut ? .lastInFirstOut : .firstInFirstOut
        #expect(scheduler.startAll().prefix(3) == expected[...])
    }

    @Test(arguments: [nil, 1])
    func `An element that is added as parked starts once it is unparked, ahead of others`(perHost: Int?) throws {
        var scheduler = StringScheduler.make(maximumRunning: 1, perHost: perHost)
        let ticket = scheduler.add("a", isParked: true)
        #expect(scheduler.startNext() == nil)
        scheduler.add(all: ["b", "c"])
        #expect(scheduler.elementsInOrder == ["b", "c", "a"])
        #expect((scheduler.parkedCount, scheduler.waitingCount, scheduler.count) == (1, 2, 3))
        _ = scheduler.finish(try scheduler.start().ticket)
        scheduler.unpark(ticket)
        #expect(try scheduler.start().element == "a")
        #expect(scheduler.finish(ticket) == "a")
        #expect(scheduler.startAll() == ["c"])
        let cancelled = scheduler.add("d", isParked: true)
        #expect(scheduler.cancel(cancelled) == .removed("d"))
        #expect((scheduler.parkedCount, scheduler.count) == (0, 1))
    }

    @Test
    func `A parked element can be finished or canceled`() {
        var scheduler = StringScheduler.make()
        scheduler.add(all: ["a", "b"])
        let tickets = (0..<2).compactMap { _ in scheduler.startNext()?.ticket }
        tickets.forEach { scheduler.park($0) }
        #expect(scheduler.parkedCount == 2)
        #expect(scheduler.finish(tickets[0]) == "a")
        #expect(scheduler.cancel(tickets[1]) == .removed("b"))
        #expect(scheduler.parkedCount == 0)
        #expect(scheduler.count == 0)
    }

    @Test
    func `A priority given to a running or parked element holds when it returns`() throws {
        var scheduler = StringScheduler.make(maximumRunning: 1)
        scheduler.add("a", priority: .low)
        let ticket = try scheduler.start().ticket
        scheduler.setPriority(ticket, .normal)
        scheduler.park(ticket)
        scheduler.setPriority(ticket, .high)
        scheduler.add("b", priority: .normal)
        scheduler.unpark(ticket)
        #expect(scheduler.elementsInOrder == ["a", "b"])
    }

    @Test
    func `An unparked element whose priority changes stays ahead of those newly added`() throws {
        var scheduler = StringScheduler.make()
        scheduler.add("a", priority: .low)
        let ticket = try scheduler.start().ticket
        scheduler.park(ticket)
        scheduler.unpark(ticket)
        scheduler.add("b", priority: .high)
        scheduler.setPriority(ticket, .high)
        #expect(scheduler.elementsInOrder == ["a", "b"])
    }

    @Test
    func `A waiting element can be parked as well, and only a parked one unparked`() throws {
        var scheduler = StringScheduler.make()
        let tickets = scheduler.add(all: ["a", "b"])
        scheduler.park(tickets[0])
        scheduler.park(tickets[0])
        #expect(scheduler.waitingCount == 1 && scheduler.parkedCount == 1)
        #expect(try scheduler.start().element == "b")
        scheduler.unpark(tickets[1])
        #expect(scheduler.runningCount == 1)
        scheduler.unpark(tickets[0])
        #expect(scheduler.waitingCount == 1 && scheduler.parkedCount == 0)
    }

    @Test
    func `A stale ticket is harmless, also when its slot is in use again`() {
        var scheduler = StringScheduler.make()
        let stale = scheduler.add("a")
        _ = scheduler.cancel(stale)
        let ticket = scheduler.add("b")
        #expect(ticket.index == stale.index)
        scheduler.setPriority(stale, .high)
        scheduler.park(stale)
        scheduler.unpark(stale)
        #expect(scheduler.cancel(stale) == .unknown)
        #expect(scheduler.finish(stale) == nil)
        _ = scheduler.startNext()
        scheduler.park(stale)
        #expect(scheduler.cancel(stale) == .unknown)
        #expect(scheduler.finish(stale) == nil)
        #expect(scheduler.runningElements == ["b"])
    }

    @Test
    func `An element that has gone is not kept`() throws {
        final class Object: Sendable {}
        var scheduler = RequestScheduler<Object>()
        weak var finished: Object?
        weak var cancelled: Object?
        do {
            let (one, two) = (Object(), Object())
            (finished, cancelled) = (one, two)
            _ = scheduler.add(one)
            _ = scheduler.cancel(scheduler.add(two))
        }
        _ = scheduler.finish(try scheduler.start().ticket)
        #expect(finished == nil)
        #expect(cancelled == nil)
    }
}
