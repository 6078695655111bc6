import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// A hub of models answers 429 with `RateLimit: "resolvers";r=0;t=N` alone: netqueue of 6cd524d failed 233 of 300 files
/// in 9 s with 1,278 such answers.
@Suite(.timeLimit(.minutes(10)))
struct HostQuotaTests {
    private struct HoldMonitor: QueueMonitor {
        let holds = Gathering<String>()

        func didHold(host: String, for delay: Duration, in context: AttemptContext) { holds.add("\(host) \(delay)") }
    }

    private func rig(_ policy: RetryPolicy? = nil, monitors: [any QueueMonitor] = []) -> QueueRig<NetworkQueue> {
        QueueRig(configure: {
            $0.maxConcurrentRequestCount = 1
            $0.cancelsAllOnFailure = false
            $0.retryPolicy = policy ?? RetryPolicy(maxRetries: 3, backoff: .constant(.zero))
            $0.monitors = monitors
        })
    }

    /// Answers all requests until the drain; returns when it came.
    private func finish(_ rig: QueueRig<NetworkQueue>, after steps: [Duration]) async {
        rig.transport.setScript { _ in .ok() }
        for step in steps { rig.advance(by: step) }
        await rig.recorder.waitForDrain()
    }

    private static let usedUp: [HTTPHeaders] = [
        ["RateLimit": #""resolvers";r=0;t=20"#], ["RateLimit-Remaining": "0", "RateLimit-Reset": "20"],
        [
            "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000020",
            "Date": "Tue, 14 Nov 2023 22:13:20 GMT",
        ],
    ]

    @Test(arguments: [200, 404, 403, 429, 500, 503], usedUp)
    func `A response that says that a quota is used up holds its host until it is renewed`(
        status: Int, headers: HTTPHeaders
    ) async {
        let rig = rig()
        let operations = rig.add(2)
        let elsewhere = rig.queue.add(URL(string: "http://b.test/3") ?? .test(""))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(status, headers))
        await rig.transport.exchange(1).answer(.ok())
        await rig.end(of: elsewhere)
        rig.advance(by: .milliseconds(19_999))
        #expect(rig.transport.exchanges.map(\.path) == ["/0", "/3"])
        await finish(rig, after: [.milliseconds(1)])
        #expect(rig.clock.now == .seconds(20) && operations[1].status == .finished)
        #expect(operations[0].status == (status == 404 ? .failed : .finished))
        #expect(operations[0].attempts == ([200, 404].contains(status) ? 1 : 2))
    }

    @Test func `A redirect that says that a quota is used up holds its host, and is followed`() async {
        let monitor = HoldMonitor()
        let rig = rig(monitors: [monitor])
        rig.add(2)
        rig.queue.go()
        await rig.transport.exchange(0).answer(
            .status(302, ["Location": "http://cdn.test/0", "RateLimit": #""a";r=0;t=7"#]))
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        #expect(rig.transport.counts.started == 2)
        await finish(rig, after: [.seconds(7)])
        #expect(monitor.holds.values == ["host.test 7.0 seconds"])
    }

    @Test func `A Retry-After counts more than a quota, and no pause is longer than the policy allows`() async {
        for (headers, seconds) in [
            (["Retry-After": "5", "RateLimit": #""a";r=0;t=60"#], 5), (["RateLimit": #""a";r=0;t=6000"#], 9),
        ] as [(HTTPHeaders, Int)] {
            let monitor = HoldMonitor()
            var policy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero))
            policy.maxRetryAfter = .seconds(9)
            let rig = rig(policy, monitors: [monitor])
            rig.add(1)
            rig.queue.go()
            await rig.transport.exchange(0).answer(.status(429, headers))
            await rig.recorder.wait { $0.contains { $0.kind == .willRetry } }
            await finish(rig, after: [.seconds(seconds)])
            #expect(monitor.holds.values == ["host.test \(seconds).0 seconds"] && rig.clock.now == .seconds(seconds))
        }
    }

    @Test(arguments: ["maxRetries", "honorsRetryAfter", "holdsHostAfterRetryAfter"], [200, 429])
    func `A quota holds no host if the policy has no retries or does not want it`(optOut: String, status: Int) async {
        var policy = RetryPolicy(maxRetries: optOut == "maxRetries" ? 0 : 1, backoff: .constant(.zero))
        policy.honorsRetryAfter = optOut != "honorsRetryAfter"
        policy.holdsHostAfterRetryAfter = optOut != "holdsHostAfterRetryAfter"
        let rig = rig(policy)
        let operations = rig.add(2)
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(status, ["RateLimit": #""a";r=0;t=30"#]))
        rig.transport.setScript { _ in .ok() }
        await rig.transport.exchange(1).answer(.ok())
        await rig.end(of: operations[1])
        #expect(rig.clock.now == .zero)
        await finish(rig, after: [.seconds(30)])
        // The request itself waits, unless its policy does not honor that.
        let delays = rig.recorder.events.compactMap { event -> Duration? in
            if case .willRetry(_, let delay, _) = event { delay } else { nil }
        }
        let delay = ["honorsRetryAfter": Duration.zero, "holdsHostAfterRetryAfter": .seconds(30)][optOut]
        #expect(delays == (status == 429 ? [delay].compactMap(\.self) : []))
    }

    private static let refusals: [(Int, HTTPHeaders)] = [
        (429, [:]), (403, ["X-RateLimit-Remaining": "0"]), (429, ["RateLimit": "nonsense"]),
    ]

    @Test(arguments: refusals)
    func `A 429 without a time holds its host for a second, and for twice as long each time`(
        status: Int, headers: HTTPHeaders
    ) async {
        let monitor = HoldMonitor()
        let rig = rig(monitors: [monitor])
        let operation = rig.add(1)[0]
        rig.queue.go()
        for (number, seconds) in [1, 2, 4].enumerated() {
            await rig.transport.exchange(number).answer(.status(status, headers))
            await rig.recorder.wait { $0.count { $0.kind == .willRetry } == number + 1 }
            rig.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(rig.transport.counts.started == number + 1)
            if number == 2 { rig.transport.setScript { _ in .ok() } }
            rig.advance(by: .milliseconds(1))
        }
        await rig.recorder.waitForDrain()
        #expect(operation.attempts == 4 && rig.clock.now == .seconds(7))
        #expect(monitor.holds.values == [1, 2, 4].map { "host.test \($0).0 seconds" })
    }

    @Test func `A 403 whose quota is used up ends as a 403 when the retries are`() async {
        let rig = rig(RetryPolicy(maxRetries: 1, backoff: .constant(.zero)))
        rig.transport.setScript { _ in .status(403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3"]) }
        let operation = rig.add(1)[0]
        rig.queue.go()
        await rig.recorder.wait { $0.contains { $0.kind == .willRetry } }
        rig.advance(by: .seconds(3))
        await rig.recorder.waitForDrain()
        #expect(operation.attempts == 2 && operation.error?.code == .httpStatus(403))
    }

    @Test func `Refusals that come during a hold do not lengthen it, and an accepted request ends the doubling`() {
        let record = RefusalRecord()
        func refusal(_ seconds: Double) -> Duration {
            record.noteRefusal(by: "a", at: .seconds(seconds), limit: .seconds(5))
        }
        #expect(record.isEmpty && refusal(0) == .seconds(1) && refusal(0.25) == .seconds(0.75))
        #expect(refusal(1) == .seconds(2) && refusal(3) == .seconds(4))
        #expect(record.noteRefusal(by: "b", at: .seconds(3), limit: .seconds(5)) == .seconds(1))
        // The limit of the policy.
        #expect(refusal(7) == .seconds(5))
        record.noteAcceptance(by: "a", at: .seconds(8))
        #expect(refusal(9) == .seconds(3) && refusal(12) == .seconds(1))
        record.noteAcceptance(by: "a", at: .seconds(13))
        record.noteAcceptance(by: "b", at: .seconds(13))
        #expect(record.isEmpty && refusal(13) == .seconds(1))
    }

    @Test(arguments: refusals)
    func `A HEAD that is refused because of a quota ends the sizing of the run`(
        status: Int, headers: HTTPHeaders
    ) async {
        let rig = rig()
        rig.queue.showsAccurateProgress = true
        rig.queue.maxConcurrentSizingCount = 2
        rig.add(50)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.transport.setScript { _ in .ok(Data(count: 3)) }
        rig.transport.exchanges[0].answer(.status(status, headers))
        await rig.recorder.waitForDrain()
        let methods = rig.transport.exchanges.map(\.exchange.method)
        #expect(methods == ["HEAD", "HEAD"] + Array(repeating: "GET", count: 50))
        #expect(rig.clock.now == .zero)

        // The next run asks again. It has to read its requests: what is added to a drained queue is not sized.
        let requests = AsyncStream { continuation in
            continuation.yield(NetworkRequest(.test("read")))
            continuation.finish()
        }
        await rig.queue.run(adding: requests)
        #expect(rig.transport.exchanges.dropFirst(52).map(\.exchange.method).sorted() == ["GET", "HEAD"])
    }

    @Test(
        arguments: [
            (["RateLimit": #""a";r=500;t=9, "b";r=98;t=30"#], true), (["RateLimit": #""a";r=99;t=30"#], false),
            (["RateLimit-Remaining": "98"], true),
            (["X-RateLimit-Remaining": "98", "RateLimit-Remaining": "99"], true),
            (["X-RateLimit-Remaining": "99"], false), (["RateLimit": #""a";r=-1;t=30"#], false),
        ] as [(HTTPHeaders, Bool)])
    func `Sizing ends if the quota does not allow all sizes and all transfers`(
        headers: HTTPHeaders, ends: Bool
    ) async {
        for hasOtherOrigin in [false, true] {
            let rig = rig()
            rig.queue.showsAccurateProgress = true
            rig.queue.maxConcurrentSizingCount = 2
            rig.add(50)
            if hasOtherOrigin { rig.queue.add(URL(string: "http://b.test/") ?? .test("")) }
            rig.queue.go()
            await rig.transport.waitForExchanges(2)
            rig.transport.setScript { _ in .ok(Data(count: 3)) }
            // 49 HEADs and 50 GETs are still to come.
            rig.transport.exchanges[0].answer(.status(200, headers))
            if !ends || hasOtherOrigin { rig.transport.exchanges[1].answer(.ok(Data(count: 3))) }
            await rig.recorder.waitForDrain()
            let count = rig.transport.exchanges.count { $0.exchange.method == "HEAD" }
            #expect(count == (hasOtherOrigin ? 51 : ends ? 2 : 50))
        }
    }
}
