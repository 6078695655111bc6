import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SizingScheduleTests {
    private func rig(_ configure: (inout NetworkQueue.Configuration) -> Void = { _ in }) -> QueueRig<NetworkQueue> {
        QueueRig(configure: {
            $0.showsAccurateProgress = true
            configure(&$0)
        })
    }

    /// Waits until so many exchanges have been started in all, and no more.
    private func expectStarted(_ count: Int, _ rig: QueueRig<NetworkQueue>) async {
        await rig.transport.waitForExchanges(count)
        rig.settle()
        #expect(rig.transport.counts.started == count)
    }

    /// Answers the HEADs that are open.
    private func answerAll(
        _ rig: QueueRig<NetworkQueue>, _ answer: ScriptedTransport.Answer = .status(200, ["Content-Length": "9"])
    ) {
        for exchange in rig.transport.exchanges where !exchange.isOver { exchange.answer(answer) }
        rig.settle()
    }

    @Test func `Sixteen sizes are asked for at a time, and thirty-two once sixteen are answered`() async {
        let rig = rig()
        rig.add(100)
        rig.queue.go()
        await expectStarted(16, rig)
        answerAll(rig)
        await expectStarted(48, rig)
        answerAll(rig, .status(503))
        #expect(rig.transport.liveCount == 4, "Each 503 has halved it, but never below the limit for transfers.")
        rig.queue.cancelAll()
    }

    @Test func `Sixteen sizes are asked for at a time of two origins, however many are answered`() async {
        let rig = rig()
        rig.add(50)
        rig.queue.add(URL.elsewhere)
        rig.queue.go()
        await expectStarted(16, rig)
        answerAll(rig)
        await expectStarted(32, rig)
        rig.queue.cancelAll()
    }

    @Test func `The transfers start when two rounds have shown that the sizes will not be there in time`() async {
        let rig = rig {
            $0.maxConcurrentSizingCount = 4
            $0.maxConcurrentRequestCount = 4
        }
        rig.add(1000)
        rig.queue.go()
        await expectStarted(4, rig)
        for round in 1...2 {
            rig.advance(by: .seconds(1))
            #expect(rig.queue.progress.phase == .sizing(completed: (round - 1) * 4, total: 1000))
            answerAll(rig)
        }
        await rig.transport.wait { $0.started >= 16 }
        #expect(rig.queue.progress.phase == .transferring && rig.clock.now == .seconds(2))
        #expect(rig.transport.exchanges.filter { $0.exchange.method == "GET" }.count == 4)
        rig.queue.cancelAll()
    }

    @Test func `The transfers wait for sizes that will be there in time`() async {
        let rig = rig { $0.maxConcurrentSizingCount = 4 }
        rig.add(32)
        rig.queue.go()
        for round in 1...7 {
            await expectStarted(round * 4, rig)
            rig.advance(by: .seconds(1))
            answerAll(rig)
        }
        await expectStarted(32, rig)
        #expect(rig.queue.progress.phase == .sizing(completed: 28, total: 32))
        answerAll(rig)
        #expect(rig.queue.progress.phase == .transferring)
        rig.queue.cancelAll()
    }
}

extension URL {
    /// Of another origin than ``test(_:)``.
    fileprivate static var elsewhere: URL { URL(string: "http://elsewhere.test/0") ?? .test("0") }
}
