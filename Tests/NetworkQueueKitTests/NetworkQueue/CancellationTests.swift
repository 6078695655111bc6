import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
    @Test(arguments: [false, true])
    func `cancelAll() ends all requests in the queue and none that comes later`(isAccurate: Bool) async {
        let rig = QueueRig(configure: { $0.showsAccurateProgress = isAccurate })
        rig.add(10)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        rig.queue.cancelAll()
        rig.transport.setScript { _ in .ok() }
        let late = rig.queue.add(.test("late"))
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        #expect(late.status == .finished)
        await rig.recorder.wait { events in events.count { $0.kind == .didFail } == 10 }
    }

    @Test func `A suspended queue starts nothing, and its running requests go on`() async {
        let rig = QueueRig(configure: { $0.maxConcurrentRequestCount = 1 })
        rig.add(3)
        rig.queue.go()
        let first = await rig.transport.exchange(0)
        rig.queue.isSuspended = true
        first.answer(.ok())
        rig.settle()
        #expect(rig.transport.counts.started == 1 && rig.queue.isRunning && rig.queue.requestCount == 2)
        rig.transport.setScript { _ in .ok() }
        rig.queue.isSuspended = false
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [3])
    }

    @Test func `The requests of a suspended queue can be canceled`() async {
        let rig = QueueRig()
        rig.add(3)
        rig.queue.isSuspended = true
        rig.queue.go()
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(cancelled: 3)])
        #expect(rig.transport.counts.started == 0)
    }

    // MARK: While sizing runs

    private func sizingRig(_ count: Int = 3, limit: Int = 3) async -> (QueueRig<NetworkQueue>, [RequestOperation]) {
        let rig = QueueRig(
            configure: {
                $0.showsAccurateProgress = true
                $0.maxConcurrentRequestCount = limit
                $0.maxConcurrentSizingCount = limit
            })
        let operations = rig.add(count)
        rig.queue.go()
        await rig.transport.waitForExchanges(limit)
        return (rig, operations)
    }

    @Test func `cancelAll() during sizing ends every request and its probe`() async {
        let (rig, operations) = await sizingRig()
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        await rig.transport.wait { $0.isQuiet }
        for operation in operations { #expect(rig.recorder.story(of: operation) == ["fail cancelled"]) }
        #expect(rig.transport.exchanges.map(\.exchange.method) == ["HEAD", "HEAD", "HEAD"])
        #expect(rig.recorder.summaries.map(\.counts) == [.init(cancelled: 3)])
        #expect(rig.scheduledCount == 0)
    }

    @Test func `Canceling one request during sizing ends it at once, and its probe too`() async {
        let (rig, operations) = await sizingRig()
        rig.queue.cancel(operations[1])
        await rig.recorder.wait { $0.contains { $0.kind == .didFail } }
        await rig.transport.wait { $0.cancelled == 1 }
        #expect(rig.transport.exchanges.map(\.isCancelled) == [false, true, false])
        rig.transport.setScript { _ in .ok() }
        for exchange in rig.transport.exchanges where !exchange.isCancelled { exchange.answer(.status(200)) }
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 2, cancelled: 1)])
        #expect(rig.recorder.story(of: operations[1]) == ["fail cancelled"])
    }

    @Test(arguments: [NetworkQueue.cancelAll, NetworkQueue.reset])
    func `cancelAll() or reset() during sizing starts no other probe`(calling: @Sendable (NetworkQueue) -> () -> Void)
        async
    {
        for _ in 0..<10 {
            let (rig, _) = await sizingRig(12, limit: 2)
            calling(rig.queue)()
            await rig.transport.wait { $0.isQuiet }
            #expect(rig.transport.counts.started == 2 && rig.scheduledCount == 0)
        }
    }

    @Test func `Suspending the queue during sizing keeps probes and requests from starting`() async {
        let (rig, _) = await sizingRig(6, limit: 2)
        rig.queue.isSuspended = true
        for exchange in rig.transport.exchanges { exchange.answer(.status(200)) }
        rig.settle()
        #expect(rig.transport.counts.started == 2)
        rig.transport.setScript { _ in .ok() }
        rig.queue.isSuspended = false
        await rig.recorder.waitForDrain()
        #expect(
            rig.transport.exchanges.map(\.exchange.method) == Array(repeating: "HEAD", count: 6)
                + Array(repeating: "GET", count: 6))
    }
}
