import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResetTests {
    @Test(arguments: [false, true])
    func `Nothing starts before go(), not even sizing`(isAccurate: Bool) async {
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true) { _ in .ok() }, configure: { $0.showsAccurateProgress = isAccurate })
        rig.add(3)
        rig.queue.isSuspended = true
        rig.queue.isSuspended = false
        rig.queue.maxConcurrentRequestCount = 10
        rig.queue.mode = .lastInFirstOut
        await onThread { [queue = rig.queue] in queue.waitUntilFinished() }
        #expect(rig.transport.counts.started == 0)
        #expect(rig.recorder.events.isEmpty && !rig.queue.isRunning && rig.queue.requestCount == 3)
        #expect(rig.scheduledCount == 0)
    }

    @Test func `A reset queue is as before go(), but for its settings`() async {
        let rig = QueueRig(
            configure: {
                $0.maxConcurrentRequestCount = 3
                $0.cancelsAllOnFailure = false
            })
        rig.queue.userInfo["name"] = "batch"
        let operations = rig.add(5)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        rig.transport.exchanges[0].receive(headers: ["Content-Length": "10"])
        rig.transport.exchanges[0].receive(Data("12345".utf8))
        rig.queue.reset()
        #expect(rig.queue.delegate == nil && !rig.queue.isRunning)
        #expect(rig.queue.requestCount == 0 && rig.queue.requests.isEmpty)
        #expect(rig.queue.progress == NetworkQueue.Progress())
        #expect(rig.scheduledCount == 0)
        #expect(rig.queue.maxConcurrentRequestCount == 3 && !rig.queue.cancelsAllOnFailure)
        #expect(rig.queue.userInfo["name"] as? String == "batch")
        await rig.transport.wait { $0.isQuiet }
        #expect(operations.allSatisfy { $0.isCancelled })
        #expect(operations.allSatisfy { $0.status == .cancelled })
        rig.queue.add(.test("new"))
        #expect(rig.transport.counts.started == 3)
    }

    @Test(arguments: [false, true])
    func `A reset queue can be used as a new one`(isAccurate: Bool) async {
        let rig = QueueRig(configure: {
            $0.showsAccurateProgress = isAccurate
            $0.maxConcurrentSizingCount = 2
            $0.maxConcurrentRequestCount = 2
        })
        let old = rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.queue.reset()
        let second = DelegateRecorder()
        rig.queue.delegate = second
        rig.transport.setScript { _ in .ok(Data("x".utf8)) }
        let operations = (0..<2).map { rig.queue.add(.test("new\($0)")) }
        rig.queue.go()
        await second.waitForDrain()
        #expect(second.summaries.map(\.counts) == [.init(finished: 2)])
        for operation in operations { #expect(second.story(of: operation) == ["start", "head 200", "finish"]) }
        #expect(second.updates.last?.fractionCompleted == 1)
        #expect(second.updates.allSatisfy { $0.counts.total == 2 })
        #expect(!rig.transport.exchanges.map(\.path).contains("/2") && old.allSatisfy { $0.status == .cancelled })
        #expect(!rig.recorder.events.contains { $0.kind == .didFail || $0.kind == .queueDidFinish })
    }

    @Test(arguments: [false, true])
    func `Late events of a reset batch reach no delegate and no handler`(hasHead: Bool) async {
        let transport = ScriptedTransport(obeysCancellation: false)
        let rig = QueueRig(transport)
        let hasHandled = Atomic(false)
        let old = RequestOperation(NetworkRequest(.test("old"), body: .data(Data(count: 10))))
        old.completionHandler = { _, _, _ in hasHandled.store(true, ordering: .relaxed) }
        old.downloadProgressHandler = { _, _, _ in hasHandled.store(true, ordering: .relaxed) }
        old.uploadProgressHandler = { _, _, _ in hasHandled.store(true, ordering: .relaxed) }
        rig.queue.add(old)
        rig.queue.add(.test("old"))
        rig.queue.go()
        await transport.waitForExchanges(2)
        if hasHead { transport.exchanges[0].receive(headers: ["Content-Length": "1000"]) }
        rig.queue.reset()
        let told = rig.recorder.events.count
        let second = DelegateRecorder()
        rig.queue.delegate = second
        let new = rig.queue.add(.test("new"))
        rig.queue.go()
        let exchange = await transport.exchange(2)
        transport.exchanges[0].send(10)
        if !hasHead { transport.exchanges[0].receive(headers: ["Content-Length": "1000"]) }
        #expect(transport.exchanges[0].receive(Data(count: 500)) == .stop)
        transport.exchanges[0].end(.networkConnectionLost)
        transport.exchanges[1].end(.timedOut)
        #expect(rig.queue.progress.counts == .init(running: 1) && rig.queue.progress.download.transferred == 0)
        #expect(!exchange.isCancelled)
        exchange.answer(.ok())
        await second.waitForDrain()
        #expect(second.story(of: new) == ["start", "head 200", "finish"])
        #expect(second.events.allSatisfy { $0.operation == nil || $0.operation === new })
        #expect(second.summaries.map(\.counts) == [.init(finished: 1)])
        #expect(rig.recorder.events.count == told && !hasHandled.load(ordering: .relaxed))
        #expect(old.isFinished)
    }

    @Test func `reset() waits for the callback that runs on another thread`() async {
        let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasLeft = Atomic(false)
        let rig = QueueRig(
            onEvent: { _, event in
                guard event.kind == .didStart else { return }
                entered.signal()
                leave.wait()
                hasLeft.store(true, ordering: .sequentiallyConsistent)
            })
        rig.add(2)
        rig.queue.go()
        let wasOver = await onThread { [queue = rig.queue] in
            entered.wait()
            Thread.detachNewThread {
                while queue.isRunning { sched_yield() }
                leave.signal()
            }
            queue.reset()
            return hasLeft.load(ordering: .sequentiallyConsistent)
        }
        #expect(wasOver)
        rig.settle()
        #expect(rig.recorder.events.map(\.kind) == [.didStart])
    }
}
