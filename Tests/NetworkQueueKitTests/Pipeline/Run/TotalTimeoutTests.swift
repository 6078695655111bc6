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

    @Test func `A total timeout that ends the wait for a retry has the response of the attempt before`() async throws {
        let operation = add(limit: .seconds(5), RetryPolicy(maxRetries: 9, backoff: .constant(.seconds(9))))
        let page = Data("in repair".utf8)
        rig.transport.setScript { _ in .respond(status: 503, headers: [:], body: page) }
        rig.queue.go()
        await rig.waitForRetries(1)
        rig.advance(by: .seconds(5))
        await rig.recorder.waitForDrain()
        let error = try #require(operation.error)
        #expect(error.code == .timedOut && error.response?.head.statusCode == 503 && error.response?.data == page)
        #expect(error.localizedDescription == "The request to host.test:80 timed out after status 503.")
    }

    @Test func `A total timeout that expires at a mirror has its URL and the failures of the URLs before it`()
        async throws
    {
        var request = NetworkRequest(.test("a"))
        request.mirrors = [URL(string: "http://mirror.test/a"), URL(string: "http://late.test/a")].compactMap(\.self)
        request.totalTimeout = .seconds(5)
        request.retryPolicy = .never
        let operation = rig.queue.add(request)
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(503))
        await rig.transport.exchange(1).receive(headers: ["Content-Length": "10"])
        rig.advance(by: .seconds(5))
        await rig.recorder.waitForDrain()
        let error = try #require(operation.error)
        #expect(error.code == .timedOut && error.url == request.mirrors[0])
        #expect(error.formerFailures.map(\.code) == [.httpStatus(503)])
        #expect(error.formerFailures.map(\.url) == [.test("a")] && error.response?.head.statusCode == 200)
        #expect(rig.transport.counts.started == 2)
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
