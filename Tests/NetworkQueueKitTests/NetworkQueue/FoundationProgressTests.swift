import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite("NetworkQueue.foundationProgress", .timeLimit(.minutes(10)))
struct FoundationProgressTests {
    @Test func `shows how far the queue is, however late it is asked for`() async {
        let rig = QueueRig()
        rig.add(4)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        rig.transport.exchanges[0].answer(.ok())
        await rig.recorder.wait { $0.contains { if case .didFinish = $0 { true } else { false } } }
        #expect(rig.queue.foundationProgress.fractionCompleted == 0.25)
        for exchange in rig.transport.exchanges.dropFirst() { exchange.answer(.ok()) }
        await rig.recorder.waitForDrain()
        #expect(rig.queue.foundationProgress.fractionCompleted == 1)
        let late = QueueRig(ScriptedTransport { _ in .ok() })
        late.add(1)
        late.queue.go()
        await late.recorder.waitForDrain()
        #expect(late.queue.foundationProgress.fractionCompleted == 1)
    }

    @Test func `is the same object at each call, and in a later run as long as it is not cancelled`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let progress = rig.queue.foundationProgress
        rig.add(2)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(progress.fractionCompleted == 1 && rig.queue.foundationProgress === progress)
        await rig.flush()
        #expect(rig.queue.foundationProgress === progress && !progress.isCancelled)
    }

    @Test func `is one object, paused like its queue, for all threads that ask for it at the same time`() {
        for round in 0..<200 {
            let queue = QueueRig().queue
            let isSuspended = round.isMultiple(of: 2)
            queue.isSuspended = isSuspended
            let found = Guarded<[Progress]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                let progress = queue.foundationProgress
                found.withLock { $0.append(progress) }
            }
            let progress = queue.foundationProgress
            #expect(found.withLock { $0.allSatisfy { $0 === progress } } && progress.isPaused == isSuspended)
        }
    }

    @Test func `a cancellation cancels the operations of the run; the next run has a new object`() async {
        let rig = QueueRig()
        let operations = rig.add(10)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        let first = rig.queue.foundationProgress
        #expect(first.isCancellable)
        first.cancel()
        await rig.recorder.waitForDrain()
        #expect(operations.allSatisfy { $0.status == .cancelled } && rig.queue.foundationProgress === first)
        #expect(rig.queue.retryFailed(includingCancelled: true).isEmpty)
        rig.transport.setScript { _ in .ok() }
        let next = rig.queue.add(.test("next"))
        let second = rig.queue.foundationProgress
        #expect(second !== first && !second.isCancelled)
        // That of a former run has no power over this one.
        first.cancel()
        await rig.recorder.waitForDrain(2)
        #expect(next.status == .finished && second.fractionCompleted == 1 && !second.isCancelled)
    }

    @Test(arguments: [false, true]) func `cancelled before the run begins, the run has a new one`(isReset: Bool) async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let first = rig.queue.foundationProgress
        let early = rig.queue.add(.test("early"))
        first.cancel()
        #expect(await eventually { early.status == .cancelled })
        if isReset {
            rig.queue.reset()
            rig.queue.delegate = rig.recorder
        }
        rig.queue.add(.test("a"))
        rig.queue.go()
        #expect(rig.queue.foundationProgress !== first)
        await rig.recorder.waitForDrain()
        #expect(!rig.queue.foundationProgress.isCancelled && rig.queue.foundationProgress.fractionCompleted == 1)
    }

    @Test(arguments: [false, true])
    func `cancelled just before go(), nothing that waits is sent`(isAccurate: Bool) async {
        for _ in 0..<50 {
            let rig = QueueRig(ScriptedTransport { _ in .ok() }, configure: { $0.showsAccurateProgress = isAccurate })
            let operations = rig.add(3)
            rig.queue.foundationProgress.cancel()
            rig.queue.go()
            await rig.recorder.waitForDrain()
            #expect(operations.allSatisfy { $0.status == .cancelled } && rig.transport.counts.started == 0)
        }
    }

    @Test func `cancelled before a request is added, does not cancel that one`() async {
        for _ in 0..<50 {
            let rig = QueueRig(ScriptedTransport { _ in .ok() })
            let early = rig.queue.add(.test("early"))
            rig.queue.foundationProgress.cancel()
            let late = rig.queue.add(.test("late"))
            rig.queue.go()
            await rig.recorder.waitForDrain()
            #expect(early.status == .cancelled && late.status == .finished)
        }
    }

    @Test func `pausing it suspends the queue, resuming it lets the queue go on`() async {
        let rig = QueueRig()
        rig.add(5)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        let progress = rig.queue.foundationProgress
        #expect(progress.isPausable && !progress.isPaused)
        progress.pause()
        #expect(rig.queue.isSuspended)
        rig.transport.exchanges[0].answer(.ok())
        #expect(rig.transport.counts.started == 4)
        progress.resume()
        await rig.transport.waitForExchanges(5)
        #expect(!rig.queue.isSuspended)
        rig.queue.cancelAll()
    }

    @Test func `is paused and resumed with its parent`() {
        let rig = QueueRig()
        let parent = Foundation.Progress(totalUnitCount: 1)
        parent.addChild(rig.queue.foundationProgress, withPendingUnitCount: 1)
        parent.pause()
        #expect(rig.queue.isSuspended && rig.queue.foundationProgress.isPaused)
        parent.resume()
        #expect(!rig.queue.isSuspended && !rig.queue.foundationProgress.isPaused)
    }

    @Test func `can be paused when its queue is gone`() {
        var rig: QueueRig? = QueueRig()
        let progress = rig?.queue.foundationProgress
        rig = nil
        progress?.pause()
        #expect(progress?.isPaused == true)
    }

    @Test func `shows that the queue is suspended, from its beginning and later`() {
        let rig = QueueRig()
        rig.queue.isSuspended = true
        let progress = rig.queue.foundationProgress
        #expect(progress.isPaused)
        rig.queue.isSuspended = false
        #expect(!progress.isPaused)
        rig.queue.isSuspended = true
        #expect(progress.isPaused && rig.queue.isSuspended)
    }

    @Test func `does not end a suspension by showing late that the one before has ended`() {
        let rig = QueueRig()
        let progress = rig.queue.foundationProgress
        for _ in 0..<1000 {
            rig.queue.isSuspended = true
            rig.queue.isSuspended = false
            rig.queue.isSuspended = true
            #expect(rig.queue.isSuspended)
            rig.queue.isSuspended = false
        }
        progress.pause()
        #expect(rig.queue.isSuspended)
    }

    @Test func `agrees with the queue after both were changed by several threads, and does what is asked last`() {
        let rig = QueueRig()
        let progress = rig.queue.foundationProgress
        for round in 0..<2000 {
            DispatchQueue.concurrentPerform(iterations: 6) { thread in
                switch (thread + round) % 3 {
                case 0: rig.queue.isSuspended = true
                case 1: rig.queue.isSuspended = false
                default: if thread < 3 { progress.pause() } else { progress.resume() }
                }
            }
            #expect(rig.queue.isSuspended == progress.isPaused)
            rig.queue.isSuspended = false
            #expect(!progress.isPaused)
            progress.pause()
            #expect(rig.queue.isSuspended)
        }
    }
}
