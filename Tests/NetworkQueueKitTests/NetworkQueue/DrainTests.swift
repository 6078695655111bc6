import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DrainTests {
    /// What becomes of the requests of a batch.
    enum Mix: CaseIterable {
        case allSucceed, allFail, allCancelled, lastFails, firstFails, mixed

        func answer(_ number: Int, of count: Int) -> ScriptedTransport.Answer {
            switch self {
            case .allSucceed: .ok()
            case .allFail: .fail(.timedOut)
            case .allCancelled: .hold
            case .lastFails: number == count - 1 ? .status(500) : .ok()
            case .firstFails: number == 0 ? .fail(.cannotFindHost) : .ok()
            case .mixed: [.ok(), .fail(.networkConnectionLost), .status(404)][number % 3]
            }
        }
    }

    static let settings = [1, 4, 0].flatMap { limit in
        [false, true].flatMap { cancelsAll in [false, true].map { (limit, cancelsAll, isSynchronous: $0) } }
    }

    @Test(arguments: [false, true])
    func `Requests that are added together to a drained queue are one run`(areRecords: Bool) async {
        let rig = QueueRig(ScriptedTransport(isSynchronous: true) { _ in .ok() })
        await rig.queue.run()
        let requests = (0..<500).map { NetworkRequest(.test("\($0)")) }
        // Through the protocol, which both queues have in common.
        let queue: any RequestQueueing = rig.queue
        if areRecords { queue.add(contentsOf: requests.map(\.record)) } else { queue.add(contentsOf: requests) }
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries.map(\.counts) == [.init(), .init(finished: 500)])
    }

    @Test(arguments: Mix.allCases, settings)
    func `The drain is reported once, after every request has ended, whatever the mix of ends`(
        mix: Mix, setting: (Int, Bool, isSynchronous: Bool)
    ) async {
        let count = 9
        let transport = ScriptedTransport(isSynchronous: setting.isSynchronous) { exchange in
            mix.answer(Int(exchange.url.lastPathComponent) ?? 0, of: count)
        }
        let rig = QueueRig(
            transport,
            configure: {
                $0.maxConcurrentRequestCount = setting.0
                $0.cancelsAllOnFailure = setting.1
            })
        let operations = rig.add(count)
        if mix == .mixed { rig.queue.cancel(operations[7]) }
        rig.queue.go()
        if mix == .allCancelled { rig.queue.cancelAll() }
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.isLastDrain)
        // Each operation has ended, and has been told, exactly once.
        for operation in operations {
            let ends = rig.recorder.story(of: operation).filter { $0.hasPrefix("fi") || $0.hasPrefix("fa") }
            #expect(ends.count == 1)
        }
        let counts = rig.recorder.summaries[0].counts
        #expect(counts.finished + counts.failed + counts.cancelled == count && counts.total == count)
        for (status, number) in [
            (RequestOperation.Status.finished, counts.finished), (.failed, counts.failed),
            (.cancelled, counts.cancelled),
        ] { #expect(operations.count { $0.status == status } == number) }
        await rig.flush()
        #expect(rig.recorder.summaries.count == 2)
    }

    @Test func `go() on an empty queue reports a drain, too`() async {
        let rig = QueueRig()
        rig.queue.go()
        await rig.recorder.waitForDrain()
        let summary = rig.recorder.summaries[0]
        #expect(summary.counts == NetworkQueue.Progress.Counts() && summary.firstFailure == nil && summary.isSuccess)
        #expect(rig.recorder.updates.map(\.fractionCompleted) == [1])
        #expect(!rig.queue.isRunning)
    }

    @Test func `go() on a queue whose requests were all canceled before reports a drain`() async {
        let rig = QueueRig()
        rig.add(3)
        rig.queue.cancelAll()
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(cancelled: 3)])
    }

    @Test func `A cancellation before go() reports no drain`() async {
        let rig = QueueRig()
        rig.add(1)
        rig.queue.cancelAll()
        await rig.recorder.wait { !$0.isEmpty }
        #expect(rig.recorder.events.map(\.kind) == [.didFail])
        rig.transport.setScript { _ in .ok() }
        rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 1, cancelled: 1)])
    }

    @Test func `go() on a running queue changes nothing`() async {
        let rig = QueueRig()
        rig.add(1)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        rig.queue.go()
        #expect(rig.queue.isRunning)
        exchange.answer(.ok())
        await rig.recorder.waitForDrain()
        await rig.flush()
        #expect(rig.transport.counts.started == 2)
        #expect(rig.recorder.summaries.map(\.counts.total) == [1, 1])
    }

    @Test func `go() on a drained queue reports an empty drain of its own`() async {
        let rig = QueueRig(ScriptedTransport { _ in .fail(.timedOut) })
        rig.add(2)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts == .init(failed: 1, cancelled: 1))
        rig.advance(by: .seconds(60))
        rig.queue.go()
        await rig.recorder.waitForDrain(2)
        let summary = rig.recorder.summaries[1]
        #expect(summary.counts.total == 0 && summary.firstFailure == nil && summary.duration == .zero)
    }

    @Test func `A request added to a running queue starts at once and belongs to its drain`() async {
        let rig = QueueRig()
        rig.add(1)
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        rig.queue.add(.test("late"))
        let late = await rig.transport.exchange(1)
        #expect(late.path == "/late")
        for exchange in rig.transport.exchanges { exchange.answer(.ok()) }
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [2])
    }

    @Test
    func `A request added to a drained queue starts without go() and brings a new drain with its own counts`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok(Data("abc".utf8)) })
        rig.add(3)
        await rig.queue.run()
        rig.advance(by: .seconds(5))
        rig.queue.add(.test("next"))
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries.map(\.counts.finished) == [3, 1])
        #expect(rig.recorder.summaries.map(\.bytesReceived) == [9, 3])
        #expect(rig.recorder.summaries[1].duration == .zero)
    }

    @Test func `The summary counts the bytes that came in this run, and progress the resumed ones, too`()
        async throws
    {
        let rig = QueueRig.started { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) }
        // The first drain is that of the rig, which starts its queue empty.
        await rig.recorder.waitForDrain()
        let request = rig.request()
        let rest: HTTPHeaders = ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\"", "Content-Length": "5"]
        // 5 bytes are left of a run that fails for good.
        rig.queue.retryPolicy = .never
        await rig.interrupt(request)
        await rig.recorder.waitForDrain(2)
        let (operation, exchange) = await rig.start(request)
        exchange.answer(.respond(status: 206, headers: rest, body: Data("56789".utf8)))
        await rig.end(of: operation)
        await rig.recorder.waitForDrain(3)
        #expect(rig.recorder.summaries.map(\.bytesReceived) == [0, 0, 5])
        #expect(rig.queue.progress.download.transferred == 10 && operation.metrics?.bytesReceived == 5)
        // What a retry resumes came in the same run.
        rig.queue.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero))
        let again = rig.queue.add(rig.request(to: "again"))
        let first = await rig.transport.exchange(2)
        first.receive(headers: ["ETag": "\"v1\"", "Content-Length": "10"])
        first.receive(Data("01234".utf8))
        first.end(.networkConnectionLost)
        await rig.transport.exchange(3).answer(.respond(status: 206, headers: rest, body: Data("56789".utf8)))
        await rig.end(of: again)
        await rig.recorder.waitForDrain(4)
        #expect(again.error == nil && rig.recorder.summaries[3].bytesReceived == 10)
    }

    @Test func `The summary lists failures in their order, without canceled requests`() async {
        let rig = QueueRig(configure: {
            $0.cancelsAllOnFailure = false
            $0.maxConcurrentRequestCount = 0
        })
        let operations = rig.add(5)
        rig.queue.go()
        await rig.transport.waitForExchanges(5)
        operations[4].cancel()
        for (number, answer) in [(3, ScriptedTransport.Answer.status(500)), (0, .fail(.timedOut)), (1, .ok())] {
            rig.transport.exchanges[number].answer(answer)
        }
        rig.transport.exchanges[2].answer(.status(404))
        await rig.recorder.waitForDrain()
        let failures = rig.recorder.summaries[0].failures
        #expect(failures.map(\.operation.id) == [3, 0, 2].map { operations[$0].id })
        #expect(failures.map(\.error.code) == [.httpStatus(500), .timedOut, .httpStatus(404)])
        #expect(rig.recorder.summaries[0].firstFailure?.operation === operations[3])
    }

    @Test func `The summary keeps the pages of the first 100 failures, and the heads of all`() async {
        let page = Data("a page".utf8)
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true) { _ in .respond(status: 500, headers: [:], body: page) },
            configure: { $0.cancelsAllOnFailure = false })
        let operations = rig.add(103)
        let failures = await rig.queue.run().failures
        #expect(operations.allSatisfy { $0.data == nil })
        #expect(operations.suffix(3).allSatisfy { $0.error?.response?.data == nil })
        #expect(failures.map(\.error.response?.data) == Array(repeating: page, count: 100) + [nil, nil, nil])
        #expect(failures.allSatisfy { $0.error.response?.head.statusCode == 500 })
    }

    @Test func `The summary counts time, bytes and ends`() async {
        let rig = QueueRig(configure: { $0.cancelsAllOnFailure = false })
        var upload = NetworkRequest(.test("up"))
        upload.urlRequest.httpMethod = "PUT"
        upload.body = .data(Data(count: 7))
        rig.queue.add(upload)
        rig.queue.add(.test("down"))
        rig.queue.add(.test("bad"))
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        rig.advance(by: .seconds(3))
        for exchange in rig.transport.exchanges {
            if exchange.path == "/up" { exchange.send(7) }
            exchange.answer(exchange.path == "/bad" ? .status(404) : .ok(Data("12345".utf8)))
        }
        await rig.recorder.waitForDrain()
        let summary = rig.recorder.summaries[0]
        #expect(summary.duration == .seconds(3) && summary.bytesReceived == 10 && summary.bytesSent == 7)
        #expect(!summary.isSuccess && summary.firstFailure?.error.code == .httpStatus(404))
    }

    @Test func `A summary can be made by hand, with its failures`() {
        let operation = RequestOperation(NetworkRequest(.test("a")))
        let failure = NetworkQueue.Summary.Failure(operation: operation, error: NetworkError(.timedOut))
        let summary = NetworkQueue.Summary(
            counts: .init(finished: 2, failed: 1), failures: [failure], duration: .seconds(3), bytesReceived: 4,
            bytesSent: 5)
        #expect(summary.firstFailure?.operation === operation && summary.firstFailure?.error.code == .timedOut)
        #expect(summary.failures.count == 1 && summary.counts.total == 3 && !summary.isSuccess)
        #expect(summary.duration == .seconds(3) && summary.bytesReceived == 4 && summary.bytesSent == 5)
        let success = NetworkQueue.Summary(counts: .init(finished: 2))
        #expect(success.isSuccess && success.failures.isEmpty && success.duration == .zero)
    }

    @Test func `A request that cannot run, or was canceled before it was added, still lets the queue drain`() async {
        let rig = QueueRig()
        rig.queue.add(URL(filePath: "/no/such/file"))
        let cancelled = RequestOperation(NetworkRequest(.test("a")))
        cancelled.cancel()
        rig.queue.add(cancelled)
        await rig.queue.run()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 1, cancelled: 1)])
    }
}
