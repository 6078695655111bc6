import Foundation
import NetworkQueueKit
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
