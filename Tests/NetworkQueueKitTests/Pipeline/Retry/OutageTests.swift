import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// netqueue of 6cd524d failed all files of a server that was away for four seconds (the report that is replayed as
/// `outage_of_four_seconds`); the right number of failures is none.
@Suite(.timeLimit(.minutes(10)))
struct OutageTests {
    /// ``RetryPolicy/standard`` without triggers, which other tests of this process could fire.
    private static func standard(_ maxRetries: Int = 10) -> RetryPolicy {
        var policy = RetryPolicy.standard
        policy.maxRetries = maxRetries
        policy.earlyRetryTriggers = []
        return policy
    }

    private func rig(_ policy: RetryPolicy = standard(), limit: Int = 4) -> QueueRig<NetworkQueue> {
        QueueRig {
            $0.retryPolicy = policy
            $0.cancelsAllOnFailure = false
            $0.maxConcurrentRequestCount = limit
        }
    }

    /// Lets time pass in steps, each with what falls due in it.
    private func pass(
        _ duration: Duration, _ rig: QueueRig<NetworkQueue>, by step: Duration = .milliseconds(250)
    ) async {
        await rig.transport.wait { $0.isQuiet }
        for _ in 0..<Int(duration / step) {
            rig.advance(by: step)
            await rig.transport.wait { $0.isQuiet }
        }
    }

    @Test(arguments: [URLError.Code.cannotConnectToHost, .networkConnectionLost])
    func `An unreachable origin is tried again for 30 s, whatever the retry count, but not before 0.5 s`(
        code: URLError.Code
    ) async {
        let rig = rig(Self.standard(1))
        let clock = rig.clock
        rig.transport.setScript { _ in clock.now < .seconds(29) ? .fail(code) : .ok() }
        let operations = rig.add(6)
        rig.queue.go()
        await pass(.seconds(31), rig)
        await rig.recorder.waitForDrain()
        #expect(operations.allSatisfy { $0.status == .finished && $0.attempts > 2 })
        let delays = rig.retryDelays
        #expect(delays.count >= 12 && delays.allSatisfy { $0 >= .seconds(0.5) })
        // No two of the first six are equal: they must not come back together.
        #expect(Set(delays.prefix(6)).count == 6)
    }

    @Test func `A thousand requests to an unreachable origin fail within a minute, and later ones at once`() async {
        let rig = rig()
        rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
        let operations = rig.add(1000)
        rig.queue.go()
        await pass(.seconds(32), rig)
        await rig.recorder.waitForDrain()
        #expect(operations.allSatisfy { $0.error?.code == .cannotConnectToHost })

        // Settings are the requests'; what is known about origins is the queue's.
        rig.queue.headers = ["A": "b"]
        let late = rig.queue.add(.test("late"))
        await rig.recorder.waitForDrain(2)
        #expect(late.attempts == 1 && late.error?.code == .cannotConnectToHost)
        let elsewhere = rig.queue.add(URL(string: "http://host.test:81/") ?? .test(""))
        await pass(.seconds(10), rig)
        #expect(elsewhere.status == .retrying)
        elsewhere.cancel()
        await rig.recorder.waitForDrain(3)
    }

    @Test(arguments: [true, false])
    func `An unreachable origin is tried again once it has answered or all is forgotten`(isAnswer: Bool) async {
        let rig = rig()
        rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
        rig.add(1)
        rig.queue.go()
        await pass(.seconds(40), rig)
        await rig.recorder.waitForDrain()
        if isAnswer {
            rig.transport.setScript { _ in .status(404) }
            rig.add(1)
            await rig.recorder.waitForDrain(2)
            rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
        } else {
            rig.queue.reset()
        }
        let next = rig.queue.add(.test("next"))
        rig.queue.go()
        await pass(.seconds(20), rig)
        #expect(next.status == .retrying)
        next.cancel()
    }

    @Test func `An origin that fails for one request alone is not asked forever`() async {
        let rig = rig()
        rig.transport.setScript { $0.path == "/0" ? .fail(.networkConnectionLost) : .ok() }
        let operation = rig.add(1)[0]
        rig.queue.go()
        for number in 1...64 {
            await pass(.milliseconds(500), rig)
            rig.queue.add(.test("\(number)"))
        }
        await rig.transport.wait { $0.isQuiet }
        #expect(operation.error?.code == .connectionLost && operation.attempts > 5)
    }

    /// The server is away for a moment at 0, 20 and 40 s. Meanwhile another request has the only slot: it is answered,
    /// or its connection is lost after the server has taken more than 1 MiB.
    @Test(arguments: [URLError.Code.cannotConnectToHost, .networkConnectionLost], [true, false])
    func `A request that only waited for a slot from one outage to the next does not fail in the third`(
        code: URLError.Code, isAnswered: Bool
    ) async {
        let rig = rig(Self.standard(5), limit: 1)
        let operation = rig.add(1)[0]
        for path in ["b", "c", "d"] {
            var other = NetworkRequest.put(.test(path), body: .data(Data(count: 2 << 20)))
            other.retryPolicy = .never
            rig.queue.add(other)
        }
        rig.queue.go()
        for outage in 0..<3 {
            await rig.transport.exchange(2 * outage).end(code)
            await rig.transport.waitForExchanges(2 * outage + 2)
            #expect(rig.transport.exchanges[2 * outage].path == "/0")
            if outage == 2 { break }
            let other = rig.transport.exchanges[2 * outage + 1]
            rig.advance(by: .seconds(10))
            other.send(2 << 20)
            rig.advance(by: .seconds(10))
            if isAnswered { other.answer(.ok()) } else { other.end(.networkConnectionLost) }
        }
        #expect(rig.clock.now == .seconds(40) && operation.status == .retrying)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `A pause does not count as a time in which the origin could not be reached`() async {
        let rig = rig(limit: 1)
        let operation = rig.add(1)[0]
        rig.queue.go()
        await rig.transport.exchange(0).end(.networkConnectionLost)
        await rig.waitForRetries(1)
        operation.pause()
        rig.advance(by: .seconds(100))
        rig.transport.setScript { _ in .status(404) }
        rig.queue.add(.test("other"))
        await rig.recorder.wait { $0.contains { $0.kind == .didFail } }
        rig.transport.setScript { _ in .hold }
        operation.resume()
        await rig.transport.exchange(2).end(.networkConnectionLost)
        await rig.waitForRetries(2)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test(arguments: [URLError.Code.timedOut, .cannotFindHost])
    func `An origin that takes too long, or whose name is not found, does not count as unreachable`(code: URLError.Code)
        async
    {
        let rig = rig(Self.standard(2))
        rig.transport.setScript { _ in .fail(code) }
        let operation = rig.add(1)[0]
        rig.queue.go()
        await pass(.seconds(2), rig)
        await rig.recorder.waitForDrain()
        #expect(operation.attempts == 3)
    }

    @Test(arguments: [true, false])
    func `An origin that sends a head, or takes over 1 MiB, before a loss does not count as unreachable`(hasHead: Bool)
        async
    {
        let rig = rig(Self.standard(2))
        let operation = rig.queue.add(.put(.test("a"), body: .data(Data(count: 2 << 20))))
        rig.queue.go()
        for number in 0..<3 {
            let exchange = await rig.transport.exchange(number)
            if hasHead { exchange.receive(headers: ["Content-Length": "10"]) } else { exchange.send(1 << 20 + 1) }
            exchange.end(.networkConnectionLost)
            rig.advance(by: .seconds(2))
        }
        await rig.recorder.waitForDrain()
        #expect(operation.attempts == 3)
    }

    @Test func `An unreachable origin is not waited for if there are no retries or a decider says so`() async {
        let rig = rig(Self.standard(0))
        rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
        var decided = NetworkRequest(.test("decided"))
        decided.retryPolicy = Self.standard()
        decided.retryDecider = .decider { _, context in context.attempt < 3 ? .retry(after: .zero) : .fail }
        let operations = [rig.queue.add(.test("never")), rig.queue.add(decided)]
        await rig.queue.run()
        #expect(operations.map(\.attempts) == [1, 3] && rig.clock.now == .zero)
    }

    @Test func `The wait for an unreachable origin follows a constant backoff, from 0.5 s up to the end`() async {
        for (delay, expected) in [
            (Duration.zero, [0.5, 0.5, 0.5]), (.seconds(2), [2, 2, 2]), (.seconds(20), [20, 10]),
        ] {
            var policy = Self.standard()
            policy.backoff = .constant(delay)
            let rig = rig(policy)
            rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
            rig.add(1)
            rig.queue.go()
            await pass(.seconds(31), rig)
            await rig.recorder.waitForDrain()
            #expect(rig.retryDelays.prefix(3).map { $0 } == expected.map { .seconds($0) })
        }
    }

    @Test func `An unreachable origin is tried no earlier than after 0.5 s even if a trigger fires at once`() async {
        let trigger = ScriptedTrigger(firesInside: true)
        var policy = Self.standard()
        policy.backoff = .constant(.seconds(20))
        policy.earlyRetryTriggers = [trigger]
        let rig = rig(policy, limit: 0)
        rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
        rig.add(100)
        rig.queue.go()
        await pass(.milliseconds(450), rig, by: .milliseconds(50))
        #expect(rig.transport.counts.started == 100)
        await pass(.milliseconds(2550), rig, by: .milliseconds(50))
        #expect(rig.transport.counts.started >= 200)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `An unreachable origin is not waited for beyond a request's total timeout`() async {
        let rig = rig(Self.standard())
        rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
        for _ in 0..<10 {
            rig.queue.add(.test("a") { $0.totalTimeout = .seconds(5) })
        }
        rig.queue.go()
        await pass(.seconds(5), rig)
        await rig.recorder.waitForDrain()
        #expect(rig.queue.progress.counts.failed == 10)
    }
}
