import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LifetimeTests {
    private func queue(_ transport: ScriptedTransport, sizes: Bool = false) -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = sizes
        configuration.cancelsAllOnFailure = false
        return NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "LifetimeTests"))
    }

    @Test(arguments: [ScriptedTransport.Answer.ok(Data("x".utf8)), .fail(.timedOut), .status(404)], [false, true])
    func `An operation that has ended is kept by its user alone`(
        answer: ScriptedTransport.Answer, isSizing: Bool
    ) async {
        let queue = queue(ScriptedTransport(keepsExchanges: false) { _ in answer }, sizes: isSizing)
        let tally = TallyDelegate()
        queue.delegate = tally
        weak var weakOperation: RequestOperation?
        do {
            let operation = queue.add(.test("a"))
            // A handler that refers back to its operation is released, too: that of a failure with what it takes to run the
            // request again.
            operation.completionHandler = { [operation] _, _, _ in _ = operation.status }
            weakOperation = operation
        }
        #expect(weakOperation != nil)
        queue.go()
        await tally.waitForDrain()
        if queue.progress.counts.failed > 0 { queue.reset() }
        #expect(await eventually { weakOperation == nil })
    }

    @Test func `Ten thousand operations that have finished are all released`() async {
        let content = Data(count: 1000)
        let queue = queue(ScriptedTransport(isSynchronous: true, keepsExchanges: false) { _ in .ok(content) })
        let census = Census()
        queue.delegate = census
        for _ in 0..<10_000 { census.watch(queue.add(.test("a"))) }
        await queue.run()
        #expect(census.finished == 10_000)
        #expect(await eventually { census.aliveCount == 0 })
    }

    @Test(arguments: [false, true])
    func `A queue that has drained goes away with its last reference`(isSizing: Bool) async {
        weak var weakQueue: NetworkQueue?
        do {
            let rig = QueueRig(ScriptedTransport { _ in .ok() }, configure: { $0.showsAccurateProgress = isSizing })
            weakQueue = rig.queue
            rig.add(5)
            rig.queue.go()
            await rig.recorder.waitForDrain()
        }
        #expect(await eventually { weakQueue == nil })
    }

    @Test func `Requests that wait for go() end as canceled when their queue goes away`() async {
        let (ends, continuation) = AsyncStream.makeStream(of: NetworkError?.self)
        weak var weakQueue: NetworkQueue?
        let operations: [RequestOperation]
        do {
            let queue = queue(ScriptedTransport())
            weakQueue = queue
            operations = (0..<3).map { queue.add(.test("\($0)")) }
            for operation in operations { operation.completionHandler = { continuation.yield($2) } }
            let pending = RequestOperation(NetworkRequest(.test("x")))
            pending.completionHandler = { continuation.yield($2) }
            queue.add(pending)
        }
        #expect(weakQueue == nil)
        #expect(operations.allSatisfy { $0.status == .cancelled && $0.isCancelled })
        var codes: [NetworkError.Code?] = []
        for await error in ends.prefix(4) { codes.append(error?.code) }
        #expect(codes == [.cancelled, .cancelled, .cancelled, .cancelled])
    }

    @Test(arguments: [false, true])
    func `Work in flight keeps a queue alive until it is done`(isSizing: Bool) async {
        let transport = ScriptedTransport()
        let tally = TallyDelegate()
        weak var weakQueue: NetworkQueue?
        do {
            let queue = queue(transport, sizes: isSizing)
            weakQueue = queue
            queue.delegate = tally
            for number in 0..<10 { queue.add(.test("\(number)")) }
            queue.go()
            await transport.waitForExchanges(4)
        }
        #expect(weakQueue != nil)
        transport.setScript { _ in .ok() }
        for exchange in transport.exchanges { exchange.answer(.ok()) }
        await tally.waitForDrain()
        #expect(tally.tally.lastCounts == .init(finished: 10))
        #expect(await eventually { weakQueue == nil })
    }

    @Test func `The delegate is weak, and the queue runs without it`() async {
        let transport = ScriptedTransport()
        let queue = queue(transport)
        weak var weakDelegate: TallyDelegate?
        do {
            let delegate = TallyDelegate()
            queue.delegate = delegate
            weakDelegate = delegate
            queue.add(.test("a"))
            queue.go()
            await transport.waitForExchanges(1)
        }
        // A callback under way holds on to it.
        #expect(await eventually { weakDelegate == nil })
        #expect(queue.delegate == nil)
        async let summary = queue.run()
        transport.exchanges[0].answer(.ok())
        #expect(await summary.isSuccess)
    }
}

/// Counts operations that are alive.
private final class Census: NetworkQueueDelegate, Sendable {
    private struct Weak: @unchecked Sendable {
        weak var operation: RequestOperation?
    }

    private let operations = Guarded<[Weak]>([])
    private let finishes = Atomic(0)

    var finished: Int { finishes.load(ordering: .relaxed) }
    var aliveCount: Int { operations.withLock { $0.count { $0.operation != nil } } }

    func watch(_ operation: RequestOperation) {
        operations.withLock { $0.append(Weak(operation: operation)) }
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        finishes.add(1, ordering: .relaxed)
    }
}
