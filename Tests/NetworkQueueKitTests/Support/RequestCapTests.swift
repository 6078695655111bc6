import Dispatch
import Testing

@testable import NetworkQueueKit

struct RequestCapTests {
    /// What the process has, and what time it is.
    private final class Fixture: Sendable {
        let usage: Guarded<RequestCap.Usage>
        let now = Guarded(Duration.zero)
        let measurements = Guarded(0)

        init(softLimit: Int, openCount: Int = 0) {
            usage = Guarded((softLimit, openCount))
        }

        func makeCap() -> RequestCap {
            RequestCap(now: { self.now.withLock { $0 } }) {
                self.measurements.withLock { $0 += 1 }
                return self.usage.withLock { $0 }
            }
        }

        func pass(_ time: Duration) { now.withLock { $0 += time } }
    }

    @Test(arguments: [(64, 8, 13), (256, 9, 71), (1024, 24, 290), (256, 256, 1), (10, 0, 1)])
    func `The cap is a third of the descriptors beside the reserve, and one at least`(
        softLimit: Int, openCount: Int, limit: Int
    ) {
        #expect(Fixture(softLimit: softLimit, openCount: openCount).makeCap().limit == limit)
    }

    @Test func `The cap has no limit if the system has none`() {
        #expect(Fixture(softLimit: .max, openCount: 8).makeCap().limit > 1 << 40)
    }

    @Test func `A place is refused when all are taken, unless it is the first of a queue`() {
        let cap = Fixture(softLimit: 25).makeCap()
        #expect((0..<4).map { _ in cap.tryStart(isFirst: false) } == [true, true, true, false])
        #expect(cap.tryStart(isFirst: true) && !cap.tryStart(isFirst: false))
        cap.end()
        #expect(!cap.tryStart(isFirst: false))
        cap.end()
        #expect(cap.tryStart(isFirst: false) && !cap.tryStart(isFirst: false))
        cap.end(3)
        #expect(cap.freePlaces == 3)
    }

    @Test func `Threads that ask at a time get as many places as there are`() {
        let cap = Fixture(softLimit: 1000).makeCap()
        let taken = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in
            if cap.tryStart(isFirst: false) { taken.withLock { $0 += 1 } }
        }
        #expect(taken.withLock { $0 } == cap.limit)
    }

    @Test func `The process is measured again once a second, while more than half of the places are taken`() {
        let fixture = Fixture(softLimit: 28)
        let cap = fixture.makeCap()
        fixture.usage.withLock { $0.softLimit = 280 }
        fixture.pass(.seconds(1))
        for _ in 0..<3 { _ = cap.tryStart(isFirst: false) }
        #expect(cap.limit == 4 && fixture.measurements.withLock { $0 } == 1)
        for _ in 0..<3 { _ = cap.tryStart(isFirst: false) }
        #expect(cap.limit == 81 && fixture.measurements.withLock { $0 } == 2)
        for _ in 0..<70 { _ = cap.tryStart(isFirst: false) }
        #expect(fixture.measurements.withLock { $0 } == 2)
        fixture.pass(.seconds(1))
        _ = cap.tryStart(isFirst: false)
        #expect(fixture.measurements.withLock { $0 } == 3)
    }

    @Test func `Descriptors that requests open do not lower the cap, and those that others open do`() {
        let fixture = Fixture(softLimit: 64, openCount: 9)
        let cap = fixture.makeCap()
        for _ in 0..<13 { _ = cap.tryStart(isFirst: false) }
        // A connection and a file for each, and one connection that no request uses.
        fixture.usage.withLock { $0.openCount = 9 + 26 }
        fixture.pass(.seconds(1))
        #expect(!cap.tryStart(isFirst: false) && cap.limit == 13)
        fixture.usage.withLock { $0.openCount = 9 + 26 + 9 }
        fixture.pass(.seconds(1))
        #expect(!cap.tryStart(isFirst: false) && cap.limit == 10)
    }

    @Test func `Descriptors that were open before and are closed raise the cap`() {
        let fixture = Fixture(softLimit: 256, openCount: 200)
        let cap = fixture.makeCap()
        for _ in 0..<8 { _ = cap.tryStart(isFirst: false) }
        fixture.usage.withLock { $0.openCount = 26 }
        fixture.pass(.seconds(1))
        #expect(cap.tryStart(isFirst: false) && cap.limit == 66)
    }

    @Test func `This process is measured by its open descriptors`() {
        let usage = RequestCap.measureProcess()
        #expect(usage.softLimit > 16 && usage.openCount > 2 && usage.openCount < usage.softLimit)
    }
}

extension RequestCap {
    /// How many more requests may run. Takes all places for a moment.
    var freePlaces: Int {
        var count = 0
        while tryStart(isFirst: false) { count += 1 }
        end(count)
        return count
    }
}
