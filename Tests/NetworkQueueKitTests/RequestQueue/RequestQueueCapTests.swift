import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueCapTests {
    private let clock = ManualClock()

    /// A cap that lets three requests run.
    private func makeCap() -> RequestCap { RequestCap(measure: { (25, 0) }) }

    private func makeQueue(_ transport: any Transport, _ cap: RequestCap) -> RequestQueue {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = 0
        configuration.allowsDuplicateRequests = true
        return RequestQueue(configuration: configuration, transport: transport, timekeeper: clock, cap: cap)
    }

    @Test func `A queue holds back the requests beyond the cap, and starts them as its own requests end`() async {
        let transport = ScriptedTransport { _ in .hold }
        let cap = makeCap()
        let queue = makeQueue(transport, cap)
        let operations = (0..<50).map { queue.add(.test("\($0)")) }
        await transport.waitForExchanges(3)
        #expect(transport.liveCount == 3 && queue.requestCount == 50)
        for number in 0..<50 { await transport.exchange(number).answer(.ok()) }
        await queue.waitUntilEmpty()
        #expect(operations.allSatisfy { $0.error == nil } && transport.peakLiveCount == 3 && cap.freePlaces == 3)
    }

    @Test func `A queue with nothing running starts one beyond the cap, and asks for more after a second`() async {
        let (firstTransport, secondTransport) = (ScriptedTransport { _ in .hold }, ScriptedTransport { _ in .hold })
        let cap = makeCap()
        let (first, second) = (makeQueue(firstTransport, cap), makeQueue(secondTransport, cap))
        for number in 0..<3 { first.add(.test("\(number)")) }
        for number in 0..<3 { second.add(.test("\(number)")) }
        await firstTransport.waitForExchanges(3)
        await secondTransport.waitForExchanges(1)
        await clock.waitForScheduledCalls(1)
        // Still refused: the queue asks again, and sets the timer again.
        second.settle()
        clock.advance(by: .seconds(1))
        second.settle()
        #expect(secondTransport.liveCount == 1 && clock.scheduledCount == 1)
        for number in 0..<3 { await firstTransport.exchange(number).answer(.ok()) }
        await first.waitUntilEmpty()
        #expect(secondTransport.liveCount == 1)
        second.settle()
        clock.advance(by: .seconds(1))
        await secondTransport.waitForExchanges(3)
        second.settle()
        #expect(clock.scheduledCount == 0)
        for number in 0..<3 { await secondTransport.exchange(number).answer(.ok()) }
        await second.waitUntilEmpty()
        #expect(cap.freePlaces == 3)
    }

    @Test func `A queue that has reached its own limit sets no timer`() async {
        let transport = ScriptedTransport { _ in .hold }
        let queue = makeQueue(transport, makeCap())
        queue.maxConcurrentRequestCount = 3
        for number in 0..<6 { queue.add(.test("\(number)")) }
        await transport.waitForExchanges(3)
        queue.settle()
        #expect(clock.scheduledCount == 0)
        queue.cancelAll()
        await queue.waitUntilEmpty()
    }

    @Test
    func `A request that waits for a retry has no place, nor have the requests that a queue leaves behind`() async {
        let transport = ScriptedTransport { _ in .hold }
        let cap = makeCap()
        do {
            let queue = makeQueue(transport, cap)
            queue.retryPolicy = .standard
            for number in 0..<4 { queue.add(.test("\(number)")) }
            await transport.exchange(0).answer(.fail(.timedOut))
            await transport.waitForExchanges(4)
            queue.cancelAll()
            await queue.waitUntilEmpty()
        }
        await transport.wait { $0.isQuiet }
        #expect(await eventually { cap.freePlaces == 3 })
    }

    @Test func `An operation in no queue takes a place, and is never refused`() async {
        let transport = ScriptedTransport { _ in .hold }
        let cap = makeCap()
        let operations = (0..<4).map { RequestOperation(NetworkRequest(.test("\($0)"))) }
        for operation in operations {
            operation.setStandalone(transport: transport, timekeeper: clock, cap: cap)
            operation.start()
        }
        await transport.waitForExchanges(4)
        #expect(cap.freePlaces == 0)
        for number in 0..<4 { await transport.exchange(number).answer(.ok()) }
        for operation in operations { _ = try? await operation.response() }
        #expect(await eventually { cap.freePlaces == 3 })
    }
}
