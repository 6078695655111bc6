import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// `pause()`, `resume()`, `pauseAll()` and `resumeAll()`, over scripted exchanges.
@Suite(.timeLimit(.minutes(10)))
struct PauseTests {
    private func rig(
        limit: Int = 1, configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(),
            configure: {
                $0.queueSettings.maxConcurrentRequestCount = limit
                configure(&$0)
            })
    }

    @Test func `A paused operation gives its exchange and its slot back, and gets the next slot when it is resumed`()
        async throws
    {
        let rig = rig()
        let operations = rig.add(3)
        rig.queue.go()
        let first = await rig.transport.exchange(0)
        operations[0].pause()
        await rig.transport.waitForExchanges(2)
        rig.settle()
        #expect(operations[0].status == .paused && operations[1].status == .running)
        #expect(rig.queue.progress.counts == .init(waiting: 1, running: 1, paused: 1))
        #expect(first.isCancelled && rig.transport.liveCount == 1)
        #expect(rig.queue.requestCount == 3)
        operations[0].resume()
        rig.settle()
        #expect(operations[0].status == .waiting)
        #expect(rig.queue.progress.counts == .init(waiting: 2, running: 1))
        await rig.transport.exchange(1).answer(.ok())
        // Before the third, which has waited for longer.
        let again = await rig.transport.exchange(2)
        #expect(again.exchange.url == .test("0"))
        again.answer(.ok())
        await rig.transport.exchange(3).answer(.ok())
        await rig.recorder.waitForDrain(1)
        #expect(operations.map(\.status) == [.finished, .finished, .finished])
        #expect(operations[0].attempts == 1 && operations[0].metrics?.attempts == 1)
    }

    @Test func `An operation that waits is passed over while it is paused`() async throws {
        let rig = rig()
        let operations = rig.add(3)
        operations[1].pause()
        #expect(operations[1].status == .paused)
        rig.queue.go()
        await rig.transport.exchange(0).answer(.ok())
        let next = await rig.transport.exchange(1)
        #expect(next.exchange.url == .test("2"))
        operations[1].resume()
        #expect(operations[1].status == .waiting)
        next.answer(.ok())
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.waitForDrain(1)
        #expect(rig.queue.progress.counts == .init(finished: 3))
    }

    @Test func `Pauses are told as events and call no method of the delegate`() async throws {
        let rig = rig()
        let events = rig.queue.events()
        let operation = rig.add(1)[0]
        rig.queue.go()
        _ = await rig.transport.exchange(0)
        operation.pause()
        operation.pause()
        rig.settle()
        operation.resume()
        operation.resume()
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain(1)
        var kinds: [NetworkQueue.Event.Kind] = []
        for await event in events where event.operation === operation { kinds.append(event.kind) }
        #expect(kinds == [.didStart, .didPause, .didResume, .didReceiveHeaders, .didFinish])
        #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
    }

    @Test func `A paused operation keeps its batch from draining and can be canceled`() async throws {
        let rig = rig()
        let operations = rig.add(2)
        rig.queue.go()
        _ = await rig.transport.exchange(0)
        operations[0].pause()
        await rig.transport.exchange(1).answer(.ok())
        rig.settle()
        #expect(rig.recorder.summaries.isEmpty && rig.queue.isRunning)
        operations[0].cancel()
        await rig.recorder.waitForDrain(1)
        #expect(operations[0].status == .cancelled)
        #expect(rig.queue.progress.counts == .init(finished: 1, cancelled: 1))
    }

    @Test func `What resumeAll resumes is what pauseAll alone has paused`() async throws {
        let rig = rig(limit: 2)
        let operations = rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.settle()
        operations[0].pause()
        await rig.transport.waitForExchanges(3)
        rig.settle()
        rig.queue.pauseAll()
        await rig.transport.wait { $0.isQuiet }
        rig.settle()
        #expect(rig.queue.isSuspended && operations.map(\.status) == [.paused, .paused, .paused])
        // By its user, too.
        operations[1].pause()
        rig.queue.resumeAll()
        await rig.transport.waitForExchanges(4)
        rig.settle()
        #expect(!rig.queue.isSuspended && operations.map(\.status) == [.paused, .paused, .running])
        await rig.transport.exchange(3).answer(.ok())
        for operation in operations.prefix(2) { operation.resume() }
        for number in 4...5 { await rig.transport.exchange(number).answer(.ok()) }
        await rig.recorder.waitForDrain(1)
        #expect(rig.queue.progress.counts == .init(finished: 3))
    }

    @Test func `A pause that ends before the exchange has ended starts the request again`() async throws {
        let transport = ScriptedTransport(obeysCancellation: false)
        let queue = RequestQueue(transport: transport)
        let operation = queue.add(.test("a"))
        let first = await transport.exchange(0)
        operation.pause()
        operation.resume()
        #expect(transport.counts.started == 1 && operation.status == .running)
        first.end(.cancelled)
        await transport.exchange(1).answer(.ok())
        await queue.waitUntilEmpty()
        #expect(operation.status == .finished && operation.attempts == 1)
    }

    @Test func `A response that is whole when the pause comes is the result`() async throws {
        let transport = ScriptedTransport(obeysCancellation: false)
        let queue = RequestQueue(transport: transport)
        let operation = queue.add(.test("a"))
        let exchange = await transport.exchange(0)
        exchange.receive(status: 200)
        operation.pause()
        exchange.end()
        await queue.waitUntilEmpty()
        #expect(operation.status == .finished && transport.counts.started == 1)
    }

    /// An operation whose first attempt has failed, and which waits 5 s for the next.
    private func waitForRetry(totalTimeout: Duration? = nil) async -> (QueueRig<NetworkQueue>, RequestOperation) {
        let rig = QueueRig(
            ScriptedTransport { _ in .fail(.networkConnectionLost) },
            configure: { $0.requestDefaults.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(5))) })
        var request = NetworkRequest.get(.test("0"))
        request.totalTimeout = totalTimeout
        let operation = rig.queue.add(request)
        rig.queue.go()
        await rig.recorder.wait { $0.contains { $0.kind == .willRetry } }
        return (rig, operation)
    }

    @Test func `The wait for a retry goes on while the operation is paused, and the retry comes after it`() async throws
    {
        let (rig, operation) = await waitForRetry()
        operation.pause()
        rig.settle()
        #expect(operation.status == .paused && rig.queue.progress.counts.paused == 1)
        rig.transport.setScript { _ in .ok() }
        rig.advance(by: .seconds(10))
        #expect(rig.transport.counts.started == 1 && operation.status == .paused)
        operation.resume()
        await rig.recorder.waitForDrain(1)
        #expect(operation.status == .finished && operation.attempts == 2)
    }

    @Test func `A pause that ends during the wait for a retry leaves the wait as it is`() async throws {
        let (rig, operation) = await waitForRetry()
        operation.pause()
        operation.resume()
        rig.settle()
        #expect(operation.status == .retrying && rig.queue.progress.counts.retrying == 1)
        rig.transport.setScript { _ in .ok() }
        rig.advance(by: .seconds(4))
        #expect(rig.transport.counts.started == 1)
        rig.advance(by: .seconds(1))
        await rig.recorder.waitForDrain(1)
        #expect(operation.status == .finished)
    }

    @Test func `The total timeout does not count while an operation is paused that waits for a retry`() async throws {
        let (rig, operation) = await waitForRetry(totalTimeout: .seconds(10))
        operation.pause()
        rig.advance(by: .seconds(3600))
        #expect(operation.status == .paused)
        rig.transport.setScript { _ in .ok() }
        operation.resume()
        await rig.recorder.waitForDrain(1)
        #expect(operation.status == .finished)
    }

    @Test func `An operation that is paused before it is added does not start until it is resumed`() async throws {
        let rig = rig()
        let events = rig.queue.events()
        let (first, second) = (RequestOperation(.get(.test("a"))), RequestOperation(.get(.test("b"))))
        second.addDependency(first)
        second.pause()
        rig.queue.add(first)
        rig.queue.add(second)
        #expect(rig.queue.progress.counts == .init(waiting: 1, paused: 1))
        rig.transport.setScript { _ in .ok() }
        rig.queue.go()
        _ = try await first.response()
        #expect(await eventually { second.isReady })
        rig.settle()
        #expect(second.status == .paused && rig.queue.progress.counts == .init(paused: 1, finished: 1))
        second.resume()
        await rig.recorder.waitForDrain(1)
        var kinds: [NetworkQueue.Event.Kind] = []
        for await event in events where event.operation === second { kinds.append(event.kind) }
        #expect(kinds == [.didPause, .didResume, .didStart, .didReceiveHeaders, .didFinish])
    }

    @Test func `The total timeout does not count while the operation is paused`() async throws {
        let rig = rig()
        var request = NetworkRequest.get(.test("a"))
        request.totalTimeout = .seconds(10)
        let operation = rig.queue.add(request)
        rig.queue.go()
        _ = await rig.transport.exchange(0)
        rig.advance(by: .seconds(6))
        operation.pause()
        await rig.transport.wait { $0.isQuiet }
        rig.advance(by: .seconds(3600))
        #expect(operation.status == .paused)
        operation.resume()
        _ = await rig.transport.exchange(1)
        rig.advance(by: .seconds(3))
        #expect(operation.status == .running)
        rig.advance(by: .seconds(1))
        await rig.recorder.waitForDrain(1)
        #expect(operation.error?.code == .timedOut)
    }

    @Test(arguments: QueueKind.allCases)
    func `A queue that is let go with paused operations alone cancels them`(kind: QueueKind) async throws {
        let transport = ScriptedTransport(keepsExchanges: false)
        var queue: (any RequestQueueing)? = kind.makeQueue(over: transport)
        weak let reference = queue
        let operations = try #require(queue?.add(contentsOf: [.get(.test("a")), .get(.test("b"))]))
        await transport.waitForExchanges(1)
        for operation in operations { operation.pause() }
        #expect(await eventually { operations.allSatisfy { $0.status == .paused } })
        queue = nil
        #expect(await eventually { reference == nil && operations.allSatisfy { $0.status == .cancelled } })
    }

    @Test func `A sink keeps its exchange while the operation is paused`() async throws {
        let transport = ScriptedTransport()
        let queue = RequestQueue(transport: transport)
        queue.maxConcurrentRequestCount = 1
        let collector = Collector()
        let operation = queue.add(NetworkRequest(.test("a"), destination: .sink(collector)))
        let exchange = await transport.exchange(0)
        exchange.receive(status: 200, headers: ["Content-Length": "6"])
        exchange.receive(Data("abc".utf8))
        _ = await collector.chunks.wait(count: 1)
        operation.pause()
        #expect(operation.status == .paused && !exchange.isCancelled)
        // The exchange hears of it although nothing more arrives.
        #expect(transport.counts.paused == 1)
        // Its slot is free.
        let other = queue.add(.test("b"))
        let second = await transport.exchange(1)
        #expect(exchange.receive(Data("de".utf8)) == .pause)
        _ = await collector.chunks.wait(count: 2)
        #expect(transport.counts.resumed == 0)
        operation.resume()
        #expect(operation.status == .waiting)
        second.answer(.ok())
        _ = try await other.response()
        await transport.wait { $0.resumed > 0 }
        #expect(exchange.receive(Data("f".utf8)) == .proceed)
        exchange.end()
        _ = try await operation.response()
        #expect(Data(collector.chunks.values.joined()) == Data("abcdef".utf8) && transport.counts.started == 2)
    }

    private final class Collector: DownloadSink {
        let chunks = Gathering<Data>()

        func begin(_ head: ResponseHead) async throws {}
        func write(_ data: Data) async throws { chunks.add(data) }
        func finish() async throws {}
        func abandon() async {}
    }

    @Test func `A paused operation keeps the slot of an ordinary OperationQueue`() async throws {
        let rig = rig()
        let operations = ["0", "1"].map { rig.makeStandalone($0) }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        for operation in operations { queue.addOperation(operation) }
        _ = await rig.transport.exchange(0)
        operations[0].pause()
        await rig.transport.wait { $0.isQuiet }
        #expect(await eventually { operations[0].status == .paused })
        #expect(operations[1].status == .waiting && rig.transport.counts.started == 1)
        operations[0].resume()
        for number in 1...2 { await rig.transport.exchange(number).answer(.ok()) }
        #expect(await rig.texts(2) == ["/0 ok", "/1 ok"])
    }

    @Test func `An operation on its own can be paused before its start and while it runs`() async throws {
        let rig = rig()
        let (operation, transport) = (rig.makeStandalone("a"), rig.transport)
        operation.pause()
        operation.start()
        #expect(operation.status == .paused && operation.attempts == 0 && transport.counts.started == 0)
        operation.resume()
        _ = await transport.exchange(0)
        #expect(operation.status == .running && operation.attempts == 1)
        operation.pause()
        await transport.wait { $0.isQuiet }
        #expect(await eventually { operation.status == .paused })
        #expect(operation.isExecuting && !operation.isFinished)
        operation.resume()
        await transport.exchange(1).answer(.ok())
        _ = try await operation.response()
    }
}
