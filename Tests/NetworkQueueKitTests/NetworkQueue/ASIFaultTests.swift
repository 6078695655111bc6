import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

/// The faults of ASINetworkQueue, each shown to be absent. Those of progress and of single callbacks are in
/// `ASIProgressFaultTests`.
@Suite(.timeLimit(.minutes(10)))
struct ASIFaultTests {
    private func rig(
        sizes: Bool = false, limit: Int = 4, cancelsAll: Bool = true,
        script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .hold },
        onEvent: @escaping @Sendable (NetworkQueue, NetworkQueue.Event) -> Void = { _, _ in }
    ) -> QueueRig {
        QueueRig(
            ScriptedTransport(script: script),
            configure: {
                $0.showsAccurateProgress = sizes
                $0.maxConcurrentRequestCount = limit
                $0.cancelsAllOnFailure = cancelsAll
            }, onEvent: onEvent)
    }

    // MARK: Failure and cancellation

    @Test func `A request added inside the last callback runs`() async {
        let rig = rig(
            limit: 1, script: { $0.url.path() == "/added" ? .ok() : .fail(.timedOut) },
            onEvent: { queue, event in if case .didFail = event { queue.add(.test("added")) } })
        rig.add(1)
        await rig.queue.run()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 1, failed: 1)])
    }

    @Test func `A failure cancels each other request once`() async {
        let rig = rig(limit: 0) { $0.url.path() == "/0" ? .fail(.timedOut) : .hold }
        rig.add(300)
        await rig.queue.run()
        #expect(rig.transport.counts.cancelled == rig.transport.counts.started - 1)
        #expect(rig.recorder.events.count { $0.kind == .didFail } == 300)
    }

    @Test func `Late failures of a reset batch do not reach the new delegate`() async {
        let transport = ScriptedTransport(obeysCancellation: false)
        let rig = QueueRig(transport)
        rig.add(1)
        rig.queue.go()
        let old = await transport.exchange(0)
        rig.queue.reset()
        let second = DelegateRecorder()
        rig.queue.delegate = second
        rig.queue.add(.test("new"))
        rig.queue.go()
        let new = await transport.exchange(1)
        old.end(.networkConnectionLost)
        #expect(!new.isCancelled)
        new.answer(.ok())
        await second.waitForDrain()
        #expect(second.summaries.map(\.counts) == [.init(finished: 1)])
        #expect(!second.events.contains { $0.kind == .didFail })
    }

    @Test func `Requests added by four threads at once are all counted`() async {
        let rig = rig(cancelsAll: false) { _ in .ok() }
        rig.queue.go()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await onThread { for _ in 0..<100 { rig.queue.add(.test("a")) } } } }
        }
        await onThread { rig.queue.waitUntilFinished() }
        #expect(rig.queue.requestCount == 0 && rig.recorder.events.count { $0.kind == .didFinish } == 400)
    }

    // MARK: queueDidFinish

    @Test func `The drain is reported once at concurrency 1`() async {
        let rig = rig(limit: 1) { $0.url.path() == "/1" ? .fail(.timedOut) : .ok() }
        rig.add(5)
        await rig.queue.run()
        await rig.flush()
        #expect(rig.recorder.summaries.map(\.counts.total) == [5, 1])
    }

    @Test func `The drain is reported after failures of any kind`() async {
        let bad: [ScriptedTransport.Answer] = [
            .fail(.timedOut), .fail(.cancelled), .status(500), .fail(.badServerResponse),
        ]
        for answer in bad {
            let rig = rig(limit: 1, cancelsAll: false) { _ in answer }
            rig.add(3)
            await rig.queue.run()
            #expect(rig.recorder.summaries.count == 1)
        }
    }

    @Test func `The drain comes after every request's handler`() async {
        let order = Guarded<[String]>([])
        let rig = rig(
            script: { _ in .ok() },
            onEvent: { _, event in if case .queueDidFinish = event { order.withLock { $0.append("drain") } } })
        for operation in rig.add(10) {
            operation.completionHandler = { _, _, _ in order.withLock { $0.append("block") } }
        }
        await rig.queue.run()
        #expect(order.withLock { $0 } == Array(repeating: "block", count: 10) + ["drain"])
    }

    @Test func `A request that cannot run, or was canceled before it was added, still lets the queue drain`() async {
        let rig = rig()
        rig.queue.add(URL(filePath: "/no/such/file"))
        let cancelled = RequestOperation(NetworkRequest(.test("a")))
        cancelled.cancel()
        rig.queue.add(cancelled)
        await rig.queue.run()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 1, cancelled: 1)])
    }

    // MARK: HEAD

    @Test(arguments: [
        ScriptedTransport.Answer.fail(.cannotConnectToHost), .fail(.userAuthenticationRequired), .status(401),
    ])
    func `A failed HEAD fails neither its request nor the batch`(answer: ScriptedTransport.Answer) async {
        let rig = rig(sizes: true) { $0.method == "HEAD" ? answer : .ok() }
        rig.add(3)
        #expect(await rig.queue.run().counts == .init(finished: 3))
    }

    @Test(arguments: [403, 404, 405, 410, 500])
    func `The length of an error page is not added to the total`(status: Int) async {
        let rig = rig(sizes: true) { exchange in
            if exchange.method == "HEAD" || exchange.headers.contains("Range") {
                return .status(status, ["Content-Length": "999"])
            }
            return .hold
        }
        rig.add(1)
        rig.queue.go()
        await rig.transport.wait { $0.started >= (status == 403 ? 3 : 2) }
        #expect(rig.queue.progress.download.expected == nil)
        rig.queue.cancelAll()
    }

    @Test func `A redirected HEAD stays a HEAD`() async {
        let rig = rig(sizes: true) { exchange in
            if exchange.url.path() == "/0" { return .status(302, ["Location": "/moved"]) }
            return exchange.method == "HEAD" ? .status(200, ["Content-Length": "5"]) : .hold
        }
        rig.add(1)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        #expect(rig.transport.exchanges.map(\.exchange.method) == ["HEAD", "HEAD", "GET", "GET"])
        rig.queue.cancelAll()
    }

    @Test func `A request with a Range gets no HEAD`() async {
        let rig = rig(sizes: true)
        var request = NetworkRequest(.test("a"))
        request.urlRequest.setValue("bytes=5-", forHTTPHeaderField: "Range")
        rig.queue.add(request)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        #expect(exchange.exchange.method == "GET" && exchange.exchange.headers["Range"] == "bytes=5-")
        rig.queue.cancelAll()
    }

    @Test func `A coded length is not taken for the size`() async {
        let rig = rig(sizes: true)
        rig.add(1)
        rig.queue.go()
        let probe = await rig.transport.exchange(0)
        #expect(probe.exchange.headers.values(for: "Accept-Encoding") == ["identity"])
        probe.answer(.status(200, ["Content-Length": "10", "Content-Encoding": "gzip"]))
        await rig.transport.waitForExchanges(2)
        #expect(rig.queue.progress.download.expected == nil)
        rig.queue.cancelAll()
    }

    @Test func `A URL that allows GET only is sized by its first byte`() async {
        let rig = rig(sizes: true) { exchange in
            if exchange.method == "HEAD" { return .status(403) }
            return exchange.headers.contains("Range") ? .status(206, ["Content-Range": "bytes 0-0/4321"]) : .hold
        }
        rig.add(1)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        #expect(rig.queue.progress.download.expected == 4321)
        rig.queue.cancelAll()
    }

    @Test func `No transfer starts before the sizes are known`() async {
        let rig = rig(sizes: true, limit: 0) { $0.url.path() == "/0" && $0.method == "HEAD" ? .hold : .ok() }
        rig.add(4)
        rig.queue.go()
        await rig.transport.wait { $0.started == 4 && $0.completed == 3 }
        rig.settle()
        #expect(rig.transport.exchanges.map(\.exchange.method) == ["HEAD", "HEAD", "HEAD", "HEAD"])
        rig.transport.exchanges.first { $0.path == "/0" }?.answer(.status(200))
        await rig.recorder.waitForDrain()
    }
}
