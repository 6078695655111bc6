import Dispatch
import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RetryTests {
    private let clock = ManualClock()
    private let transport = ScriptedTransport()

    private func makeQueue(
        _ recorder: DelegateRecorder, limit: Int = 4,
        policy: RetryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.seconds(2)))
    ) -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        configuration.maxConcurrentRequestCount = limit
        configuration.retryPolicy = policy
        let queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "test"),
            timekeeper: clock)
        queue.delegate = recorder
        return queue
    }

    /// The retries that have been announced.
    private func waitForRetries(_ count: Int, _ recorder: DelegateRecorder) async {
        await recorder.wait { events in
            events.count { if case .willRetry = $0 { true } else { false } } >= count
        }
    }

    @Test
    func `A failed attempt is repeated after its delay, and the result is the last attempt's`() async {
        let recorder = DelegateRecorder()
        let queue = makeQueue(recorder)
        let operation = queue.add(.test("a"))
        queue.go()
        await transport.waitForExchanges(1)
        transport.exchanges[0].receive(headers: ["Content-Length": "10"])
        transport.exchanges[0].receive(Data("lost".utf8))
        #expect(queue.progress.download.transferred == 4)
        transport.exchanges[0].end(.networkConnectionLost)
        await waitForRetries(1, recorder)

        #expect(operation.status == .retrying)
        #expect(operation.isExecuting && !operation.isFinished)
        #expect(operation.responseHead == nil)
        #expect(queue.progress.counts.retrying == 1)
        #expect(queue.progress.download.transferred == 0)
        clock.advance(by: .milliseconds(1999))
        #expect(transport.exchanges.count == 1)
        clock.advance(by: .milliseconds(1))
        await transport.waitForExchanges(2)
        transport.exchanges[1].receive(headers: ["Content-Length": "4"])
        transport.exchanges[1].receive(Data("good".utf8))
        transport.exchanges[1].end()
        await recorder.waitForDrain()

        #expect(operation.data == Data("good".utf8))
        #expect(operation.attempts == 2)
        #expect(recorder.story(of: operation) == ["start", "head 200", "retry connectionLost", "head 200", "finish"])
        #expect(queue.progress.download.transferred == 4)
    }

    @Test
    func `An operation that waits for a retry gives its slot back`() async {
        let recorder = DelegateRecorder()
        let queue = makeQueue(recorder, limit: 1)
        queue.add(.test("a"))
        queue.add(.test("b"))
        queue.go()
        await transport.waitForExchanges(1)
        transport.exchanges[0].end(.timedOut)
        await transport.waitForExchanges(2)
        #expect(transport.exchanges[1].exchange.url.path == "/b")
        // The time for the retry comes while the slot is taken: it goes next.
        clock.advance(by: .seconds(2))
        #expect(transport.exchanges.count == 2)
        transport.exchanges[1].receive()
        transport.exchanges[1].end()
        await transport.waitForExchanges(3)
        #expect(transport.exchanges[2].exchange.url.path == "/a")
        transport.exchanges[2].receive()
        transport.exchanges[2].end()
        await recorder.waitForDrain()
        #expect(recorder.summaries.map(\.counts.finished) == [2])
        #expect(transport.peakLiveCount == 1)
    }

    @Test
    func `The last failure is the result when the retries are used up, with the number of attempts`() async {
        let recorder = DelegateRecorder()
        let queue = makeQueue(recorder)
        let operation = queue.add(.test("a"))
        queue.go()
        for attempt in 1...4 {
            await transport.waitForExchanges(attempt)
            transport.exchanges[attempt - 1].receive(status: 503)
            transport.exchanges[attempt - 1].end()
            if attempt < 4 {
                await waitForRetries(attempt, recorder)
                clock.advance(by: .seconds(2))
            }
        }
        await recorder.waitForDrain()
        #expect(operation.error?.code == .httpStatus(503))
        #expect(operation.error?.attempts == 4)
        #expect(operation.responseHead?.statusCode == 503)
        let retry = "retry httpStatus(503)"
        #expect(recorder.story(of: operation) == ["start", retry, retry, retry, "head 503", "fail httpStatus(503)"])
    }

    @Test(arguments: [false, true])
    func `Cancelling during the wait ends the operation at once`(all: Bool) async {
        let recorder = DelegateRecorder()
        let queue = makeQueue(recorder)
        let operation = queue.add(.test("a"))
        queue.go()
        await transport.waitForExchanges(1)
        transport.exchanges[0].end(.timedOut)
        await waitForRetries(1, recorder)
        if all { queue.cancelAll() } else { operation.cancel() }
        await recorder.waitForDrain()
        #expect(recorder.story(of: operation) == ["start", "retry timedOut", "fail cancelled"])
        #expect(clock.scheduledCount == 0)
        #expect(transport.exchanges.count == 1)
    }

    @Test
    func `Cancelling while the retry waits for a slot ends the operation at once`() async {
        let recorder = DelegateRecorder()
        let queue = makeQueue(recorder, limit: 1)
        let operation = queue.add(.test("a"))
        queue.add(.test("b"))
        queue.go()
        await transport.waitForExchanges(1)
        transport.exchanges[0].end(.timedOut)
        await transport.waitForExchanges(2)
        clock.advance(by: .seconds(2))
        operation.cancel()
        #expect(operation.status == .cancelled)
        transport.exchanges[1].receive()
        transport.exchanges[1].end()
        await recorder.waitForDrain()
        #expect(transport.exchanges.count == 2)
        #expect(queue.requestCount == 0)
    }

    @Test
    func `A reset during the wait leaves nothing behind`() async {
        let recorder = DelegateRecorder()
        let queue = makeQueue(recorder)
        let operation = queue.add(.test("a"))
        queue.go()
        await transport.waitForExchanges(1)
        transport.exchanges[0].end(.timedOut)
        await waitForRetries(1, recorder)
        queue.reset()
        #expect(operation.status == .cancelled)
        #expect(clock.scheduledCount == 0)
        #expect(queue.requests.isEmpty)
    }

    @Test
    func `A request's own policy replaces the queue's`() async {
        let recorder = DelegateRecorder()
        let queue = makeQueue(recorder)
        var once = NetworkRequest(.test("a"))
        once.retryPolicy = .never
        let operation = queue.add(once)
        queue.go()
        await transport.waitForExchanges(1)
        transport.exchanges[0].end(.timedOut)
        await recorder.waitForDrain()
        #expect(recorder.story(of: operation) == ["start", "fail timedOut"])
    }

    @Test
    func `autoRetry repeats the failures in its set, and no others, after its delay, any number of times`() async {
        var configuration = RequestQueue.Configuration()
        configuration.allowsDuplicateRequests = true
        let queue = RequestQueue(configuration: configuration, transport: transport, timekeeper: clock)
        let operation = RequestOperation(NetworkRequest(.test("a")))
        operation.autoRetry = true
        operation.autoRetryErrorCodes = [.cannotFindHost]
        let ended = Gathering<NetworkError?>()
        operation.completionHandler = { _, _, error in ended.add(error) }
        queue.add(operation)
        for attempt in 1...20 {
            await transport.waitForExchanges(attempt)
            transport.exchanges[attempt - 1].end(.cannotFindHost)
            #expect(operation.status == .retrying)
            clock.advance(by: .milliseconds(4999))
            #expect(transport.exchanges.count == attempt)
            clock.advance(by: .milliseconds(1))
        }
        await transport.waitForExchanges(21)
        transport.exchanges[20].end(.timedOut)
        let errors = await ended.wait(count: 1)
        #expect(errors.first??.code == .timedOut)
        #expect(operation.attempts == 21)
    }

    @Test
    func `autoRetry is off by default, with 5 s and the transient codes`() {
        let operation = RequestOperation(NetworkRequest(.test("a")))
        #expect(!operation.autoRetry)
        #expect(operation.autoRetryDelay == .seconds(5))
        #expect(
            operation.autoRetryErrorCodes == [
                .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .networkConnectionLost, .resourceUnavailable,
            ])
        #expect(!operation.autoRetryErrorCodes.contains(.badURL))
    }
}
