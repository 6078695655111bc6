import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OperationDatesTests {
    @Test(arguments: QueueKind.allCases)
    func `An operation's start, end and duration are known as soon as they can be`(kind: QueueKind) async throws {
        let before = Date.now
        let rig = QueueRig(kind, limit: 1)
        let ends = Gathering<Void>()
        let first = rig.queue.add(BasicEndpoint(.test("a"))) { _ in ends.add(()) }
        let second = rig.queue.add(BasicEndpoint(.test("b"))) { _ in ends.add(()) }
        let exchange = await rig.transport.exchange(0)
        #expect(second.startDate == nil && second.endDate == nil && second.duration == nil)
        rig.clock.advance(by: .seconds(40))
        #expect(first.duration == .seconds(40) && first.endDate == nil)
        let start = try #require(first.startDate)
        // The clock that measures durations has been moved on, the system's has not.
        #expect(start < before && start.timeIntervalSince(before) >= -40)
        exchange.answer(.ok())
        _ = await ends.wait(count: 1)
        let end = try #require(first.endDate)
        #expect(first.duration == .seconds(40) && first.duration == first.metrics?.duration)
        #expect(end >= before && end <= .now)
        let span = try #require(first.startDate.map { end.timeIntervalSince($0) })
        #expect(abs(span - 40) < 0.001)
        await rig.transport.exchange(1).answer(.fail(.timedOut))
        _ = await ends.wait(count: 2)
        #expect(second.duration == .zero && second.startDate != nil && second.endDate != nil)
    }

    @Test func `An operation that is canceled before its start has an end only`() async {
        let rig = QueueRig(.requestQueue, limit: 1)
        rig.queue.add(BasicEndpoint(.test("a")))
        let operation = rig.queue.add(BasicEndpoint(.test("b")))
        operation.cancel()
        #expect(operation.endDate != nil && operation.startDate == nil && operation.duration == nil)
        rig.queue.cancelAll(of: BasicEndpoint.self)
    }
}
