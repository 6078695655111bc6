import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AddingInCallbacksTests {
    /// A queue that adds one request inside the first callback of a kind.
    private func rig(addingIn kind: NetworkQueue.Event.Kind, isSynchronous: Bool) -> QueueRig<NetworkQueue> {
        let hasAdded = Atomic(false)
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            kind == .didFail && exchange.url.path() == "/0" ? .fail(.timedOut) : .ok()
        }
        return QueueRig(
            transport,
            onEvent: { queue, event in
                guard event.kind == kind, !hasAdded.exchange(true, ordering: .relaxed) else { return }
                queue.add(.test("added"))
            })
    }

    private static let kinds: [NetworkQueue.Event.Kind] = [
        .didStart, .didReceiveHeaders, .didFinish, .didFail, .didUpdate, .queueDidFinish,
    ]

    @Test(arguments: kinds, [false, true])
    func `Requests added inside a callback belong to the drain that has not come yet, or bring another`(
        kind: NetworkQueue.Event.Kind, isSynchronous: Bool
    ) async {
        let rig = rig(addingIn: kind, isSynchronous: isSynchronous)
        rig.add(1)
        rig.queue.go()
        let isLate = [.didUpdate, .queueDidFinish].contains(kind)
        await rig.recorder.waitForDrain(isLate ? 2 : 1)
        await rig.flush()
        #expect(rig.recorder.summaries.map(\.counts.total) == (isLate ? [1, 1, 1] : [2, 1]))
        #expect(rig.recorder.isLastDrain && rig.recorder.updates.allSatisfy { $0.fractionCompleted == 1 })
    }

    @Test func `Requests added in an operation's own handler belong to its drain`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let operation = RequestOperation(NetworkRequest(.test("a")))
        operation.completionHandler = { [queue = rig.queue] _, _, _ in queue.add(.test("b")) }
        rig.queue.add(operation)
        await rig.queue.run()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [2])
    }

    @Test func `Requests added in callbacks one after the other make one drain, however long the chain`() async {
        let remaining = Atomic(1000)
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true) { _ in .ok() },
            onEvent: { queue, event in
                guard event.kind == .didFinish else { return }
                if remaining.subtract(1, ordering: .relaxed).newValue > 0 { queue.add(.test("next")) }
            })
        rig.add(1)
        await rig.queue.run()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [1000])
    }
}
