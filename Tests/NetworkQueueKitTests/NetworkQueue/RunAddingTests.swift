import Dispatch
import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RunAddingTests {
    private struct Broken: Error, Equatable {}

    /// Requests to `/0`, `/1`, … that are counted as they are read, and an error after them where that is wanted.
    private struct List: AsyncSequence, Sendable {
        let count: Int
        var throwsAtEnd = false
        let readCount = Reads()

        func makeAsyncIterator() -> Iterator { Iterator(list: self) }

        struct Iterator: AsyncIteratorProtocol {
            let list: List
            var next = 0

            mutating func next(isolation: isolated (any Actor)?) async throws(Broken) -> NetworkRequest? {
                guard next < list.count else {
                    if list.throwsAtEnd { throw Broken() }
                    return nil
                }
                defer { next += 1 }
                list.readCount.value.add(1, ordering: .sequentiallyConsistent)
                return NetworkRequest(.test("\(next)"))
            }

            mutating func next() async throws(Broken) -> NetworkRequest? { try await next(isolation: nil) }
        }
    }

    private final class Reads: Sendable {
        let value = Atomic(0)
        var count: Int { value.load(ordering: .sequentiallyConsistent) }
    }

    private static let file = Data(count: 10)

    private func rig(
        isAccurate: Bool = false, configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(keepsExchanges: false) {
                $0.method == "HEAD" ? .status(200, ["Content-Length": "10"]) : .ok(Self.file)
            },
            configure: {
                $0.showsAccurateProgress = isAccurate
                configure(&$0)
            })
    }

    @Test(arguments: [(0, false), (1, false), (1, true), (1_000, false), (1_000, true)])
    func `All requests of a list run in one run with one summary`(count: Int, isAccurate: Bool) async throws {
        let rig = rig(isAccurate: isAccurate)
        let summary = try await rig.queue.run(adding: List(count: count), expectedCount: count)
        #expect(summary.counts == .init(finished: count) && rig.recorder.summaries.count == 1)
        // What starts before it is asked for is not asked for any more.
        let sizedCount = isAccurate ? min(count, 256) : 0
        #expect(rig.transport.counts.started >= count + sizedCount && rig.transport.counts.started <= 2 * count)
        #expect(rig.queue.progress.counts == .init(finished: count) && rig.queue.requestCount == 0)
        let fractions = rig.recorder.updates.map(\.fractionCompleted)
        #expect(fractions == fractions.sorted() && fractions.last == 1)
    }

    @Test(arguments: [false, true])
    func `A few hundred requests are read ahead of those that have started`(isAfterFailure: Bool) async throws {
        let rig = QueueRig(configure: { $0.maxConcurrentRequestCount = 1 })
        if isAfterFailure {
            // It cancels all others and ends the reading of lists, of which there are none.
            rig.transport.setScript { _ in .fail(.timedOut) }
            await rig.run(.test("failure"))
            rig.transport.setScript { _ in .hold }
        }
        let first = rig.transport.exchanges.count
        let list = List(count: 10_000)
        async let summary = rig.queue.run(adding: list)
        await rig.transport.waitForExchanges(first + 1)
        // One may have been read and not been added yet.
        #expect(await eventually { rig.queue.requestCount >= 256 && rig.queue.requestCount == list.readCount.count })
        #expect(list.readCount.count <= 258)
        rig.transport.setScript { _ in .ok() }
        await rig.transport.exchange(first).answer(.ok())
        #expect(try await summary.counts == .init(finished: 10_000))
    }

    @Test func `The sizes of a list that is read while others are transferred are asked for`() async throws {
        let transport = ScriptedTransport { exchange in
            let isFirst = exchange.method == "HEAD" && exchange.url.path() == "/first"
            return isFirst ? .status(200, ["Content-Length": "10"]) : .hold
        }
        let rig = QueueRig(
            transport,
            configure: {
                $0.showsAccurateProgress = true
                $0.maxConcurrentRequestCount = 1
            })
        rig.queue.add(.test("first"))
        rig.queue.go()
        await transport.waitForExchanges(2)
        async let summary = rig.queue.run(adding: List(count: 3))
        await transport.waitForExchanges(5)
        #expect(transport.exchanges.map(\.exchange.method) == ["HEAD", "GET", "HEAD", "HEAD", "HEAD"])
        #expect(rig.queue.progress.sizing?.total == 3)
        rig.queue.cancelAll()
        _ = try await summary
    }

    @Test func `Progress tells of announced requests although nothing moves`() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: NetworkRequest.self)
        let rig = QueueRig()
        async let summary = rig.queue.run(adding: requests)
        #expect(await eventually { rig.queue.progress.phase == .transferring })
        rig.advance(by: .seconds(1))
        rig.queue.expectRequests(5)
        rig.advance(by: .seconds(1))
        #expect(rig.recorder.updates.last?.counts == .init(waiting: 5))
        continuation.finish()
        _ = await summary
    }

    @Test func `Sizes of requests read so far are asked for before the first transfer, of the others beside them`()
        async throws
    {
        let transport = ScriptedTransport { _ in .hold }
        let rig = QueueRig(
            transport,
            configure: {
                $0.showsAccurateProgress = true
                $0.maxConcurrentSizingCount = 0
                $0.maxConcurrentRequestCount = 1
            })
        async let summary = rig.queue.run(adding: List(count: 300), expectedCount: 300)
        await transport.waitForExchanges(256)
        #expect(transport.exchanges.allSatisfy { $0.exchange.method == "HEAD" })
        #expect(rig.queue.progress.counts == .init(waiting: 300) && rig.queue.requestCount == 256)
        transport.setScript { $0.method == "HEAD" ? .status(200, ["Content-Length": "10"]) : .ok(Self.file) }
        for exchange in transport.exchanges { exchange.answer(.status(200, ["Content-Length": "10"])) }
        #expect(try await summary.counts == .init(finished: 300))
        let methods = transport.exchanges.map(\.exchange.method)
        #expect(methods.prefix(257).last == "GET" && methods.filter { $0 == "GET" }.count == 300)
    }

    @Test func `Requests that have not been read count as waiting, with the mean of the known sizes`() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: NetworkRequest.self)
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        async let summary = rig.queue.run(adding: requests, expectedCount: 10)
        var sized = NetworkRequest(.test("0"))
        sized.expectedDownloadSize = 50
        continuation.yield(sized)
        let exchange = await startedExchange(rig)
        exchange.receive(headers: ["Content-Length": "50"])
        exchange.receive(Data(count: 25))
        #expect(rig.queue.progress.download == .init(transferred: 25, expected: 500, isEstimated: true))
        #expect(rig.queue.progress.counts == .init(waiting: 9, running: 1) && rig.queue.requestCount == 1)
        exchange.receive(Data(count: 25))
        exchange.end()
        continuation.finish()
        #expect(await summary.counts == .init(finished: 1))
        #expect(rig.queue.progress.download == .init(transferred: 50, expected: 50, isEstimated: false))
    }

    @Test func `A list that brings nothing for a tenth of a second is not waited for`() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: NetworkRequest.self)
        let rig = QueueRig(configure: { $0.showsAccurateProgress = true })
        async let summary = rig.queue.run(adding: requests)
        var sized = NetworkRequest(.test("0"))
        sized.expectedDownloadSize = 2
        continuation.yield(sized)
        #expect(await eventually { rig.queue.requestCount == 1 })
        rig.advance(by: .milliseconds(99))
        #expect(rig.transport.counts.started == 0)
        rig.advance(by: .milliseconds(1))
        await rig.transport.exchange(0).answer(.ok(Data(count: 2)))
        continuation.finish()
        #expect(await summary.counts == .init(finished: 1))
    }

    @Test func `The length of a list may become known while it is read, and before`() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: NetworkRequest.self)
        let rig = QueueRig()
        await rig.queue.run()
        rig.queue.expectRequests(2)
        rig.queue.expectRequests(-5)
        #expect(rig.queue.progress.counts == .init(waiting: 2))
        async let summary = rig.queue.run(adding: requests, expectedCount: 1)
        continuation.yield(NetworkRequest(.test("0")))
        await rig.transport.waitForExchanges(1)
        #expect(rig.queue.progress.counts == .init(waiting: 2, running: 1))
        rig.queue.expectRequests(3)
        #expect(rig.queue.progress.counts == .init(waiting: 5, running: 1))
        await rig.transport.exchange(0).answer(.ok())
        continuation.finish()
        #expect(await summary.counts == .init(finished: 1))
        #expect(rig.queue.progress.counts == .init(finished: 1))
    }

    /// The first transfer, which begins when the list has kept the queue waiting for as long as it may.
    private func startedExchange(_ rig: QueueRig<NetworkQueue>) async -> ScriptedExchange {
        while rig.transport.counts.started == 0 {
            rig.advance(by: .milliseconds(100))
            await Task.yield()
        }
        return await rig.transport.exchange(0)
    }

    @Test func `A list is read no faster than the delegate is told of the ends`() async throws {
        let list = List(count: 3_000)
        let toldCount = Reads()
        let mostUntold = Guarded(0)
        let transport = ScriptedTransport(keepsExchanges: false) { _ in .ok() }
        let rig = QueueRig(
            transport,
            onEvent: { _, event in
                guard event.kind == .didFinish else { return }
                // A slow delegate: the list is read twice as fast if nothing holds it back.
                var patience = 200
                while list.readCount.count < min(2 * toldCount.count, 3_000), patience > 0 {
                    sched_yield()
                    patience -= 1
                }
                mostUntold.withLock { $0 = max($0, list.readCount.count - toldCount.count) }
                toldCount.value.add(1, ordering: .sequentiallyConsistent)
            })
        #expect(try await rig.queue.run(adding: list).counts == .init(finished: 3_000))
        #expect(mostUntold.withLock { $0 } < 600)
    }

    @Test func `Requests that have been read run to their end before the sequence's error is thrown`() async throws {
        let rig = rig()
        await #expect(throws: Broken()) { try await rig.queue.run(adding: List(count: 500, throwsAtEnd: true)) }
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 500)])
    }

    @Test func `A failure that cancels the others ends the reading`() async throws {
        let rig = QueueRig(
            ScriptedTransport(keepsExchanges: false) { $0.url.path() == "/5" ? .fail(.timedOut) : .ok() },
            configure: { $0.maxConcurrentRequestCount = 1 })
        let list = List(count: 100_000)
        let summary = try await rig.queue.run(adding: list, expectedCount: 100_000)
        // One may have been on its way from the list, and is not added.
        let readCount = list.readCount.count
        #expect(summary.counts.failed == 1 && (readCount - 1...readCount).contains(summary.counts.total))
        #expect(readCount < 1_000)
    }

    @Test func `A reset ends the reading and the wait`() async throws {
        let rig = QueueRig()
        let list = List(count: 100_000)
        async let summary = rig.queue.run(adding: list, expectedCount: 100_000)
        await rig.transport.waitForExchanges(4)
        rig.queue.reset()
        _ = try await summary
        #expect(list.readCount.count < 1_000 && rig.queue.progress == NetworkQueue.Progress())
    }

    @Test func `Canceling the task cancels the requests that have been read and ends the reading`() async throws {
        let rig = QueueRig()
        let list = List(count: 100_000)
        let task = Task { [queue = rig.queue] in try await queue.run(adding: list) }
        await rig.transport.waitForExchanges(4)
        task.cancel()
        let summary = try await task.value
        #expect(summary.counts.cancelled == summary.counts.total && summary.counts.total < 1_000)
    }

    @Test func `A request that is added while the task is being canceled is canceled as well`() async throws {
        for round in 0..<300 {
            let rig = QueueRig()
            let list = List(count: 100_000)
            let task = Task { [queue = rig.queue] in try await queue.run(adding: list) }
            DispatchQueue.global().async {
                while list.readCount.count < round % 100 {}
                task.cancel()
            }
            let summary = try await task.value
            try #require(summary.counts.cancelled == summary.counts.total)
        }
    }

    @Test func `Fewer or more requests than expected make no difference at the end`() async throws {
        for expectedCount in [-5, 0, 3, 50] {
            let rig = rig(isAccurate: true)
            let summary = try await rig.queue.run(adding: List(count: 20), expectedCount: expectedCount)
            #expect(summary.counts == .init(finished: 20))
            #expect(rig.queue.progress.download == .init(transferred: 200, expected: 200, isEstimated: false))
        }
    }
}
