import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CancelsAllOnFailureTests {
    @Test(arguments: [false, true])
    func `Each request that a failure cancels is told by didFail, and the summary names the culprit`(
        isSynchronous: Bool
    ) async {
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            switch exchange.url.path() {
            case "/0": .ok()
            case "/2": isSynchronous ? .fail(.timedOut) : .hold
            default: .hold
            }
        }
        let rig = QueueRig(transport)
        let operations = rig.add(50)
        rig.queue.go()
        if !isSynchronous {
            await rig.recorder.wait { $0.contains { $0.kind == .didFinish } }
            transport.exchanges[2].end(.timedOut)
        }
        await rig.recorder.waitForDrain()
        let summary = rig.recorder.summaries[0]
        #expect(summary.firstFailure?.operation === operations[2] && summary.firstFailure?.error.code == .timedOut)
        #expect(summary.counts == .init(finished: 1, failed: 1, cancelled: 48))
        for operation in operations where operation !== operations[0] && operation !== operations[2] {
            #expect(rig.recorder.story(of: operation).last == "fail cancelled")
            #expect(operation.status == .cancelled && operation.error?.underlying as? URLError == URLError(.cancelled))
        }
        #expect(operations[2].status == .failed)
        #expect(rig.recorder.summaries.count == 1)
    }

    @Test func `cancelsAllOnFailure applies to failures from the moment that it is switched on`() async {
        let rig = QueueRig(configure: { $0.cancelsAllOnFailure = false })
        rig.add(4)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        rig.transport.exchanges[0].end(.timedOut)
        #expect(rig.transport.counts.cancelled == 0)
        rig.queue.cancelsAllOnFailure = true
        rig.transport.exchanges[1].end(.networkConnectionLost)
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts == .init(failed: 2, cancelled: 2))
        #expect(rig.recorder.summaries[0].firstFailure?.error.code == .timedOut)
    }

    @Test func `An operation that its user cancels is not a failure`() async {
        let rig = QueueRig()
        let operations = rig.add(4)
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        rig.queue.cancel(operations[0])
        operations[1].cancel()
        await rig.transport.wait { $0.completed == 2 }
        #expect(!rig.transport.exchanges[2].isCancelled && !rig.transport.exchanges[3].isCancelled)
        for exchange in rig.transport.exchanges.suffix(2) { exchange.answer(.ok()) }
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts == .init(finished: 2, cancelled: 2))
        #expect(rig.recorder.summaries[0].firstFailure == nil)
    }

    @Test func `An operation added in the culprit's didFail is a new piece of work`() async {
        let added = Guarded<[RequestOperation]>([])
        let transport = ScriptedTransport { exchange in
            switch exchange.url.path() {
            case "/0": .fail(.cannotConnectToHost)
            case "/added": .ok()
            default: .hold
            }
        }
        let rig = QueueRig(
            transport,
            onEvent: { queue, event in
                guard event.kind == .didFail else { return }
                let operation = queue.add(.test("added"))
                added.withLock { $0.append(operation) }
            })
        rig.add(20)
        await rig.queue.run()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 20, failed: 1, cancelled: 19)])
        #expect(added.withLock { $0 }.allSatisfy { $0.status == .finished })
    }

    @Test func `The first failure of requests added after a failure cancels the others again`() async {
        let transport = ScriptedTransport(obeysCancellation: false)
        let rig = QueueRig(transport)
        rig.add(2)
        rig.queue.go()
        await transport.waitForExchanges(2)
        transport.exchanges[0].end(.timedOut)
        let (second, third) = (rig.queue.add(.test("a")), rig.queue.add(.test("b")))
        await transport.waitForExchanges(4)
        rig.settle()
        #expect(transport.exchanges.map(\.isCancelled) == [false, true, false, false])
        transport.exchanges[2].end(.networkConnectionLost)
        rig.settle()
        #expect(transport.exchanges[3].isCancelled)
        for exchange in transport.exchanges { exchange.end(.cancelled) }
        await rig.recorder.waitForDrain()
        #expect(second.status == .failed && third.status == .cancelled)
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 2, cancelled: 2)])
        #expect(rig.recorder.summaries[0].firstFailure?.error.code == .timedOut)
    }

    @Test(arguments: 0..<10)
    func `Exactly one of several failures at the same time is the culprit`(round: Int) async {
        let rig = QueueRig(configure: { $0.maxConcurrentRequestCount = 0 })
        let operations = rig.add(8)
        rig.queue.go()
        await rig.transport.waitForExchanges(8)
        let exchanges = rig.transport.exchanges
        await withTaskGroup(of: Void.self) { group in
            for exchange in exchanges { group.addTask { exchange.end(.timedOut) } }
        }
        await rig.recorder.waitForDrain()
        let failed = operations.filter { $0.status == .failed }
        #expect(failed.count == 1 && rig.recorder.summaries[0].firstFailure?.operation === failed.first)
        for operation in operations where operation !== failed.first {
            #expect((operation.error?.underlying as? URLError)?.code == .cancelled)
        }
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 1, cancelled: 7)])
    }

    @Test func `A hundred thousand requests that wait are each canceled once and never start`() async {
        let count = 100_000
        let transport = ScriptedTransport(keepsExchanges: false) { exchange in
            exchange.url.path() == "/bad" ? .fail(.timedOut) : .hold
        }
        let rig = QueueRig(transport)
        let tally = TallyDelegate()
        rig.queue.delegate = tally
        let request = NetworkRequest(.test("good"))
        rig.queue.add(contentsOf: repeatElement(request, count: 3))
        rig.queue.add(.test("bad"))
        rig.queue.add(contentsOf: repeatElement(request, count: count))
        rig.queue.go()
        await tally.waitForDrain()
        #expect(transport.counts.started == 4 && transport.counts.cancelled == 3)
        #expect(tally.tally.failures == 1 && tally.tally.cancellations == count + 3 && tally.tally.starts == 4)
        #expect(tally.tally.drains == 1)
    }
}
