import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What happens to an operation between the decision that it gives its slot back and the moment in which it has.
///
/// A monitor that does not return holds the thread that sets the operation aside there.
@Suite(.timeLimit(.minutes(10)))
struct LeavingTests {
    /// Where the pause takes effect.
    enum Place: CaseIterable {
        /// At the end of the exchange that the pause has cut.
        case afterExchange
        /// Before the exchange that a redirect would start.
        case beforeExchange
    }

    /// Holds the thread that reports the first end of an attempt.
    private final class HoldingMonitor: QueueMonitor {
        let ends = Gathering<NetworkError.Code?>()
        private let gate = DispatchSemaphore(value: 0)

        func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
            ends.add(error?.code)
            if ends.values.count == 1 { gate.wait() }
        }

        func letGo() { gate.signal() }
    }

    private let monitor = HoldingMonitor()

    /// A batch of one operation, which is paused and held at `place`.
    private func leave(
        at place: Place, totalTimeout: Duration? = nil
    ) async -> (QueueRig<NetworkQueue>, RequestOperation) {
        var request = NetworkRequest(.test("a"))
        request.totalTimeout = totalTimeout
        let operation = RequestOperation(request)
        let rig = QueueRig(
            configure: { $0.monitors = [monitor] },
            redirect: { request in
                operation.pause()
                return request
            })
        rig.queue.add(operation)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        switch place {
        case .afterExchange: operation.pause()
        case .beforeExchange: exchange.answer(.status(302, ["Location": "/b"]))
        }
        _ = await monitor.ends.wait(count: 1)
        return (rig, operation)
    }

    @Test(arguments: Place.allCases)
    func `A cancellation ends a request that is being set aside only once it is set aside`(place: Place) async {
        let (rig, operation) = await leave(at: place)
        operation.cancel()
        #expect(operation.status == .running)
        monitor.letGo()
        await rig.recorder.waitForDrain()
        #expect(operation.status == .cancelled && monitor.ends.values == [.cancelled])
        #expect(rig.recorder.story(of: operation).last == "fail cancelled")
        #expect(rig.queue.progress.counts == .init(cancelled: 1))
    }

    @Test(arguments: Place.allCases)
    func `A total timeout ends a request that is being set aside only once it is set aside`(place: Place) async {
        let (rig, operation) = await leave(at: place, totalTimeout: .seconds(10))
        operation.resume()
        rig.clock.advance(by: .seconds(10))
        #expect(operation.status == .running)
        monitor.letGo()
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .timedOut && monitor.ends.values == [.cancelled])
    }

    @Test(arguments: Place.allCases)
    func `A request that is resumed while it is being set aside starts again once`(place: Place) async {
        let (rig, operation) = await leave(at: place)
        operation.resume()
        operation.pause()
        operation.resume()
        #expect(rig.transport.counts.started == 1)
        monitor.letGo()
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(operation.status == .finished && operation.attempts == 1 && rig.transport.counts.started == 2)
    }

    /// Pauses an operation when the first attempt of another begins.
    private final class PausingMonitor: QueueMonitor {
        let operation: RequestOperation

        init(_ operation: RequestOperation) { self.operation = operation }

        func attemptDidStart(in context: AttemptContext) {
            if context.operationID != operation.id { operation.pause() }
        }
    }

    @Test func `The total timeout of a request that is paused with a slot but before its start counts from its start`()
        async
    {
        var request = NetworkRequest(.test("b"))
        request.totalTimeout = .seconds(10)
        let operation = RequestOperation(request)
        let rig = QueueRig(configure: { $0.monitors = [PausingMonitor(operation)] })
        rig.add(1)
        rig.queue.add(operation)
        // Both get their slots at the same time.
        rig.queue.go()
        await rig.transport.exchange(0).answer(.ok())
        rig.settle()
        #expect(operation.status == .paused && operation.attempts == 0)
        rig.queue.isSuspended = true
        operation.resume()
        rig.advance(by: .seconds(60))
        #expect(operation.status == .waiting)
        rig.queue.isSuspended = false
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(operation.status == .finished && operation.attempts == 1)
    }

    @Test func `An operation in no queue that is resumed while it is being set aside starts again once`() async throws {
        let transport = ScriptedTransport()
        let operation = RequestOperation(.get(.test("a")))
        var defaults = RequestDefaults()
        defaults.monitors = [monitor]
        let environment = RunEnvironment(transport: transport, timekeeper: ManualClock(), defaults: defaults)
        operation.setStandalone(environment)
        operation.start()
        _ = await transport.exchange(0)
        operation.pause()
        _ = await monitor.ends.wait(count: 1)
        operation.resume()
        #expect(transport.counts.started == 1)
        monitor.letGo()
        await transport.exchange(1).answer(.ok())
        _ = try await operation.response()
        #expect(operation.attempts == 1 && transport.counts.started == 2)
    }
}
