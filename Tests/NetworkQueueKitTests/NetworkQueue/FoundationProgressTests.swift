import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FoundationProgressTests {
    @Test func `foundationProgress shows how far the queue is, however late it is asked for`() async {
        let rig = QueueRig()
        rig.add(4)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        rig.transport.exchanges[0].answer(.ok())
        await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
        let progress = rig.queue.foundationProgress
        #expect(progress.fractionCompleted == 0.25)
        for exchange in rig.transport.exchanges.dropFirst() { exchange.answer(.ok()) }
        await rig.recorder.waitForDrain()
        #expect(progress.fractionCompleted == 1)
    }

    @Test func `foundationProgress is the same object at each call of a run, and after the drain that of the next`()
        async
    {
        let atDrain = Gathering<Progress>()
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            onEvent: { queue, event in
                if case .queueDidFinish = event { atDrain.add(queue.foundationProgress) }
            })
        let first = rig.queue.foundationProgress
        rig.add(2)
        #expect(rig.queue.foundationProgress === first)
        await rig.queue.run()
        #expect(first.fractionCompleted == 1)
        let second = rig.queue.foundationProgress
        #expect(second !== first && second.fractionCompleted == 0 && atDrain.values.last === second)
        await rig.flush()
        #expect(second.fractionCompleted == 1 && rig.queue.foundationProgress !== second)
    }

    @Test func `foundationProgress is one object for all threads that ask for it at the same time`() {
        for _ in 0..<200 {
            let queue = QueueRig().queue
            let found = Guarded<[Progress]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                let progress = queue.foundationProgress
                found.withLock { $0.append(progress) }
            }
            let progress = queue.foundationProgress
            #expect(found.withLock { $0.allSatisfy { $0 === progress } })
        }
    }

    @Test func `Canceling foundationProgress cancels the run's operations, and the next run has a new object`() async {
        let rig = QueueRig()
        let operations = rig.add(10)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        let first = rig.queue.foundationProgress
        #expect(first.isCancellable)
        first.cancel()
        await rig.recorder.waitForDrain()
        #expect(operations.allSatisfy { $0.status == .cancelled })
        #expect(rig.queue.retryFailed(includingCancelled: true).isEmpty)
        let next = rig.queue.add(.test("next"))
        await rig.transport.waitForExchanges(5)
        // While the run waits for its answer: after its end this would be the object of the run that follows.
        let second = rig.queue.foundationProgress
        #expect(second !== first && !second.isCancelled)
        // That of a former run has no power over this one.
        first.cancel()
        rig.transport.exchanges[4].answer(.ok())
        await rig.recorder.waitForDrain(2)
        #expect(next.status == .finished && second.fractionCompleted == 1 && !second.isCancelled)
    }

    @Test func `A reset makes another foundationProgress, and the former has no power`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let first = rig.queue.foundationProgress
        rig.queue.reset()
        rig.queue.delegate = rig.recorder
        let operation = rig.queue.add(.test("a"))
        let second = rig.queue.foundationProgress
        #expect(second !== first)
        first.cancel()
        await rig.queue.run()
        #expect(operation.status == .finished && second.fractionCompleted == 1 && !second.isCancelled)
    }

    @Test func `Pausing foundationProgress or its parent suspends the queue, until it is resumed`() async {
        let rig = QueueRig()
        rig.add(5)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        let progress = rig.queue.foundationProgress
        #expect(progress.isPausable && !progress.isPaused)
        progress.pause()
        #expect(await eventually { rig.queue.isSuspended })
        rig.transport.exchanges[0].answer(.ok())
        #expect(rig.transport.counts.started == 4)
        progress.resume()
        await rig.transport.waitForExchanges(5)
        #expect(!rig.queue.isSuspended)
        let parent = Foundation.Progress(totalUnitCount: 1)
        parent.addChild(progress, withPendingUnitCount: 1)
        parent.pause()
        #expect(await eventually { rig.queue.isSuspended })
        parent.resume()
        #expect(await eventually { !rig.queue.isSuspended })
        rig.queue.cancelAll()
    }

    @Test func `foundationProgress can be paused when its queue is gone`() {
        var rig: QueueRig? = QueueRig()
        let progress = rig?.queue.foundationProgress
        rig = nil
        progress?.pause()
        #expect(progress?.isPaused == true)
    }
}
