import Dispatch
import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Guarantee 6: waitUntilFinished()", .timeLimit(.minutes(10)))
struct WaitingTests {
    private func finishingRig(_ count: Int = 20, isAccurate: Bool = false) -> QueueRig {
        let rig = QueueRig(ScriptedTransport { _ in .ok() }, configure: { $0.showsAccurateProgress = isAccurate })
        rig.add(count)
        return rig
    }

    @Test(arguments: [false, true])
    func `from another thread returns when the delegate has been told of the drain`(isAccurate: Bool) async {
        let hasReturned = Atomic(false)
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() }, configure: { $0.showsAccurateProgress = isAccurate },
            onEvent: { _, event in
                guard case .queueDidFinish = event else { return }
                for _ in 0..<100 { sched_yield() }
                hasReturned.store(true, ordering: .sequentiallyConsistent)
            })
        rig.add(20)
        let wasTold = await onThread { [queue = rig.queue] in
            queue.go()
            queue.waitUntilFinished()
            return hasReturned.load(ordering: .sequentiallyConsistent)
        }
        #expect(wasTold && !rig.queue.isRunning)
    }

    @Test func `returns at once before go() and after the drain`() async {
        let rig = finishingRig()
        await onThread { [queue = rig.queue] in queue.waitUntilFinished() }
        #expect(rig.transport.counts.started == 0)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        await onThread { [queue = rig.queue] in queue.waitUntilFinished() }
    }

    @Test func `several threads may wait`() async {
        let rig = finishingRig()
        rig.queue.isSuspended = true
        rig.queue.go()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await onThread { rig.queue.waitUntilFinished() } } }
            group.addTask { rig.queue.isSuspended = false }
        }
        #expect(!rig.queue.isRunning)
    }

    @Test(arguments: [false, true])
    func `on the delegate queue makes the callbacks itself`(isAccurate: Bool) async {
        let rig = finishingRig(isAccurate: isAccurate)
        let told = await withCheckedContinuation { continuation in
            rig.callbacks.async {
                rig.queue.go()
                rig.queue.waitUntilFinished()
                continuation.resume(returning: rig.recorder.events.map(\.kind))
            }
        }
        #expect(told.count { $0 == .didFinish } == 20 && told.last == .queueDidFinish)
        #expect(!rig.recorder.hasOverlapped)
    }

    @Test(arguments: NetworkQueue.Event.Kind.allCases)
    func `inside a callback waits for all other operations`(kind: NetworkQueue.Event.Kind) async {
        let isUsed = Atomic(false)
        let unfinished = Atomic(-1)
        let rig = QueueRig.forEveryEvent(
            onEvent: { queue, event in
                guard event.kind == kind, !isUsed.exchange(true, ordering: .relaxed) else { return }
                queue.waitUntilFinished()
                unfinished.store(queue.requestCount, ordering: .relaxed)
            })
        rig.addForEveryEvent()
        rig.add(30)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(await eventually { unfinished.load(ordering: .relaxed) >= 0 })
        // The one that is being decided about cannot be waited for.
        #expect(unfinished.load(ordering: .relaxed) == (kind == .willRedirect ? 1 : 0))
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 33, failed: 1)])
    }

    @Test func `inside a callback of another queue with the same delegate queue`() async {
        let callbacks = DispatchQueue(label: "shared")
        let transport = ScriptedTransport { _ in .ok() }
        let (first, second) = (
            NetworkQueue(transport: transport, delegateQueue: callbacks),
            NetworkQueue(transport: transport, delegateQueue: callbacks)
        )
        let inner = DelegateRecorder()
        second.delegate = inner
        second.add(.test("inner"))
        let outer = DelegateRecorder(onEvent: { _, event in
            guard case .didStart = event else { return }
            second.go()
            second.waitUntilFinished()
        })
        first.delegate = outer
        first.add(.test("outer"))
        first.go()
        await outer.waitForDrain()
        #expect(inner.summaries.count == 1)
    }

    @Test func `ends with a reset() from another thread, on the delegate queue too`() async {
        let rig = QueueRig()
        rig.add(1)
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        await withCheckedContinuation { continuation in
            rig.callbacks.async {
                Thread.detachNewThread { rig.queue.reset() }
                rig.queue.waitUntilFinished()
                continuation.resume()
            }
        }
        #expect(!rig.queue.isRunning)
    }

    @Test func `ends with a reset() from another thread, inside a callback too`() async {
        let (returns, hasReturned) = AsyncStream.makeStream(of: Void.self)
        let rig = QueueRig(onEvent: { queue, event in
            guard case .didStart = event else { return }
            Thread.detachNewThread { queue.reset() }
            queue.waitUntilFinished()
            hasReturned.finish()
        })
        rig.add(1)
        rig.queue.go()
        for await _ in returns {}
        #expect(!rig.queue.isRunning)
    }
}
