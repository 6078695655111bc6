import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct DeepStackTests {
    private static let count = 100_000

    private func run(
        isAccurate: Bool = false, cancelsAll: Bool = false,
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer
    ) async -> TallyDelegate.Tally {
        let transport = ScriptedTransport(isSynchronous: true, keepsExchanges: false, script: script)
        let rig = QueueRig(
            transport,
            configure: {
                $0.cancelsAllOnFailure = cancelsAll
                $0.showsAccurateProgress = isAccurate
            })
        let tally = TallyDelegate()
        rig.queue.delegate = tally
        var request = NetworkRequest(.test("a"))
        if isAccurate { request.expectedDownloadSize = 1 }
        rig.queue.add(contentsOf: repeatElement(request, count: Self.count - 1))
        if isAccurate { request.expectedDownloadSize = nil }
        rig.queue.add(request)
        // On a thread of Dispatch, whose stack is small.
        rig.callbacks.async { rig.queue.go() }
        await tally.waitForDrain()
        return tally.tally
    }

    @Test func `A hundred thousand requests pile up no stack frames when they succeed`() async {
        let tally = await run { _ in .ok() }
        #expect(tally.finishes == Self.count && tally.drains == 1)
    }

    @Test func `A hundred thousand requests pile up no stack frames when they fail`() async {
        let tally = await run { _ in .fail(.cannotConnectToHost) }
        #expect(tally.failures == Self.count && tally.drains == 1)
    }

    @Test func `A hundred thousand requests pile up no stack frames when the first failure cancels them`() async {
        let tally = await run(cancelsAll: true) { _ in .fail(.cannotConnectToHost) }
        #expect(tally.failures == 1 && tally.cancellations == Self.count - 1 && tally.drains == 1)
    }

    @Test func `A hundred thousand requests pile up no stack frames after sizing`() async {
        let tally = await run(isAccurate: true) { _ in .ok(Data("x".utf8)) }
        #expect(tally.finishes == Self.count && tally.drains == 1)
    }

    @Test func `Ten thousand requests pile up no stack frames when each URL is sized`() async {
        let transport = ScriptedTransport(isSynchronous: true, keepsExchanges: false) { _ in .ok() }
        let rig = QueueRig(transport, configure: { $0.showsAccurateProgress = true })
        let tally = TallyDelegate()
        rig.queue.delegate = tally
        for number in 0..<10_000 { rig.queue.add(.test("\(number)")) }
        rig.callbacks.async { rig.queue.go() }
        await tally.waitForDrain()
        #expect(tally.tally.finishes == 10_000 && transport.counts.started == 20_000)
    }

    @Test func `A hundred thousand requests pile up no stack frames when they are canceled one by one`() async {
        let rig = QueueRig(ScriptedTransport(keepsExchanges: false))
        let tally = TallyDelegate()
        rig.queue.delegate = tally
        let operations = rig.queue.add(contentsOf: repeatElement(NetworkRequest(.test("a")), count: Self.count))
        rig.queue.go()
        rig.callbacks.async { for operation in operations { operation.cancel() } }
        await tally.waitForDrain()
        #expect(tally.tally.cancellations == Self.count && tally.tally.drains == 1)
    }
}
