import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Guarantee 4 at the moment between a failure and the cancellation of the others, which only from inside can be caught.
@Suite("Guarantee 4: while a failure cancels all others", .timeLimit(.minutes(10)))
struct CulpritTests {
    private let rig = QueueRig()

    /// The queue, which has said already what the operation ends with.
    private final class AskedBefore: OperationListener {
        let queue: NetworkQueue

        init(queue: NetworkQueue) { self.queue = queue }

        func operation(_ operation: RequestOperation, did event: RequestEvent) {
            queue.operation(operation, did: event)
        }
    }

    private func fail(_ operation: RequestOperation, with error: NetworkError?) {
        operation.end(with: RequestResult(error: error), telling: AskedBefore(queue: rig.queue))
    }

    @Test func `another that fails has been cancelled`() async {
        let operations = rig.add(3)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        let first = rig.queue.operation(operations[0], willEndWith: NetworkError(.timedOut))
        let second = rig.queue.operation(operations[1], willEndWith: NetworkError(.connectionLost))
        #expect(first.code == .timedOut && second.code == .cancelled)
        // The later one may even be told first.
        fail(operations[1], with: second)
        #expect(!operations[2].isCancelled)
        fail(operations[0], with: first)
        #expect(operations[2].isCancelled)
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 1, cancelled: 2)])
        #expect(rig.recorder.summaries[0].firstFailure?.operation === operations[0])
    }

    @Test func `one that is added is not swept away`() async {
        let operations = rig.add(2)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        let error = rig.queue.operation(operations[0], willEndWith: NetworkError(.timedOut))
        let added = rig.queue.add(.test("added"))
        fail(operations[0], with: error)
        #expect(operations[1].isCancelled && !added.isCancelled)
        await rig.transport.exchange(2).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 1, failed: 1, cancelled: 1)])
    }

    @Test func `one whose adding it overtakes is cancelled with the others`() async {
        let culprit = rig.add(1)[0]
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        let late = RequestOperation(NetworkRequest(.test("late")))
        // What add() does first.
        rig.queue.state.withLock { $0.enroll(late, BatchExpectation(late.request, hasBody: false), now: .zero) }
        let error = rig.queue.operation(culprit, willEndWith: NetworkError(.timedOut))
        fail(culprit, with: error)
        #expect(rig.queue.state.withLock { !$0.isUpToDate(late) })
        rig.queue.requestQueue.add(late)
        rig.queue.requestQueue.cancel(late)
        await rig.recorder.waitForDrain()
        #expect(late.status == .cancelled)
    }
}
