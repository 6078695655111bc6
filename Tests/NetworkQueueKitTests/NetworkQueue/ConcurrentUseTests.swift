import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConcurrentUseTests {
    private static func answer(_ exchange: HTTPExchange) -> ScriptedTransport.Answer {
        switch exchange.url.absoluteString.utf8.reduce(7, { ($0 &* 31 &+ Int($1)) & 0xFFFF }) % 8 {
        case 0: .fail(.networkConnectionLost)
        case 1: .status(404)
        case 2: .status(302, ["Location": exchange.url.absoluteString + "r"])
        default: .ok(Data("content".utf8))
        }
    }

    /// Uses the queue in a random way and returns what it has added.
    private static func play(_ queue: NetworkQueue, seed: UInt64, resets: Bool) -> [RequestOperation] {
        var random = SplitMix64(seed: seed)
        var added: [RequestOperation] = []
        for step in 0..<150 {
            switch Int.random(in: 0..<16, using: &random) {
            case 0...6: added.append(queue.add(.test("\(seed)/\(step)")))
            case 7: queue.go()
            case 8: if let operation = added.randomElement(using: &random) { queue.cancel(operation) }
            case 9: added.randomElement(using: &random)?.cancel()
            case 10: if step.isMultiple(of: 5) { queue.cancelAll() }
            case 11: if resets, step.isMultiple(of: 3) { queue.reset() }
            case 12:
                queue.isSuspended = true
                queue.isSuspended = false
            case 13:
                queue.maxConcurrentRequestCount = Int.random(in: 0..<6, using: &random)
                queue.mode = Bool.random(using: &random) ? .firstInFirstOut : .lastInFirstOut
                queue.cancelsAllOnFailure = Bool.random(using: &random)
                queue.maxConcurrentRequestCountPerHost = Bool.random(using: &random) ? 2 : nil
            case 14: _ = (queue.requests, queue.requestCount, queue.isRunning, queue.foundationProgress, queue.events())
            default:
                let progress = queue.progress
                precondition((0...1).contains(progress.fractionCompleted))
                let counts = progress.counts
                precondition(
                    counts.waiting + counts.running + counts.retrying + counts.finished + counts.failed
                        + counts.cancelled
                        == counts.total)
            }
        }
        return added
    }

    @Test(arguments: [false, true], 0..<6 as Range<UInt64>)
    func `Eight threads at once leave every request ended and told at most once`(isSynchronous: Bool, seed: UInt64)
        async
    {
        let transport = ScriptedTransport(isSynchronous: isSynchronous, script: Self.answer)
        let rig = QueueRig(transport, configure: { $0.showsAccurateProgress = seed.isMultiple(of: 2) })
        let queue = rig.queue
        let resets = seed >= 3
        let added = await withTaskGroup(of: [RequestOperation].self) { group in
            for thread in 0..<8 as Range<UInt64> {
                group.addTask { await onThread { Self.play(queue, seed: seed * 8 + thread, resets: resets) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let last = DelegateRecorder()
        if resets { queue.delegate = last }
        queue.add(.test("end"))
        queue.go()
        await onThread { queue.waitUntilFinished() }
        #expect(!queue.isRunning && queue.requestCount == 0 && queue.requests.isEmpty)
        for operation in added {
            #expect(await eventually { operation.isFinished }, "seed \(seed)")
            let ends = rig.recorder.story(of: operation).filter { $0 == "finish" || $0.hasPrefix("fail") }
            #expect(resets ? ends.count <= 1 : ends.count == 1, "seed \(seed)")
        }
        #expect(!rig.recorder.hasOverlapped)
        #expect(await eventually { transport.counts.isQuiet })
    }

    @Test(arguments: 0..<4)
    func `Threads that add while another resets leave no request that belongs to no queue`(round: Int) async {
        let rig = QueueRig()
        let queue = rig.queue
        let isAdding = Guarded(true)
        async let resetting: Void = onThread {
            while isAdding.withLock({ $0 }) { queue.reset() }
        }
        // Keeps the inner queue's lock busy, so that others wait for it in the middle of what they do.
        async let reading: Void = onThread {
            while isAdding.withLock({ $0 }) { _ = queue.requests }
        }
        let added = await withTaskGroup(of: [RequestOperation].self) { group in
            for _ in 0..<4 { group.addTask { await onThread { (0..<1000).map { queue.add(.test("\($0)")) } } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        isAdding.withLock { $0 = false }
        _ = await (resetting, reading)
        let members = Set(queue.requests.map(\.id))
        #expect(added.allSatisfy { $0.isFinished != members.contains($0.id) })
        queue.reset()
        #expect(added.allSatisfy { $0.status == .cancelled } && queue.requestCount == 0)
    }

    @Test func `A reset by one thread during go() by another leaves a queue that can be used`() async {
        for round in 0..<50 {
            let rig = QueueRig(ScriptedTransport(isSynchronous: true) { _ in .ok() })
            let queue = rig.queue
            rig.add(2)
            async let resetting: Void = onThread { queue.reset() }
            async let going: Void = onThread {
                queue.add(.test("x")).cancel()
                queue.go()
            }
            _ = await (resetting, going)
            // Whichever came last: what was started comes to its end.
            await onThread { queue.waitUntilFinished() }
            #expect(!queue.isRunning, "round \(round)")
        }
    }
}
