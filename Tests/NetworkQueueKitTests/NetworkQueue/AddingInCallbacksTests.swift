import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AddingInCallbacksTests {
    /// A queue that adds one request inside the first callback of a kind.
    private func rig(
        addingIn kind: NetworkQueue.Event.Kind, isSynchronous: Bool, failing: Bool = false, cancelsAll: Bool = true
    ) -> QueueRig<NetworkQueue> {
        let hasAdded = Atomic(false)
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            failing && exchange.url.path() != "/added" ? .fail(.timedOut) : .ok()
        }
        return QueueRig(
            transport, configure: { $0.cancelsAllOnFailure = cancelsAll },
            onEvent: { queue, event in
                guard event.kind == kind, !hasAdded.exchange(true, ordering: .relaxed) else { return }
                queue.add(.test("added"))
            })
    }

    @Test(arguments: [NetworkQueue.Event.Kind.didStart, .didReceiveHeaders, .didFinish], [false, true])
    func `Requests added inside a callback belong to the drain that has not come yet`(
        kind: NetworkQueue.Event.Kind, isSynchronous: Bool
    ) async {
        let rig = rig(addingIn: kind, isSynchronous: isSynchronous)
        rig.add(1)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        await rig.flush()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [2, 1])
    }

    @Test(arguments: [false, true], [false, true])
    func `Requests added in the last didFail belong to its drain`(isSynchronous: Bool, cancelsAll: Bool) async {
        let rig = rig(addingIn: .didFail, isSynchronous: isSynchronous, failing: true, cancelsAll: cancelsAll)
        rig.add(1)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 1, failed: 1)])
    }

    @Test(arguments: [false, true])
    func `Requests added in networkQueueDidFinish bring another drain`(isSynchronous: Bool) async {
        let rig = rig(addingIn: .queueDidFinish, isSynchronous: isSynchronous)
        rig.add(2)
        rig.queue.go()
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries.map(\.counts.finished) == [2, 1])
        #expect(rig.recorder.isLastDrain)
    }

    @Test func `Requests added in the last didUpdate bring another drain`() async {
        let rig = rig(addingIn: .didUpdate, isSynchronous: false)
        rig.add(2)
        rig.queue.go()
        await rig.recorder.waitForDrain(2)
        #expect(rig.recorder.summaries.map(\.counts.finished) == [2, 1])
        #expect(rig.recorder.updates.map(\.fractionCompleted) == [1, 1])
    }

    @Test func `Requests added in an operation's own handler belong to its drain`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let operation = RequestOperation(NetworkRequest(.test("a")))
        operation.completionHandler = { [queue = rig.queue] _, _, _ in queue.add(.test("b")) }
        rig.queue.add(operation)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [2])
    }

    @Test func `Requests added in callbacks one after the other make one drain, however long the chain`() async {
        let remaining = Atomic(1000)
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true) { _ in .ok() },
            onEvent: { queue, event in
                guard case .didFinish = event else { return }
                if remaining.subtract(1, ordering: .relaxed).newValue > 0 { queue.add(.test("next")) }
            })
        rig.add(1)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts.finished) == [1000])
    }
}
