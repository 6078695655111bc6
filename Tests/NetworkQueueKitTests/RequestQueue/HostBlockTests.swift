import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct HostBlockTests {
    /// Waits for it by a clock that has run before it has been noted what it is for.
    private struct HastyTimekeeper: Timekeeper {
        private final class Call: ScheduledCall {
            func cancel() {}
        }

        var now: Duration { .zero }

        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
            body()
            return Call()
        }
    }

    private struct HoldMonitor: QueueMonitor {
        let hosts = Gathering<String>()

        func didHold(host: String, for delay: Duration, in context: AttemptContext) { hosts.add(host) }
    }

    private func rig(
        limit: Int = 1, configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(configure: {
            $0.maxConcurrentRequestCount = limit
            $0.cancelsAllOnFailure = false
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(1)))
            configure(&$0)
        })
    }

    private func url(_ host: String, _ path: String) -> URL { URL(string: "http://\(host)/\(path)") ?? .test(path) }

    private func refuse(_ exchange: ScriptedExchange, _ status: Int = 503, after time: String = "10") {
        exchange.answer(.status(status, ["Retry-After": time]))
    }

    /// Starts requests to one host, and refuses the first.
    private func refuseFirst(
        of count: Int, _ rig: QueueRig<NetworkQueue>, _ status: Int = 503, after time: String = "10"
    ) async {
        for number in 1...count { rig.queue.add(url("a.test", "\(number)")) }
        rig.queue.go()
        refuse(await rig.transport.exchange(0), status, after: time)
    }

    private func waitForRetries(_ count: Int, _ rig: QueueRig<NetworkQueue>) async {
        await rig.recorder.wait { $0.count { $0.kind == .willRetry } >= count }
    }

    @Test(arguments: [429, 503])
    func `A server that asks for time holds back the waiting requests to it, and no others`(status: Int) async {
        let rig = rig()
        rig.queue.add(url("a.test", "1"))
        rig.queue.add(url("A.test:8080", "2"))
        rig.queue.add(url("b.test", "3"))
        rig.queue.go()
        refuse(await rig.transport.exchange(0), status)
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        #expect(rig.transport.exchanges.map(\.path) == ["/1", "/3"])

        rig.advance(by: .milliseconds(9999))
        #expect(rig.transport.exchanges.count == 2)
        rig.transport.setScript { _ in .ok() }
        rig.advance(by: .milliseconds(1))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [3])
        #expect(rig.clock.now == .seconds(10))
    }

    @Test func `A server behind a redirect holds back the requests to it and to the host that has led there`() async {
        let monitor = HoldMonitor()
        let rig = rig { $0.monitors = [monitor] }
        rig.queue.add(url("A.test", "1"))
        rig.queue.add(url("a.test", "2"))
        rig.queue.add(url("cdn.test", "3"))
        rig.queue.add(url("b.test", "4"))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(302, ["Location": "http://cdn.test/moved"]))
        refuse(await rig.transport.exchange(1), 429)
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        #expect(rig.transport.exchanges.map(\.path) == ["/1", "/moved", "/4"])
        #expect(monitor.hosts.values == ["cdn.test", "a.test"])

        rig.transport.setScript { _ in .ok() }
        rig.advance(by: .seconds(10))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [4])
        #expect(rig.clock.now == .seconds(10))
    }

    @Test func `A Retry-After with a 500 is obeyed by that request alone`() async {
        let rig = rig()
        await refuseFirst(of: 2, rig, 500)
        await rig.transport.exchange(1).answer(.ok())
        await waitForRetries(1, rig)
        rig.advance(by: .milliseconds(9999))
        #expect(rig.transport.exchanges.count == 2)
        rig.advance(by: .milliseconds(1))
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.waitForDrain()
    }

    @Test func `A server that asks for time lets the running requests go on`() async {
        let rig = rig(limit: 2)
        rig.queue.add(url("a.test", "1"))
        let other = rig.queue.add(url("a.test", "2"))
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        refuse(rig.transport.exchanges[0])
        rig.transport.exchanges[1].answer(.ok(Data("x".utf8)))
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        #expect(other.data == Data("x".utf8))
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test(arguments: [("5", "20"), ("20", "5")])
    func `A server that asks for time twice gets the longest time`(first: String, second: String) async {
        let rig = rig(limit: 2)
        for path in ["1", "2", "3"] { rig.queue.add(url("a.test", path)) }
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        refuse(rig.transport.exchanges[0], after: first)
        refuse(rig.transport.exchanges[1], after: second)
        await waitForRetries(2, rig)
        rig.advance(by: .milliseconds(19_999))
        #expect(rig.transport.exchanges.count == 2)
        rig.transport.setScript { _ in .ok() }
        rig.advance(by: .milliseconds(1))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts.finished == 3)
        #expect(rig.scheduledCount == 0)
    }

    @Test(arguments: ["soon", "0", "Sun, 06 Nov 1994 08:49:37 GMT"])
    func `A Retry-After that means no time blocks no host`(time: String) async {
        let rig = rig()
        await refuseFirst(of: 2, rig, after: time)
        rig.transport.setScript { _ in .ok() }
        await rig.transport.exchange(1).answer(.ok())
        await waitForRetries(1, rig)
        rig.advance(by: time == "soon" ? .seconds(1) : .zero)
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts.finished == 2)
    }

    @Test(arguments: [true, false])
    func `A Retry-After holds back no host if the policy does not honor it, or not for others`(isHonored: Bool) async {
        let rig = rig {
            $0.retryPolicy.honorsRetryAfter = isHonored
            $0.retryPolicy.holdsHostAfterRetryAfter = !isHonored
        }
        await refuseFirst(of: 2, rig, after: "100")
        await rig.transport.exchange(1).answer(.ok())
        await waitForRetries(1, rig)
        rig.advance(by: .seconds(isHonored ? 100 : 1))
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.waitForDrain()
    }

    @Test func `A Retry-After is not obeyed any more after a reset`() async {
        let rig = rig()
        await refuseFirst(of: 1, rig, after: "100")
        await waitForRetries(1, rig)
        rig.queue.reset()
        #expect(rig.scheduledCount == 0)
        rig.queue.delegate = rig.recorder
        rig.queue.add(url("a.test", "2"))
        rig.queue.go()
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.clock.now == .zero)
    }

    @Test func `A host that is held for a nanosecond is not held forever`() async {
        let transport = ScriptedTransport { _ in .ok() }
        let queue = RequestQueue(configuration: .init(), transport: transport, timekeeper: HastyTimekeeper())
        queue.hold("host.test", for: .nanoseconds(1))
        let ended = Gathering<NetworkError?>()
        queue.add(URLRequest(url: .test("a"))) { _, _, error in ended.add(error) }
        #expect(await ended.wait(count: 1).count == 1)
    }
}
