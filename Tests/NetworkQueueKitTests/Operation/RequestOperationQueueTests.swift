import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestOperationQueueTests {
    /// Waits outside the test runner's threads.
    private func drain(_ queue: OperationQueue) async {
        await onThread { queue.waitUntilAllOperationsAreFinished() }
    }

    private func makeQueue(limit: Int = OperationQueue.defaultMaxConcurrentOperationCount) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = limit
        return queue
    }

    @Test(arguments: [false, true])
    func `Operations in an OperationQueue run, call their handlers, and are all waited for`(isSynchronous: Bool) async {
        let rig = QueueRig(ScriptedTransport(isSynchronous: isSynchronous) { _ in .ok() })
        let queue = makeQueue(limit: 4)
        let operations = (0..<50).map { rig.makeStandalone("\($0)") }
        let blocks = (0..<50).map { _ in BlockOperation {} }
        await onThread { queue.addOperations(operations + blocks, waitUntilFinished: true) }
        #expect(operations.allSatisfy { $0.status == .finished } && blocks.allSatisfy { $0.isFinished })
        // The handlers have returned.
        #expect(rig.outcomes.values.count == 50)
        // Foundation wakes those who wait a moment before it takes an operation out of its queue.
        #expect(await eventually { queue.operationCount == 0 })
    }

    @Test(arguments: [1, 2, 5])
    func `An operation counts against maxConcurrentOperationCount until its exchange has ended`(limit: Int) async {
        let rig = QueueRig()
        let queue = makeQueue(limit: limit)
        let operations = (0..<20).map { rig.makeStandalone("\($0)") }
        for operation in operations { queue.addOperation(operation) }
        for number in 0..<20 {
            await rig.transport.waitForExchanges(min(number + limit, 20))
            #expect(rig.transport.liveCount == min(limit, 20 - number))
            rig.transport.exchanges[number].answer(.ok())
        }
        await drain(queue)
        #expect(rig.transport.peakLiveCount == limit)
        // Those that run at a time start in no particular order.
        if limit == 1 { #expect(rig.transport.exchanges.map(\.path) == operations.map(\.path)) }
    }

    @Test func `Dependencies hold between requests and blocks, in both directions`() async {
        let rig = QueueRig()
        let queue = makeQueue()
        let order = Gathering<String>()
        let first = rig.makeStandalone("first")
        let middle = BlockOperation { order.add("middle, first is \(first.status)") }
        let last = rig.makeStandalone("last")
        middle.addDependency(first)
        last.addDependency(middle)
        for operation in [last, middle, first] { queue.addOperation(operation) }
        let exchange = await rig.transport.exchange(0)
        #expect(exchange.path == "/first" && order.values.isEmpty && !middle.isReady && !last.isReady)
        exchange.answer(.fail(.timedOut))
        await rig.transport.exchange(1).answer(.ok())
        await drain(queue)
        #expect(order.values == ["middle, first is failed"])
        #expect(rig.transport.exchanges.map(\.path) == ["/first", "/last"])
    }

    @Test func `queuePriority decides which of the operations that are ready starts next`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let queue = makeQueue(limit: 1)
        queue.isSuspended = true
        let priorities: [Operation.QueuePriority] = [.veryLow, .high, .normal, .veryHigh, .low]
        for (number, priority) in priorities.enumerated() {
            let operation = rig.makeStandalone("\(number)")
            operation.queuePriority = priority
            queue.addOperation(operation)
        }
        queue.isSuspended = false
        await drain(queue)
        #expect(rig.transport.exchanges.map(\.path) == ["/3", "/1", "/2", "/4", "/0"])
    }

    @Test func `cancelAllOperations() ends all operations before any has started, and no request is sent`() async {
        let rig = QueueRig()
        let queue = makeQueue(limit: 2)
        queue.isSuspended = true
        let operations = (0..<20).map { rig.makeStandalone("\($0)") }
        // Also those that wait for others.
        for (earlier, later) in zip(operations, operations.dropFirst()) { later.addDependency(earlier) }
        for operation in operations { queue.addOperation(operation) }
        queue.cancelAllOperations()
        #expect(operations.allSatisfy { $0.isCancelled && !$0.isFinished })
        queue.isSuspended = false
        await drain(queue)
        #expect(operations.allSatisfy { $0.states.isSuperset(of: [.finished, .cancelled]) })
        #expect(await rig.texts(20).sorted() == operations.map { "\($0.path) cancelled" }.sorted())
        #expect(rig.transport.counts.started == 0)
    }

    @Test func `cancelAllOperations() ends running operations with their exchanges, and the others without`() async {
        let rig = QueueRig()
        let queue = makeQueue(limit: 3)
        let operations = (0..<20).map { rig.makeStandalone("\($0)") }
        for operation in operations { queue.addOperation(operation) }
        await rig.transport.waitForExchanges(3)
        queue.cancelAllOperations()
        await drain(queue)
        #expect(operations.allSatisfy { $0.status == .cancelled })
        // It cancels one after the other: in the slots of the first, others may start before it comes to them.
        #expect(rig.transport.counts.cancelled == rig.transport.counts.started && rig.transport.counts.started >= 3)
        let ends = await rig.texts(20)
        #expect(Set(ends).count == 20 && ends.allSatisfy { $0.hasSuffix("cancelled") })
    }

    @Test func `A retry keeps its place in the OperationQueue until it has ended`() async {
        let rig = QueueRig()
        let queue = makeQueue(limit: 1)
        let (first, second) = (rig.makeStandalone("1"), rig.makeStandalone("2"))
        first.autoRetry = true
        for operation in [first, second] { queue.addOperation(operation) }
        await rig.transport.exchange(0).answer(.fail(.timedOut))
        #expect(first.isExecuting && rig.transport.counts.started == 1)
        rig.clock.advance(by: first.autoRetryDelay)
        await rig.transport.exchange(1).answer(.ok())
        await rig.transport.exchange(2).answer(.ok())
        await drain(queue)
        #expect(rig.transport.exchanges.map(\.path) == ["/1", "/1", "/2"])
    }

    @Test func `Each operation finishes once and calls its completionBlock once, whatever ends it`() async {
        let rig = QueueRig(ScriptedTransport { $0.url.path() == "/0" ? .fail(.timedOut) : .ok() })
        let queue = makeQueue(limit: 4)
        let blocks = Gathering<Int>()
        for number in 0..<200 {
            let operation = rig.makeStandalone("\(number)")
            operation.completionBlock = { blocks.add(number) }
            queue.addOperation(operation)
            if number.isMultiple(of: 3) { operation.cancel() }
        }
        await drain(queue)
        #expect(await blocks.wait(count: 200).sorted() == Array(0..<200))
        #expect(await rig.texts(200).count == 200)
    }
}
