import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueDependencyTests {
    @Test(arguments: [ScriptedTransport.Answer.ok(), .status(404), .fail(.timedOut)])
    func `An operation waits for the end of its dependencies, however they end, and takes no slot meanwhile`(
        answer: ScriptedTransport.Answer
    ) async {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 1 }
        let (first, second) = (rig.make(NetworkRequest(.test("1"))), rig.make(NetworkRequest(.test("2"))))
        let last = rig.make(NetworkRequest(.test("last")))
        last.addDependency(first)
        last.addDependency(second)
        rig.queue.add(last)
        #expect(rig.transport.counts.started == 0 && !last.isReady && last.status == .waiting)
        #expect(rig.paths == ["/last"] && rig.queue.requestCount == 1)
        rig.queue.add(first)
        rig.queue.add(second)
        rig.add("other")
        #expect(rig.paths == ["/1", "/2", "/other", "/last"])
        rig.transport.exchanges[0].answer(answer)
        #expect(rig.open.map(\.path) == ["/2"] && !last.isReady)
        // Suspended, so that the free slot cannot go to the other one before the wait is known to be over.
        rig.queue.isSuspended = true
        rig.transport.exchanges[1].answer(answer)
        #expect(await eventually { last.isReady })
        #expect(await eventually { rig.paths == ["/last", "/other"] })
        rig.queue.isSuspended = false
        #expect(rig.open.map(\.path) == ["/last"])
        rig.queue.cancelAllRequests()
    }

    @Test func `An operation may depend on any Operation, and on one of another queue`() async {
        let (rig, other) = (QueueRig.requestQueue(), QueueRig.requestQueue())
        let block = BlockOperation {}
        let foreign = other.add("foreign")
        let operation = rig.make(NetworkRequest(.test("a")))
        operation.addDependency(block)
        operation.addDependency(foreign)
        rig.queue.add(operation)
        OperationQueue().addOperation(block)
        other.transport.exchanges[0].answer(.ok())
        await rig.transport.exchange(0).answer(.ok())
        #expect(await rig.texts(1) == ["/a ok"] && block.isFinished)
    }

    @Test func `An operation that has nothing left to wait for starts inside add()`() async {
        let rig = QueueRig.requestQueue()
        let first = rig.add("1")
        rig.transport.exchanges[0].answer(.ok())
        await onThread { first.waitUntilFinished() }
        let second = rig.make(NetworkRequest(.test("2")))
        second.addDependency(first)
        let dropped = BlockOperation {}
        let third = rig.make(NetworkRequest(.test("3")))
        third.addDependency(dropped)
        dropped.cancel()
        dropped.start()
        rig.queue.add(second)
        rig.queue.add(third)
        #expect(rig.open.map(\.path) == ["/2", "/3"])
        rig.queue.cancelAllRequests()
    }

    @Test(arguments: [false, true])
    func `Canceling an operation that waits for another ends the wait at once`(all: Bool) async {
        let rig = QueueRig.requestQueue()
        let block = BlockOperation {}
        let operation = rig.make(NetworkRequest(.test("a")))
        operation.addDependency(block)
        rig.queue.add(operation)
        if all { rig.queue.cancelAllRequests() } else { operation.cancel() }
        #expect(operation.status == .cancelled && rig.queue.requestCount == 0)
        #expect(await rig.texts(1) == ["/a cancelled"])
        block.start()
        rig.transport.setScript { _ in .ok() }
        rig.add("b")
        #expect(await rig.texts(2) == ["/a cancelled", "/b ok"] && rig.transport.counts.started == 1)
    }

    @Test func `Canceling the operation that another depends on lets the other start`() async {
        let rig = QueueRig.requestQueue { $0.isSuspended = true }
        let first = rig.add("1")
        let second = rig.make(NetworkRequest(.test("2")))
        second.addDependency(first)
        rig.queue.add(second)
        rig.queue.isSuspended = false
        first.cancel()
        await rig.transport.exchange(1).answer(.ok())
        #expect(await rig.texts(2) == ["/1 cancelled", "/2 ok"])
    }

    @Test(arguments: [false, true])
    func `An operation that goes away before its dependency leaves nothing behind that refers to it`(isAdded: Bool)
        async
    {
        let block = BlockOperation {}
        weak var weakOperation: RequestOperation?
        do {
            let rig = QueueRig.requestQueue()
            let operation = rig.make(NetworkRequest(.test("a")))
            operation.addDependency(block)
            weakOperation = operation
            if isAdded {
                rig.queue.add(operation)
                operation.cancel()
                _ = await rig.texts(1)
            }
        }
        #expect(await eventually { weakOperation == nil })
        // Foundation on Linux would now follow a pointer to what was there.
        block.start()
        #expect(block.isFinished)
    }

    @Test func `An operation that has ended does not keep its dependency`() async {
        weak var weakBlock: BlockOperation?
        do {
            let rig = QueueRig.requestQueue(ScriptedTransport(keepsExchanges: false) { _ in .ok() })
            let block = BlockOperation {}
            weakBlock = block
            let operation = rig.make(NetworkRequest(.test("a")))
            operation.addDependency(block)
            rig.queue.add(operation)
            block.start()
            #expect(await rig.texts(1) == ["/a ok"])
        }
        #expect(await eventually { weakBlock == nil })
    }

    @Test func `A NetworkQueue abides by dependencies, before and after go(), and drains when all are done`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() }) { $0.maxConcurrentRequestCount = 8 }
        let operations = (0..<10).map { RequestOperation(NetworkRequest(.test("\($0)"))) }
        for (later, earlier) in zip(operations, operations.dropFirst()) { later.addDependency(earlier) }
        for operation in operations.prefix(9) { rig.queue.add(operation) }
        rig.queue.go()
        #expect(rig.transport.counts.started == 0 && rig.queue.progress.counts.waiting == 9)
        rig.queue.add(operations[9])
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.map(\.path) == (0..<10).reversed().map { "/\($0)" })
        #expect(rig.recorder.summaries.map(\.counts.finished) == [10])
    }

    @Test func `A thousand operations in a chain, added in reverse, run one after the other`() async {
        let rig = QueueRig.requestQueue(ScriptedTransport(isSynchronous: true) { _ in .ok() }) {
            $0.maxConcurrentRequestCount = 0
        }
        let operations = (0..<1000).map { rig.make(NetworkRequest(.test("\($0)"))) }
        for (earlier, later) in zip(operations, operations.dropFirst()) { later.addDependency(earlier) }
        for operation in operations.reversed() { rig.queue.add(operation) }
        #expect(await rig.outcomes.wait(count: 1000).map(\.path) == (0..<1000).map { "/\($0)" })
        #expect(rig.transport.peakLiveCount == 1)
    }
}
