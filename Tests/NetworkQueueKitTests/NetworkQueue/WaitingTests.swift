import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WaitingTests {
    private func finishingRig(_ count: Int = 20, isAccurate: Bool = false) -> QueueRig<NetworkQueue> {
        let rig = QueueRig(ScriptedTransport { _ in .ok() }, configure: { $0.showsAccurateProgress = isAccurate })
        rig.add(count)
        return rig
    }

    @Test(arguments: [false, true])
    func `waitUntilFinished() on another thread returns when the drain has been told, and at once after it`(
        isAccurate: Bool
    ) async {
        let hasReturned = Atomic(false)
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() }, configure: { $0.showsAccurateProgress = isAccurate },
            onEvent: { _, event in
                guard event.kind == .queueDidFinish else { return }
                for _ in 0..<100 { sched_yield() }
                hasReturned.store(true, ordering: .sequentiallyConsistent)
            })
        rig.add(20)
        let wasTold = await onThread { [queue = rig.queue] in
            queue.go()
            queue.waitUntilFinished()
            return hasReturned.load(ordering: .sequentiallyConsistent)
        }
        await onThread { [queue = rig.queue] in queue.waitUntilFinished() }
        #expect(wasTold && !rig.queue.isRunning)
    }

    @Test func `Several threads may wait in waitUntilFinished()`() async {
        let rig = finishingRig()
        rig.queue.isSuspended = true
        rig.queue.go()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await onThread { rig.queue.waitUntilFinished() } } }
            group.addTask { rig.queue.isSuspended = false }
        }
        #expect(!rig.queue.isRunning)
    }

    @Test func `waitUntilFinished() traps inside a callback, with a text`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let rig = QueueRig(
                ScriptedTransport { _ in .ok() },
                onEvent: { queue, event in if event.kind == .didFinish { queue.waitUntilFinished() } })
            rig.add(2)
            await rig.queue.run()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("NetworkQueue.waitUntilFinished() was called inside a callback"), "\(text)")
    }

    @Test func `waitUntilFinished() traps after a second in a block of a serial delegate queue, with a text`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let rig = QueueRig(ScriptedTransport { _ in .ok() })
            rig.add(1)
            await withCheckedContinuation { continuation in
                rig.callbacks.async {
                    rig.queue.go()
                    rig.queue.waitUntilFinished()
                    continuation.resume()
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("on the queue that runs the callbacks, \"QueueRig.callbacks\""), "\(text)")
    }

    @Test func `waitUntilFinished() ends with a reset() from another thread, on the delegate queue too`() async {
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

    @Test func `waitUntilFinished() waits for longer than a second on a concurrent delegate queue`() async {
        let callbacks = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let transport = ScriptedTransport()
        let queue = NetworkQueue(transport: transport, delegateQueue: callbacks)
        let operation = queue.add(.test("a"))
        await withCheckedContinuation { continuation in
            callbacks.async {
                queue.go()
                DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) {
                    transport.setScript { _ in .ok() }
                    for exchange in transport.exchanges { exchange.answer(.ok()) }
                }
                queue.waitUntilFinished()
                continuation.resume()
            }
        }
        #expect(operation.status == .finished)
    }

    @Test func `waitUntilFinished() may be called inside a callback of another queue`() async {
        let other = finishingRig()
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            onEvent: { _, event in
                guard event.kind == .didFinish else { return }
                other.queue.go()
                other.queue.waitUntilFinished()
            })
        rig.add(1)
        await rig.queue.run()
        #expect(other.recorder.summaries.map(\.counts) == [.init(finished: 20)])
    }
}
