import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// `waitUntilPaused()`, on both queues.
@Suite(.timeLimit(.minutes(10)))
struct WaitUntilPausedTests {
    /// Two requests that run over a transport whose exchanges the test ends.
    private func start(_ kind: QueueKind) async -> (queue: any RequestQueueing, transport: ScriptedTransport) {
        let transport = ScriptedTransport(obeysCancellation: false)
        let queue = kind.makeQueue(over: transport)
        queue.add(contentsOf: [.get(.test("a")), .get(.test("b"))])
        await transport.waitForExchanges(2)
        return (queue, transport)
    }

    /// Ends the exchanges that a pause or a cancellation has canceled.
    private func endExchanges(_ transport: ScriptedTransport) async {
        await transport.wait { $0.cancelled == 2 }
        for exchange in transport.exchanges { exchange.end(.cancelled) }
    }

    @Test(arguments: QueueKind.allCases)
    func `Both queues say through their protocol what they have and whether they are suspended`(kind: QueueKind) {
        let queue = kind.makeQueue(over: ScriptedTransport())
        #expect(!queue.isSuspended && queue.requestCount == 0)
        queue.isSuspended = true
        queue.add(.test("a"))
        #expect(queue.isSuspended && queue.requestCount == 1)
        queue.resumeAll()
        #expect(!queue.isSuspended)
        queue.cancelAll()
    }

    @Test(arguments: QueueKind.allCases)
    func `The wait for a pause ends when the last exchange has ended`(kind: QueueKind) async {
        let (queue, transport) = await start(kind)
        queue.pauseAll()
        let wait = Task {
            let isPaused = await queue.waitUntilPaused()
            return (isPaused, transport.liveCount, queue.requests.map(\.status))
        }
        await endExchanges(transport)
        let (isPaused, liveCount, statuses) = await wait.value
        #expect(isPaused && liveCount == 0 && statuses == [.paused, .paused])
        // Nothing runs now.
        #expect(await queue.waitUntilPaused())
        queue.cancelAll()
    }

    @Test(arguments: QueueKind.allCases)
    func `The wait for a pause ends at once without requests, and in a queue that is not suspended`(kind: QueueKind)
        async
    {
        let queue = kind.makeQueue(over: ScriptedTransport())
        #expect(await !queue.waitUntilPaused())
        queue.pauseAll()
        #expect(await queue.waitUntilPaused())
    }

    @Test(arguments: QueueKind.allCases)
    func `The wait for a pause ends when the queue is resumed meanwhile`(kind: QueueKind) async {
        for isResumed in [true, false] {
            let (queue, transport) = await start(kind)
            queue.pauseAll()
            let wait = Task { await queue.waitUntilPaused() }
            if isResumed { queue.resumeAll() } else { queue.isSuspended = false }
            #expect(await !wait.value)
            queue.cancelAll()
            await endExchanges(transport)
        }
    }

    @Test(arguments: QueueKind.allCases)
    func `The wait for a pause ends when everything is canceled meanwhile, but not before the exchanges`(
        kind: QueueKind
    ) async {
        let (queue, transport) = await start(kind)
        queue.pauseAll()
        let wait = Task { (await queue.waitUntilPaused(), transport.liveCount) }
        queue.cancelAll()
        await endExchanges(transport)
        let (isPaused, liveCount) = await wait.value
        #expect(isPaused && liveCount == 0 && queue.requestCount == 0)
    }

    @Test func `The wait for a pause ends when the batch is reset meanwhile`() async {
        let transport = ScriptedTransport()
        let queue = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "test"))
        queue.add(.test("a"))
        queue.go()
        await transport.waitForExchanges(1)
        queue.pauseAll()
        queue.reset()
        #expect(await queue.waitUntilPaused())
        #expect(transport.liveCount == 0)
    }

    @Test(arguments: QueueKind.allCases)
    func `The wait for a pause ends with its task`(kind: QueueKind) async {
        let (queue, transport) = await start(kind)
        queue.pauseAll()
        let wait = Task { await queue.waitUntilPaused() }
        wait.cancel()
        #expect(await !wait.value)
        queue.cancelAll()
        await endExchanges(transport)
    }

    @Test(arguments: QueueKind.allCases)
    func `After the wait for a pause a download's part is in its file, and a stream is held`(kind: QueueKind)
        async throws
    {
        let folder = try TemporaryFolder()
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport)
        queue.add(NetworkRequest(.test("file"), destination: .file(folder.file("file"))))
        let download = await transport.exchange(0)
        download.receive(headers: ["Content-Length": "1000", "ETag": "\"1\""])
        download.receive(Data(count: 600))
        let head = Task { try await queue.bytes(for: .test("stream")) }
        let stream = await transport.exchange(1)
        stream.receive()
        let bytes = try await head.value
        queue.pauseAll()
        #expect(await queue.waitUntilPaused())
        #expect(download.isOver && !stream.isOver)
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        let part = try #require(files.first { $0.lastPathComponent.hasSuffix(".nqk.part") })
        #expect(try Data(contentsOf: part).count == 600 && files.count == 2)
        withExtendedLifetime(bytes) { queue.cancelAll() }
    }
}
