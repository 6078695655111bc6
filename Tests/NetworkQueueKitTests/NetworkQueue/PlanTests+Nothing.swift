import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// What happens when there is nothing to ask about.
extension PlanTests {
    @Test func `Size requests whose downloads have been canceled are not asked about`() async {
        let rig = rig()
        rig.transport.setScript { _ in .hold }
        rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        rig.queue.cancelWaiting()
        #expect(await rig.queue.run().counts.cancelled == 3)
        #expect(desk.plans.values.isEmpty)
    }

    @Test(arguments: [true, false])
    func `A list that has brought nothing is not asked about, and what it brings later is`(isSizing: Bool) async throws
    {
        let rig = rig(isSizing: isSizing)
        let (requests, sender) = AsyncStream.makeStream(of: NetworkRequest.self)
        async let summary = rig.queue.run(adding: requests, expectedCount: 2)
        #expect(await eventually { rig.queue.progress.phase == .sizing(completed: 0, total: 0) })
        rig.queue.add(.test("1")).cancel()
        rig.advance(by: .seconds(60))
        #expect(desk.plans.values.isEmpty && rig.clock.scheduledCount == 0)
        sender.yield(NetworkRequest(.test("7")))
        sender.finish()
        #expect(try await desk.plan().requestCount == 1)
        desk.answer(.start)
        #expect(await summary.counts.finished == 1)
    }
}
