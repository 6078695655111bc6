import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// The shared observer hears of the whole process: each test has hosts of its own.
@Suite(.timeLimit(.minutes(10)))
struct EarlyRetryTests {
    private let host = "h\(UInt64.random(in: 0 ... .max)).test"

    private func rig(_ triggers: [any EarlyRetryTrigger], delay: Duration = .seconds(1000)) -> QueueRig<NetworkQueue> {
        QueueRig {
            $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(delay), earlyRetryTriggers: triggers)
            $0.cancelsAllOnFailure = false
            $0.maxConcurrentRequestCount = 0
        }
    }

    /// Starts requests that all wait for their second attempt.
    private func wait(_ count: Int, _ trigger: ScriptedTrigger, delay: Duration) async -> QueueRig<NetworkQueue> {
        let rig = rig([trigger], delay: delay)
        rig.transport.setScript { _ in .fail(.cannotConnectToHost) }
        rig.add(count)
        rig.queue.go()
        await rig.waitForRetries(count)
        _ = await trigger.contexts.wait(count: count)
        rig.transport.setScript { _ in .ok() }
        return rig
    }

    @Test func `Waiting requests go at moments all over 3 s when a trigger fires, however often it does`() async {
        let trigger = ScriptedTrigger()
        let rig = await wait(200, trigger, delay: .seconds(1000))
        for _ in 0..<3 { trigger.fire() }
        var counts: [Int] = []
        for _ in 0..<10 {
            rig.advance(by: .milliseconds(300))
            counts.append(rig.transport.counts.started)
        }
        // That none of two hundred goes in a tenth of the time happens once in a thousand million runs.
        #expect(counts.first ?? 0 > 200 && counts.last == 400 && counts[8] < 400)
        await rig.recorder.waitForDrain()
        #expect(rig.transport.counts.started == 400 && rig.scheduledCount == 0)
    }

    @Test func `A trigger never makes a wait longer than planned`() async {
        let trigger = ScriptedTrigger()
        let rig = await wait(30, trigger, delay: .seconds(1))
        rig.advance(by: .milliseconds(500))
        trigger.fire()
        rig.advance(by: .milliseconds(500))
        await rig.recorder.waitForDrain()
        #expect(rig.transport.counts.started == 60 && rig.clock.now == .seconds(1))
    }

    private func url(_ path: String, host: String? = nil) -> URL {
        URL(string: "http://\(host ?? self.host)/\(path)") ?? .test(path)
    }

    private func fail(_ number: Int, _ rig: QueueRig<NetworkQueue>) async {
        await rig.transport.exchange(number).end(.cannotConnectToHost)
        await rig.waitForRetries(1)
    }

    @Test func `A waiting request goes within 3 s when another to the same host has succeeded`() async {
        let rig = rig([HostRecoveryObserver.shared])
        let operation = rig.queue.add(url("waiting"))
        rig.queue.add(url("other", host: host.uppercased()))
        rig.queue.go()
        await fail(0, rig)
        rig.advance(by: .seconds(100))
        #expect(rig.transport.exchanges.count == 2)
        rig.transport.exchanges[1].answer(.ok())
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        rig.advance(by: .seconds(3))
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(operation.attempts == 2 && rig.clock.now == .seconds(103))
    }

    @Test(arguments: [true, false])
    func `A waiting request does not go for another host's success, nor for a failure at its own`(isOtherHost: Bool)
        async
    {
        let rig = rig([HostRecoveryObserver.shared])
        rig.queue.add(url("waiting"))
        rig.queue.add(url("other", host: isOtherHost ? "x" + host : nil))
        rig.queue.go()
        await fail(0, rig)
        rig.transport.exchanges[1].answer(isOtherHost ? .ok() : .status(404))
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish || $0.kind == .didFail } }
        rig.advance(by: .seconds(999))
        #expect(rig.transport.exchanges.count == 2)
        rig.advance(by: .seconds(1))
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.waitForDrain()
    }

    @Test func `A waiting request tells its triggers the host and the failure`() async {
        let trigger = ScriptedTrigger()
        let rig = rig([trigger])
        rig.queue.add(url("waiting", host: host.uppercased()))
        rig.queue.go()
        await fail(0, rig)
        let context = await trigger.contexts.wait(count: 1)[0]
        #expect(context.host == host && context.error.code == .cannotConnectToHost && context.error.attempts == 1)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
    }

    @Test func `A waiting request goes when any of several triggers fires, and all are released`() async {
        let triggers = (0..<3).map { _ in ScriptedTrigger() }
        let rig = rig(triggers + [HostRecoveryObserver.shared])
        rig.queue.add(url("waiting"))
        rig.queue.go()
        await fail(0, rig)
        _ = await triggers[2].contexts.wait(count: 1)
        triggers[1].fire()
        rig.advance(by: .seconds(3))
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(triggers.allSatisfy { $0.watchCount == 0 })
    }

    @Test func `A wait that a decider asks for has the decider's triggers`() async {
        let trigger = ScriptedTrigger()
        let rig = QueueRig {
            $0.retryDecider = .decider { _, _ in .retry(after: .seconds(50), triggers: [trigger]) }
        }
        rig.queue.add(url("waiting"))
        rig.queue.go()
        await fail(0, rig)
        _ = await trigger.contexts.wait(count: 1)
        trigger.fire()
        rig.advance(by: .seconds(3))
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(trigger.watchCount == 0)
    }

    @Test(arguments: ["operation", "cancelAll", "reset", "time", "fire", "no delay"])
    func `A waiting request leaves nothing behind, however its wait ends`(end: String) async {
        let observer = HostRecoveryObserver()
        let trigger = ScriptedTrigger()
        let rig = rig([observer, trigger], delay: end == "no delay" ? .zero : .seconds(1000))
        var keptFires: [@Sendable () -> Void] = []
        weak var operation: RequestOperation?
        weak var run: RequestRun?
        await withWaitingRequest(rig, trigger) { waiting in
            operation = waiting
            run = waiting.currentRun
            if end != "no delay" { #expect(observer.watchCount == 1 && trigger.watchCount == 1 && run != nil) }
            keptFires = trigger.pendingFires
            switch end {
            case "no delay": break
            case "operation": waiting.cancel()
            case "cancelAll": rig.queue.cancelAll()
            case "reset": rig.queue.reset()
            case "time": rig.advance(by: .seconds(1000))
            default:
                observer.noteSuccess(host: host)
                rig.advance(by: .seconds(3))
            }
        }
        if ["time", "fire", "no delay"].contains(end) { await rig.transport.exchange(1).answer(.ok()) }
        if end != "reset" { await rig.recorder.waitForDrain() }
        // A trigger that keeps the closure it was given keeps nothing alive and starts nothing.
        for fire in keptFires { fire() }
        #expect(await eventually { observer.watchCount == 0 && trigger.watchCount == 0 })
        #expect(rig.scheduledCount == 0)
        #expect(await eventually { run == nil })
        // The recorder keeps the operations that it was told of.
        #expect(operation == nil || operation?.currentRun == nil)
    }

    private func withWaitingRequest(
        _ rig: QueueRig<NetworkQueue>, _ trigger: ScriptedTrigger, _ body: (RequestOperation) -> Void
    ) async {
        let operation = rig.queue.add(url("waiting"))
        rig.queue.go()
        await fail(0, rig)
        _ = await trigger.contexts.wait(count: 1)
        body(operation)
    }
}
