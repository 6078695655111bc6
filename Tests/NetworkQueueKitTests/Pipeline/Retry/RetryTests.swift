import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RetryTests {
    private func rig(limit: Int = 4) -> QueueRig<NetworkQueue> {
        QueueRig {
            $0.maxConcurrentRequestCount = limit
            $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.seconds(2)))
        }
    }

    /// Starts GETs for `/0`, `/1`, …, of which the first fails and then waits for its retry.
    private func wait(_ rig: QueueRig<NetworkQueue>, count: Int = 1) async -> RequestOperation {
        let operation = rig.add(count)[0]
        rig.queue.go()
        await rig.transport.exchange(0).end(.timedOut)
        await rig.waitForRetries(1)
        return operation
    }

    @Test func `A failed attempt is repeated after its delay, and the result is the last attempt's`() async {
        let rig = rig()
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        let first = await rig.transport.exchange(0)
        first.receive(headers: ["Content-Length": "10"])
        first.receive(Data("lost".utf8))
        #expect(rig.queue.progress.download.transferred == 4)
        first.end(.networkConnectionLost)
        await rig.waitForRetries(1)
        #expect(operation.status == .retrying && operation.isExecuting && !operation.isFinished)
        #expect(operation.responseHead == nil)
        #expect(rig.queue.progress.counts.retrying == 1 && rig.queue.progress.download.transferred == 0)
        rig.advance(by: .milliseconds(1999))
        #expect(rig.transport.exchanges.count == 1)
        rig.advance(by: .milliseconds(1))
        await rig.transport.exchange(1).answer(.ok("good"))
        await rig.recorder.waitForDrain()
        #expect(operation.data == Data("good".utf8) && operation.attempts == 2)
        #expect(
            rig.recorder.story(of: operation) == ["start", "head 200", "retry connectionLost", "head 200", "finish"])
        #expect(rig.queue.progress.download.transferred == 4)
    }

    @Test func `An operation that waits for a retry gives its slot back`() async {
        let rig = rig(limit: 1)
        _ = await wait(rig, count: 2)
        let other = await rig.transport.exchange(1)
        // The time for the retry comes while the slot is taken: it goes next.
        rig.advance(by: .seconds(2))
        #expect(rig.transport.exchanges.count == 2)
        other.answer(.ok())
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.map(\.path) == ["/0", "/1", "/0"] && rig.transport.peakLiveCount == 1)
        #expect(rig.recorder.summaries.map(\.counts.finished) == [2])
    }

    @Test func `The last failure is the result when the retries are used up, with the number of attempts`() async {
        let rig = rig()
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        for attempt in 1...4 {
            await rig.transport.exchange(attempt - 1).answer(.status(503))
            if attempt < 4 {
                await rig.waitForRetries(attempt)
                rig.advance(by: .seconds(2))
            }
        }
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .httpStatus(503) && operation.error?.attempts == 4)
        #expect(operation.responseHead?.statusCode == 503)
        let retry = "retry httpStatus(503)"
        #expect(
            rig.recorder.story(of: operation) == ["start", retry, retry, retry, "head 503", "fail httpStatus(503)"])
    }

    @Test(arguments: ["operation", "cancelAll", "reset"])
    func `Cancelling during the wait ends the operation at once and leaves nothing behind`(end: String) async {
        let rig = rig()
        let operation = await wait(rig)
        switch end {
        case "operation": operation.cancel()
        case "cancelAll": rig.queue.cancelAll()
        default: rig.queue.reset()
        }
        #expect(operation.status == .cancelled && rig.queue.requests.isEmpty)
        if end != "reset" { await rig.recorder.waitForDrain() }
        #expect(
            rig.recorder.story(of: operation)
                == ["start", "retry timedOut"] + (end == "reset" ? [] : ["fail cancelled"]))
        #expect(rig.scheduledCount == 0 && rig.transport.exchanges.count == 1)
    }

    @Test func `Cancelling while the retry waits for a slot ends the operation at once`() async {
        let rig = rig(limit: 1)
        let operation = await wait(rig, count: 2)
        let other = await rig.transport.exchange(1)
        rig.advance(by: .seconds(2))
        operation.cancel()
        #expect(operation.status == .cancelled)
        other.answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.count == 2 && rig.queue.requestCount == 0)
    }

    @Test func `A request's own policy replaces the queue's`() async {
        let rig = rig()
        rig.transport.setScript { _ in .fail(.timedOut) }
        let operation = await rig.run(.test("a") { $0.retryPolicy = .never })
        #expect(rig.recorder.story(of: operation) == ["start", "fail timedOut"])
    }

    @Test func `autoRetry repeats the failures in its set, and no others, after its delay, any number of times`() async
    {
        let rig = QueueRig.requestQueue()
        let operation = rig.make(NetworkRequest(.test("a")))
        operation.autoRetry = true
        operation.autoRetryErrorCodes = [.cannotFindHost]
        rig.queue.add(operation)
        for attempt in 1...20 {
            await rig.transport.exchange(attempt - 1).end(.cannotFindHost)
            #expect(operation.status == .retrying)
            rig.advance(by: .milliseconds(4999))
            #expect(rig.transport.exchanges.count == attempt)
            rig.advance(by: .milliseconds(1))
        }
        await rig.transport.exchange(20).end(.timedOut)
        #expect(await rig.texts(1) == ["/a timedOut"] && operation.attempts == 21)
    }

    @Test func `autoRetry is off by default, with 5 s and the transient codes`() {
        let operation = RequestOperation(NetworkRequest(.test("a")))
        #expect(!operation.autoRetry)
        #expect(operation.autoRetryDelay == .seconds(5))
        #expect(
            operation.autoRetryErrorCodes == [
                .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .networkConnectionLost, .resourceUnavailable,
            ])
    }
}
