import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct BandwidthLimitTests {
    private let clock = ManualClock()

    @Test func `The rests of a bandwidth limit are short, so that a change is seen soon`() {
        let limit = BandwidthLimit(10, timekeeper: clock)
        let mark = limit.charge(1000)
        #expect(limit.delay(until: mark) == .milliseconds(100))
        clock.advance(by: .milliseconds(99_950))
        #expect(limit.delay(until: mark) > .zero && limit.delay(until: mark) < .milliseconds(51))
        clock.advance(by: .milliseconds(50))
        #expect(limit.delay(until: mark) == .zero)
    }

    @Test func `Taking the limit away lets every exchange go, and a new one binds those without a mark`() {
        let limit = BandwidthLimit(10, timekeeper: clock)
        let mark = limit.charge(1000)
        limit.bytesPerSecond = nil
        #expect(limit.bytesPerSecond == nil)
        #expect(limit.delay(until: mark) == .zero)
        #expect(limit.charge(1000) < 0)
        limit.bytesPerSecond = 20
        // Those that ran without a limit now wait for one another: the first goes on, the next waits for what it has
        // moved.
        #expect(limit.delay(until: limit.charge(0)) == .zero)
        _ = limit.charge(1)
        #expect(limit.delay(until: limit.charge(0)) == .milliseconds(50))
    }

    @Test(arguments: [(1 as Int?, 1024), (100_000, 1024), (1_000_000, 10_000), (1_000_000_000, 65_536), (nil, Int.max)])
    func `Portions are small if the bandwidth limit is small`(rate: Int?, portion: Int) {
        #expect(BandwidthLimit(rate, timekeeper: clock).portion == portion)
    }

    @Test func `A queue hands its bandwidth limit to its exchanges, and changes it while they run`() async {
        let rig = QueueRig(configure: { $0.maxBytesPerSecond = 1000 })
        #expect(rig.queue.maxBytesPerSecond == 1000)
        rig.add(2)
        rig.queue.go()
        let pacers = [await rig.transport.exchange(0).exchange.pacer, await rig.transport.exchange(1).exchange.pacer]
        let mark = pacers[0]?.charge(50) ?? 0
        #expect(pacers[1]?.delay(until: mark) == .milliseconds(50))
        rig.queue.maxBytesPerSecond = nil
        #expect(pacers[1]?.delay(until: mark) == .zero)
        // No limit: nothing is charged for.
        rig.queue.maxBytesPerSecond = 0
        #expect(pacers[1]?.charge(1_000_000) == -1)
        rig.queue.cancelAll()
    }

    @Test func `Queues that have the same limit share it, and a speed of its own takes its place`() {
        let limit = BandwidthLimit(bytesPerSecond: 1000)
        let (first, second) = (RequestQueue(), NetworkQueue())
        first.bandwidthLimit = limit
        second.bandwidthLimit = limit
        #expect(first.maxBytesPerSecond == 1000 && second.maxBytesPerSecond == 1000)
        limit.bytesPerSecond = 2000
        #expect(first.maxBytesPerSecond == 2000 && second.maxBytesPerSecond == 2000)
        first.maxBytesPerSecond = 500
        #expect(limit.bytesPerSecond == 2000 && first.bandwidthLimit !== limit && second.bandwidthLimit === limit)
        second.bandwidthLimit = nil
        #expect(second.bandwidthLimit == nil && second.maxBytesPerSecond == nil)
    }

    @Test func `Requests of two queues pay into the limit that both have`() async throws {
        let limit = BandwidthLimit(bytesPerSecond: 1_000_000)
        let transports = (ScriptedTransport(), ScriptedTransport())
        let queues = (RequestQueue(transport: transports.0), RequestQueue(transport: transports.1))
        queues.0.bandwidthLimit = limit
        queues.1.bandwidthLimit = limit
        queues.0.add(.test("a"))
        queues.1.add(.test("b"))
        let exchanges = (await transports.0.exchange(0), await transports.1.exchange(0))
        #expect(exchanges.0.exchange.pacer === limit && exchanges.1.exchange.pacer === limit)
        for exchange in [exchanges.0, exchanges.1] { exchange.answer(.ok()) }
        await queues.0.waitUntilEmpty()
        await queues.1.waitUntilEmpty()
    }
}
