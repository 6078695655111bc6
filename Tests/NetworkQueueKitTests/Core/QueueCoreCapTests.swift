import Testing

@testable import NetworkQueueKit

/// The cap of the process, as a core abides by it.
struct QueueCoreCapTests {
    private final class Item: QueueElement {
        let id: Int
        var queueEntry = QueueEntry()
        let equivalenceHash: UInt32 = 0

        init(_ id: Int) { self.id = id }
    }

    /// A core with a number of elements, over a cap.
    private struct Fixture {
        var core: QueueCore<Item>
        let items: [Item]

        init(_ cap: RequestCap, count: Int) {
            core = QueueCore(cap: cap) { _ in "host" }
            items = (0..<count).map { Item($0) }
            for item in items { _ = core.add(item, priority: .normal, now: .zero) }
        }

        /// The elements that start.
        mutating func start(at now: Duration) -> [Int] {
            core.effects(now: now).compactMap { if case .start(let item) = $0 { item.id } else { nil } }
        }
    }

    /// Lets three requests run, whatever is open.
    private let cap = RequestCap(measure: { (25, 0) })

    @Test func `A core that is refused looks again a second later, whatever changes until then`() {
        var fixture = Fixture(cap, count: 5)
        #expect(fixture.start(at: .seconds(10)) == [0, 1, 2] && fixture.core.wakeTime == .seconds(11))
        #expect(fixture.start(at: .seconds(10.5)) == [] && fixture.core.wakeTime == .seconds(11))
        fixture.core.wake(now: .seconds(11))
        #expect(fixture.start(at: .seconds(11)) == [] && fixture.core.wakeTime == .seconds(12))
    }

    @Test func `A core has no more looks to take once nothing is refused`() {
        var fixture = Fixture(cap, count: 4)
        _ = fixture.start(at: .zero)
        fixture.core.remove(fixture.items[0])
        #expect(fixture.start(at: .seconds(0.5)) == [3] && fixture.core.wakeTime == nil)
    }

    @Test func `A core that reaches its own limit is not refused`() {
        var fixture = Fixture(cap, count: 5)
        fixture.core.scheduler.maximumRunning = 3
        #expect(fixture.start(at: .zero) == [0, 1, 2] && fixture.core.wakeTime == nil)
    }

    @Test func `A core with nothing running may start one element beyond the cap`() {
        var (first, second) = (Fixture(cap, count: 3), Fixture(cap, count: 3))
        #expect(first.start(at: .zero) == [0, 1, 2])
        #expect(second.start(at: .zero) == [0] && second.core.wakeTime == .seconds(1))
        second.core.remove(second.items[0])
        #expect(second.start(at: .zero) == [1])
        for item in first.items { first.core.remove(item) }
        second.core.wake(now: .seconds(1))
        #expect(second.start(at: .seconds(1)) == [2] && second.core.wakeTime == nil)
    }

    @Test(arguments: [true, false])
    func `An element gives its place in the process back, once, when it is parked or removed`(isParked: Bool) {
        var fixture = Fixture(cap, count: 1)
        #expect(cap.freePlaces == 3)
        _ = fixture.start(at: .zero)
        #expect(cap.freePlaces == 2)
        if isParked {
            fixture.core.park(fixture.items[0], for: .waiting)
            #expect(cap.freePlaces == 3)
        }
        fixture.core.remove(fixture.items[0])
        fixture.core.remove(fixture.items[0])
        #expect(cap.freePlaces == 3)
    }

    @Test func `The core wakes for its next look or for the end of a hold, whichever is first`() {
        var fixture = Fixture(cap, count: 5)
        _ = fixture.start(at: .zero)
        fixture.core.hold("other", until: .seconds(3))
        #expect(fixture.core.wakeTime == .seconds(1))
        fixture.core.hold("another", until: .seconds(0.5))
        #expect(fixture.core.wakeTime == .seconds(0.5))
    }

    @Test func `An element that waits has no place, and gives none back`() {
        var fixture = Fixture(cap, count: 2)
        for item in fixture.items { fixture.core.remove(item) }
        #expect(cap.freePlaces == 3 && fixture.start(at: .zero) == [])
    }
}
