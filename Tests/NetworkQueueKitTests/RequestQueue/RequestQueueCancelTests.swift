import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueCancelTests {
    /// Where a request stands when it is cancelled.
    enum Point: CaseIterable {
        case waiting, running, afterHead, inContent, retrying, waitingToRetry
    }

    /// What cancels it.
    enum Way: CaseIterable {
        case request, operation, all, itself
    }

    /// A queue with a limit of 1, in which the request `/a` stands at `point`.
    private func rig(_ point: Point) -> (QueueRig<RequestQueue>, RequestOperation) {
        let rig = QueueRig.requestQueue {
            $0.maxConcurrentRequestCount = 1
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(5)))
        }
        if case .waiting = point { rig.add("first") }
        let operation = rig.add("a")
        let exchange = rig.transport.exchanges[0]
        switch point {
        case .waiting, .running: break
        case .afterHead: exchange.receive()
        case .inContent:
            exchange.receive()
            exchange.receive(Data("abc".utf8))
        case .retrying: exchange.end(.timedOut)
        case .waitingToRetry:
            exchange.end(.timedOut)
            rig.add("first")
            rig.advance(by: .seconds(5))
        }
        return (rig, operation)
    }

    @Test(arguments: Point.allCases, Way.allCases)
    func `Canceling takes a request out of the queue in every state, and calls its handler once`(
        point: Point, way: Way
    ) async throws {
        let (rig, operation) = rig(point)
        let blocked = [.waiting, .waitingToRetry].contains(point)
        #expect(rig.queue.requestCount == (blocked ? 2 : 1))
        for _ in 0..<2 {
            switch way {
            case .request: rig.queue.cancel(URLRequest(url: .test("a")))
            case .operation: rig.queue.cancel(operation)
            case .all: rig.queue.cancelAllRequests()
            case .itself: operation.cancel()
            }
        }
        let expected = way == .all && blocked ? 2 : 1
        let outcomes = await rig.outcomes.wait(count: expected)
        let outcome = try #require(outcomes.first { $0.path == "/a" })
        #expect(outcome.error?.code == .cancelled && outcome.data == nil)
        #expect((outcome.error?.underlying as? URLError)?.code == .cancelled)
        await onThread { operation.waitUntilFinished() }
        #expect(operation.status == .cancelled && operation.isCancelled && operation.isFinished)
        #expect(rig.scheduledCount == 0)
        // Nothing else comes, and the queue goes on: these are behind whatever might have come.
        if way != .all, blocked { rig.open[0].answer(.ok()) }
        rig.transport.setScript { _ in .ok() }
        rig.add("last")
        let all = await rig.texts(blocked ? 3 : 2)
        #expect(all.count { $0 == "/a cancelled" } == 1 && all.last == "/last ok" && rig.queue.requestCount == 0)
    }

    @Test func `A request that has ended is not canceled any more`() async {
        let rig = QueueRig.requestQueue(ScriptedTransport(isSynchronous: true) { _ in .ok() })
        let operation = rig.add("a")
        rig.queue.cancel(operation)
        rig.queue.cancel(URLRequest(url: .test("a")))
        rig.queue.cancelAllRequests()
        operation.cancel()
        #expect(operation.status == .finished && !operation.isCancelled)
        rig.add("b")
        #expect(await rig.texts(2) == ["/a ok", "/b ok"])
    }

    @Test(arguments: [0, 1, 2, 5])
    func `cancelAllRequests() calls each handler once, in whatever state the requests are`(limit: Int) async {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = limit }
        for number in 0..<50 { rig.add("\(number)") }
        rig.queue.cancelAllRequests()
        rig.queue.cancelAllRequests()
        let outcomes = await rig.outcomes.wait(count: 50)
        #expect(outcomes.allSatisfy { $0.error?.code == .cancelled })
        #expect(Set(outcomes.map(\.path)).count == 50 && rig.queue.requestCount == 0)
        // No new one has started meanwhile.
        #expect(rig.transport.counts.started == (limit == 0 ? 50 : limit))
        rig.transport.setScript { _ in .ok() }
        rig.add("last")
        #expect(await rig.texts(51).last == "/last ok")
    }

    @Test func `cancelAllRequests() within a handler calls each other handler once`() async {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 3 }
        let (queue, outcomes) = (rig.queue, rig.outcomes)
        for number in 0..<50 {
            queue.add(URLRequest(url: .test("\(number)"))) { head, data, error in
                // Every handler does it, also those that are called because of it.
                queue.cancelAllRequests()
                outcomes.add(.init(path: "/\(number)", head: head, data: data, error: error))
            }
        }
        rig.transport.exchanges[0].answer(.ok())
        let all = await rig.texts(50)
        #expect(all.count { $0.hasSuffix("cancelled") } == 49 && all.first == "/0 ok" && Set(all).count == 50)
        #expect(rig.queue.requestCount == 0)
    }

    @Test
    func `A transport that ends a canceled exchange late, or in another way, does not change the outcome`() async {
        for late in [ScriptedTransport.Answer.ok(Data("late".utf8)), .fail(.timedOut), .status(500)] {
            let rig = QueueRig.requestQueue(ScriptedTransport(obeysCancellation: false)) {
                $0.maxConcurrentRequestCount = 1
            }
            let operation = rig.add("a")
            rig.add("b")
            rig.queue.cancel(operation)
            #expect(operation.isCancelled && !operation.isFinished && rig.queue.requestCount == 2)
            rig.transport.exchanges[0].answer(late)
            #expect(await rig.texts(1) == ["/a cancelled"])
            #expect(operation.data == nil && rig.open.map(\.path) == ["/b"])
            rig.transport.exchanges[1].answer(.ok())
        }
    }
}
