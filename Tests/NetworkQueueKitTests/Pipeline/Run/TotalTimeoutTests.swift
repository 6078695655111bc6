import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TotalTimeoutTests {
    private let rig = QueueRig()

    private func add(limit: Duration?, _ policy: RetryPolicy = .never) -> RequestOperation {
        var request = NetworkRequest(.test("a"))
        request.totalTimeout = limit
        request.retryPolicy = policy
        return rig.queue.add(request)
    }

    @Test func `A request that takes longer than its total timeout fails, and its exchange is cancelled`() async {
        let operation = add(limit: .seconds(5))
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "10"])
        rig.advance(by: .seconds(4.9))
        exchange.receive(Data(count: 5))
        #expect(operation.status == .running)
        rig.advance(by: .seconds(0.1))
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .timedOut && (operation.error?.underlying as? URLError)?.code == .timedOut)
        #expect(operation.status == .failed && exchange.isOver)
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 1)])
    }

    @Test func `The total timeout counts attempts and the waits between them, and no attempt follows`() async {
        let operation = add(limit: .seconds(10), RetryPolicy(maxRetries: 9, backoff: .constant(.seconds(4))))
        rig.transport.setScript { _ in .fail(.timedOut) }
        rig.queue.go()
        for count in 1...3 {
            await rig.recorder.wait { $0.count { $0.kind == .willRetry } == count }
            if count < 3 { rig.advance(by: .seconds(4)) }
        }
        rig.advance(by: .seconds(2))
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .timedOut && operation.attempts == 3)
        rig.advance(by: .seconds(60))
        #expect(rig.transport.counts.started == 3)
    }

    @Test func `The total timeout does not count the time in the queue`() async {
        let operation = add(limit: .seconds(5))
        rig.advance(by: .seconds(60))
        rig.transport.setScript { _ in .ok() }
        await rig.queue.run()
        #expect(operation.status == .finished)
    }

    @Test func `A request that ends in time leaves no timer, and one that is cancelled ends as cancelled`() async {
        let first = add(limit: .seconds(5))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(first.status == .finished && rig.scheduledCount == 0)
        let second = add(limit: .seconds(5))
        await rig.transport.waitForExchanges(2)
        second.cancel()
        await rig.recorder.waitForDrain(2)
        #expect(second.error?.code == .cancelled && rig.scheduledCount == 0)
    }

    @Test(arguments: [nil, .zero, .seconds(-1)] as [Duration?])
    func `A total timeout of nil, zero or less means no limit`(limit: Duration?) async {
        let operation = add(limit: limit)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        rig.advance(by: .seconds(100))
        exchange.answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(operation.status == .finished)
    }
}
