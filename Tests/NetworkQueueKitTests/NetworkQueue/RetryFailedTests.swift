import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RetryFailedTests {
    /// A queue whose requests to `/1` fail.
    private func rig(cancelsAll: Bool = false, limit: Int = 1) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport { $0.path == "/1" ? .fail(.timedOut) : .ok(Data("12345".utf8)) },
            configure: {
                $0.cancelsAllOnFailure = cancelsAll
                $0.maxConcurrentRequestCount = limit
            })
    }

    private func heal(_ rig: QueueRig<NetworkQueue>) { rig.transport.setScript { _ in .ok(Data("12345".utf8)) } }

    @Test func `retryFailed() runs failed requests again, as new operations, in a new run with its own counts`() async {
        let rig = rig()
        let operations = rig.add(3)
        let first = await rig.queue.run()
        #expect(first.counts == .init(finished: 2, failed: 1) && rig.queue.progress.counts.total == 3)
        heal(rig)
        let again = rig.queue.retryFailed()
        #expect(again.count == 1 && again[0] !== operations[1] && again[0].id != operations[1].id)
        #expect(again[0].request.urlRequest.url == .test("1"))
        await rig.recorder.waitForDrain(2)
        #expect(again[0].status == .finished && operations[1].status == .failed)
        #expect(rig.recorder.summaries[1].counts == .init(finished: 1))
        #expect(rig.recorder.summaries[1].firstFailure == nil && rig.recorder.summaries[1].isSuccess)
        #expect(rig.queue.progress.download.transferred == 5 && rig.queue.progress.fractionCompleted == 1)
        #expect(rig.recorder.story(of: again[0]) == ["start", "head 200", "finish"])
    }

    @Test(arguments: [false, true])
    func `retryFailed() leaves requests that a failure has canceled alone, unless they are wanted`(isIncluded: Bool)
        async
    {
        let rig = rig(cancelsAll: true)
        rig.add(5)
        await rig.queue.run()
        #expect(rig.recorder.summaries[0].counts == .init(finished: 1, failed: 1, cancelled: 3))
        heal(rig)
        let again = rig.queue.retryFailed(includingCancelled: isIncluded)
        let paths = again.compactMap { $0.request.urlRequest.url?.path() }
        #expect(paths.sorted() == (isIncluded ? ["/1", "/2", "/3", "/4"] : ["/1"]))
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries[1].counts == .init(finished: paths.count))
    }

    @Test func `retryFailed() leaves requests that the user has canceled alone`() async {
        let rig = QueueRig(configure: { $0.cancelsAllOnFailure = false })
        let operations = rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        operations[0].cancel()
        rig.queue.cancel(operations[1])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        #expect(rig.queue.retryFailed(includingCancelled: true).isEmpty)
        #expect(!rig.queue.isRunning)
    }

    @Test func `retryFailed() adds to a run that is under way`() async {
        let rig = QueueRig(configure: { $0.cancelsAllOnFailure = false })
        rig.add(2)
        rig.queue.go()
        await rig.transport.exchange(0).end(.timedOut)
        await rig.recorder.wait { $0.contains { $0.kind == .didFail } }
        let again = rig.queue.retryFailed()
        #expect(again.count == 1 && rig.queue.requestCount == 2)
        await rig.transport.exchange(2).answer(.ok())
        rig.transport.exchanges[1].answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 2, failed: 1)])
        #expect(rig.queue.retryFailed().isEmpty)
    }

    @Test func `retryFailed() called twice runs nothing twice`() async {
        let rig = rig()
        rig.add(2)
        await rig.queue.run()
        heal(rig)
        #expect(rig.queue.retryFailed().count == 1)
        #expect(rig.queue.retryFailed().isEmpty)
        await rig.recorder.waitForDrain(2)
        #expect(rig.queue.retryFailed().isEmpty)
        #expect(rig.recorder.summaries.count == 2 && rig.transport.exchanges.count == 3)
    }

    @Test func `retryFailed() runs a request again that has failed once more`() async {
        let rig = rig()
        rig.add(2)
        await rig.queue.run()
        for drain in 2...5 {
            #expect(rig.queue.retryFailed().count == 1)
            await rig.recorder.waitForDrain(drain)
            #expect(rig.recorder.summaries[drain - 1].counts == .init(failed: 1))
        }
    }

    @Test func `retryFailed() runs nothing after a reset`() async {
        let rig = rig()
        rig.add(2)
        await rig.queue.run()
        rig.queue.reset()
        #expect(rig.queue.retryFailed(includingCancelled: true).isEmpty)
    }

    @Test func `retryFailed() knows only of the run that has begun last`() async {
        let rig = rig()
        rig.add(2)
        await rig.queue.run()
        rig.queue.add(.test("2"))
        await rig.recorder.waitForDrain(2)
        #expect(rig.queue.retryFailed().isEmpty)
    }

    @Test func `retryFailed() does nothing if nothing has failed`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        #expect(rig.queue.retryFailed().isEmpty)
        rig.add(2)
        await rig.queue.run()
        let count = rig.recorder.events.count
        #expect(rig.queue.retryFailed(includingCancelled: true).isEmpty)
        #expect(rig.recorder.events.count == count && rig.transport.exchanges.count == 2 && !rig.queue.isRunning)
    }

    @Test func `retryFailed() inside the report of the drain begins the next run`() async {
        let isFirst = Gathering<Void>()
        let rig = QueueRig(
            ScriptedTransport { $0.path == "/1" ? .fail(.timedOut) : .ok() },
            configure: { $0.cancelsAllOnFailure = false },
            onEvent: { queue, event in
                guard event.kind == .queueDidFinish, isFirst.values.isEmpty else { return }
                isFirst.add(())
                queue.retryFailed()
            })
        rig.add(3)
        rig.queue.go()
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 2, failed: 1), .init(failed: 1)])
    }

    @Test func `retryFailed() keeps a request's properties, handlers and automatic retries`() async throws {
        let rig = rig()
        var request = NetworkRequest(.test("1"))
        request.tag = "t"
        request.priority = .high
        request.body = .data(Data("content".utf8))
        request.urlRequest.httpMethod = "PUT"
        let operation = RequestOperation(request)
        operation.autoRetryDelay = .zero
        let codes = Gathering<NetworkError.Code?>()
        operation.completionHandler = { _, _, error in codes.add(error?.code) }
        rig.queue.add(operation)
        await rig.queue.run()
        heal(rig)
        let again = try #require(rig.queue.retryFailed().first)
        #expect(again.request.tag == "t" && again.request.priority == .high && again.autoRetryDelay == .zero)
        await rig.recorder.waitForDrain(2)
        #expect(again.status == .finished && codes.values == [.timedOut, nil])
    }

    @Test func `A new run forgets the failures of the one before outside the lock`() async {
        let transport = ScriptedTransport(keepsExchanges: false) { $0.url.path() == "/1" ? .fail(.timedOut) : .ok() }
        let rig = QueueRig(transport)
        rig.queue.delegate = nil
        let counts = Gathering<Int?>()
        do {
            var request = NetworkRequest(.test("1"))
            request.userInfo["farewell"] = Farewell { [weak queue = rig.queue] in counts.add(queue?.requestCount) }
            rig.queue.add(request)
        }
        await rig.queue.run()
        #expect(counts.values.isEmpty)
        rig.queue.add(.test("2"))
        // Asked for under the lock, the queue could not answer.
        #expect(await counts.wait(count: 1).count == 1)
        await rig.queue.waitUntilEmpty()
    }
}
