import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StageTests {
    private func rig(
        limit: Int = 4, cancelsAll: Bool = false, configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        onEvent: @escaping @Sendable (NetworkQueue, NetworkQueue.Event) -> Void = { _, _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            configure: {
                $0.maxConcurrentRequestCount = limit
                $0.cancelsAllOnFailure = cancelsAll
                configure(&$0)
            }, onEvent: onEvent)
    }

    private func request(_ path: String, stage: Int = 0) -> NetworkRequest {
        .test(path) { $0.stage = stage }
    }

    /// Adds two requests of stage 0, `/a` and `/b`, and before them `/index` of stage 1.
    private func addPages(_ rig: QueueRig<NetworkQueue>) -> [RequestOperation] {
        rig.queue.add(contentsOf: [request("index", stage: 1), request("a"), request("b")])
    }

    private func started(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.settle()
        return rig.transport.exchanges.map(\.path)
    }

    private func exchange(_ path: String, _ rig: QueueRig<NetworkQueue>) throws -> ScriptedExchange {
        rig.settle()
        return try #require(rig.transport.exchanges.last { $0.path == path && !$0.isOver })
    }

    // MARK: The order

    @Test(arguments: [(0, 1), (1, 2), (-3, 0), (Int.min, Int.max)])
    func `Nothing of a stage starts before all of lower stages have ended`(lower: Int, higher: Int) async throws {
        let rig = rig()
        rig.queue.add(contentsOf: [
            request("index", stage: higher), request("a", stage: lower), request("b", stage: lower),
        ])
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        #expect(started(rig) == ["/a", "/b"])
        try exchange("/a", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/b"])
        try exchange("/b", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/b", "/index"])
        try exchange("/index", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 3)])
    }

    @Test func `A request that waits for its retry or is paused keeps higher stages from starting`() async throws {
        let rig = rig { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(9))) }
        let operations = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        operations[2].pause()
        try exchange("/a", rig).end(.timedOut)
        rig.settle()
        #expect(operations[1].status == .retrying && operations[2].status == .paused)
        #expect(started(rig) == ["/a", "/b"])
        rig.advance(by: .seconds(9))
        try exchange("/a", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/b", "/a"])
        operations[2].resume()
        try exchange("/b", rig).answer(.ok())
        #expect(started(rig).last == "/index")
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test
    func `A request added to a lower stage later runs at once, and nothing of a higher stage starts before its end`()
        async throws
    {
        let rig = rig(limit: 1)
        rig.queue.add(contentsOf: [request("a", stage: 1), request("b", stage: 1)])
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        rig.queue.add(request("late"))
        rig.queue.maxConcurrentRequestCount = 2
        #expect(started(rig) == ["/a", "/late"])
        try exchange("/a", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/late"])
        try exchange("/late", rig).answer(.ok())
        #expect(started(rig) == ["/a", "/late", "/b"])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `Requests added together to a started queue run stage by stage`() async throws {
        let rig = rig()
        rig.queue.add(request("first"))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.ok())
        await rig.recorder.waitForDrain()
        let operations = rig.queue.add(contentsOf: [request("b", stage: 2), request("a", stage: -1)])
        #expect(operations.map(\.path) == ["/b", "/a"])
        #expect(started(rig) == ["/first", "/a"])
        #expect(rig.queue.requests.map(\.path) == ["/a", "/b"])
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain(2)
    }

    @Test func `Sizing covers all stages at once`() async throws {
        let rig = rig { $0.showsAccurateProgress = true }
        _ = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        #expect(Set(started(rig)) == ["/a", "/b", "/index"])
        for exchange in rig.transport.exchanges {
            #expect(exchange.exchange.method == "HEAD")
            exchange.answer(.status(200, ["Content-Length": "10"]))
        }
        #expect(started(rig).dropFirst(3) == ["/a", "/b"])
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 30, isEstimated: false))
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `A request that waits for its stage leaves the free slots to the parts of a download`() async throws {
        let rig = QueueRig.started {
            $0.splitting = NetworkRequest.Splitting(maxParts: 2, minPartSize: 1024)
            $0.maxConcurrentRequestCount = 2
        }
        let (operation, exchange) = await rig.start(rig.request())
        rig.queue.add(request("index", stage: 1))
        exchange.receive(headers: ["Content-Length": "1000000", "ETag": "\"v1\"", "Accept-Ranges": "bytes"])
        exchange.receive(Data(count: 1000))
        let part = await rig.transport.exchange(1)
        #expect(part.path == exchange.path && part.exchange.headers["Range"] != nil)
        operation.cancel()
        await rig.end(of: operation)
    }

    // MARK: Failures

    @Test(arguments: [false, true])
    func `If a request of a stage fails or is canceled, those of higher stages fail and start nothing`(
        isCancelled: Bool
    ) async throws {
        let rig = rig(limit: 1)
        let operations = rig.queue.add(contentsOf: [
            request("index", stage: 1), request("last", stage: 2), request("a"), request("b"),
        ])
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        if isCancelled { operations[2].cancel() } else { try exchange("/a", rig).end(.timedOut) }
        await rig.transport.waitForExchanges(2)
        try exchange("/b", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(started(rig) == ["/a", "/b"])
        for operation in operations.prefix(2) {
            #expect(operation.error?.code == .earlierStageFailed && operation.error?.operationID == operation.id)
            #expect(operation.attempts == 0 && rig.recorder.story(of: operation).count == 1)
        }
        let summary = try #require(rig.recorder.summaries.first)
        #expect(summary.counts == .init(finished: 1, failed: isCancelled ? 2 : 3, cancelled: isCancelled ? 1 : 0))
        #expect(!summary.isSuccess && summary.failures.count == summary.counts.failed)
        #expect(summary.firstFailure?.operation === (isCancelled ? nil : operations[2]))
    }

    @Test func `With cancelsAllOnFailure, requests of higher stages are canceled`() async throws {
        let rig = rig(cancelsAll: true)
        let operations = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        try exchange("/a", rig).end(.timedOut)
        await rig.recorder.waitForDrain()
        #expect(operations.map { $0.error?.code } == [.cancelled, .timedOut, .cancelled])
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 1, cancelled: 2)])
    }

    @Test func `A failure because of an earlier stage is no first failure and cancels nothing`() async throws {
        let rig = rig(cancelsAll: true)
        let operations = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        operations[1].cancel()
        rig.settle()
        #expect(operations[0].error?.code == .earlierStageFailed && operations[2].status == .running)
        try exchange("/b", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        let summary = try #require(rig.recorder.summaries.first)
        #expect(summary.counts == .init(finished: 1, failed: 1, cancelled: 1))
        #expect(summary.firstFailure == nil && summary.failures.map(\.error.code) == [.earlierStageFailed])
    }

    @Test func `A request added to a higher stage after the failure fails too, and one of the same stage runs`()
        async throws
    {
        let rig = rig()
        _ = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        try exchange("/a", rig).end(.timedOut)
        rig.settle()
        let late = rig.queue.add(contentsOf: [request("late", stage: 7), request("c")])
        #expect(started(rig) == ["/a", "/b", "/c"] && late[0].error?.code == .earlierStageFailed)
        try exchange("/b", rig).answer(.ok())
        try exchange("/c", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        // The next run begins without failures.
        let next = rig.queue.add(request("next", stage: 7))
        #expect(started(rig).last == "/next" && next.status == .running)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain(2)
    }

    @Test func `cancelAll() cancels the requests of all stages, and those added afterwards run`() async throws {
        let rig = rig()
        let operations = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.queue.cancelAll()
        let late = rig.queue.add(request("late", stage: 4))
        await rig.transport.exchange(2).answer(.ok())
        await rig.queue.waitUntilEmpty()
        #expect(operations.allSatisfy { $0.error?.code == .cancelled } && late.status == .finished)
    }

    @Test func `A request of a higher stage that has started goes on when one of a lower stage fails`() async throws {
        let rig = rig()
        let index = rig.queue.add(request("index", stage: 1))
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        rig.queue.add(request("late"))
        rig.settle()
        try exchange("/late", rig).end(.timedOut)
        try exchange("/index", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(index.status == .finished)
    }

    @Test func `A request that fails because of an earlier stage waits for its dependencies no longer`() async throws {
        let rig = rig()
        let operations = addPages(rig)
        let index = RequestOperation(request("dependent", stage: 1))
        index.addDependency(operations[2])
        rig.queue.add(index)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        try exchange("/a", rig).end(.timedOut)
        rig.settle()
        #expect(index.isFinished && index.error?.code == .earlierStageFailed)
        #if os(Linux)
            #expect(index.dependencies.isEmpty, "Foundation keeps unsafe pointers for them.")
        #endif
        try exchange("/b", rig).answer(.ok())
        await rig.recorder.waitForDrain()
    }

    @Test func `retryFailed() runs failed requests again, each in its stage`() async throws {
        let rig = rig()
        _ = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        try exchange("/a", rig).end(.timedOut)
        try exchange("/b", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        let again = rig.queue.retryFailed()
        #expect(Set(again.map(\.path)) == ["/a", "/index"])
        #expect(started(rig).dropFirst(2) == ["/a"])
        try exchange("/a", rig).answer(.ok())
        #expect(started(rig).dropFirst(2) == ["/a", "/index"])
        try exchange("/index", rig).answer(.ok())
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries[1].counts == .init(finished: 2))
    }

    @Test func `retryFailed() in the report of a failure gives higher stages another chance in the same run`()
        async throws
    {
        let hasRetried = Guarded(false)
        let rig = rig(onEvent: { queue, event in
            guard case .didFail(_, let error) = event, error.code == .earlierStageFailed else { return }
            let isFirst = hasRetried.withLock { hasRetried in
                defer { hasRetried = true }
                return !hasRetried
            }
            if isFirst { queue.retryFailed() }
        })
        _ = addPages(rig)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        try exchange("/a", rig).end(.timedOut)
        await rig.transport.waitForExchanges(3)
        try exchange("/b", rig).answer(.ok())
        try exchange("/a", rig).answer(.ok())
        try exchange("/index", rig).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 3, failed: 2)])
    }

    // MARK: Lists

    @Test func `While a list is read, nothing above its lowest stage starts`() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: NetworkRequest.self)
        let rig = rig()
        async let summary = rig.queue.run(adding: requests)
        continuation.yield(request("a"))
        await rig.transport.exchange(0).answer(.ok())
        continuation.yield(request("index", stage: 1))
        #expect(await eventually { rig.queue.requestCount == 1 })
        #expect(started(rig) == ["/a"])
        continuation.yield(request("b"))
        await rig.transport.exchange(1).answer(.ok())
        #expect(started(rig) == ["/a", "/b"])
        continuation.finish()
        await rig.transport.exchange(2).answer(.ok())
        #expect(started(rig) == ["/a", "/b", "/index"])
        #expect(await summary.counts == .init(finished: 3))
    }

    @Test func `After a reset, the stages of a list that was being read hold back nothing`() async {
        let (requests, continuation) = AsyncStream.makeStream(of: NetworkRequest.self)
        let rig = rig()
        async let summary = rig.queue.run(adding: requests)
        continuation.yield(request("a"))
        await rig.transport.waitForExchanges(1)
        rig.queue.reset()
        continuation.finish()
        _ = await summary
        rig.queue.add(request("index", stage: 1))
        rig.queue.go()
        #expect(started(rig) == ["/a", "/index"])
        rig.queue.cancelAll()
    }

    @Test func `Requests of a list that wait for their stage do not count toward those that are read ahead`()
        async throws
    {
        let (requests, continuation) = AsyncStream.makeStream(of: NetworkRequest.self)
        let rig = rig()
        async let summary = rig.queue.run(adding: requests)
        continuation.yield(request("a"))
        await rig.transport.waitForExchanges(1)
        for number in 0..<2_000 { continuation.yield(request("\(number)", stage: 1)) }
        continuation.yield(request("b"))
        await rig.transport.waitForExchanges(2)
        #expect(started(rig) == ["/a", "/b"] && rig.queue.requestCount == 2_002)
        continuation.finish()
        rig.transport.setScript { _ in .ok() }
        for exchange in rig.transport.exchanges { exchange.answer(.ok()) }
        #expect(await summary.counts == .init(finished: 2_002))
    }

    // MARK: RequestQueue

    @Test func `In a RequestQueue, a request with a stage fails, sends nothing and replaces no equal request`()
        async throws
    {
        let rig = QueueRig.requestQueue()
        rig.queue.add(rig.make(request("a")))
        let operation = rig.make(request("a", stage: 1))
        rig.queue.add(operation)
        #expect(await rig.texts(1) == ["/a unsupportedConfiguration"])
        #expect(operation.error?.description.contains("NetworkQueue") == true)
        #expect(rig.startedPaths == ["/a"] && rig.open.count == 1)
        rig.open[0].answer(.ok())
        #expect(await rig.texts(2).last == "/a ok")
        await rig.queue.waitUntilEmpty()
    }
}
