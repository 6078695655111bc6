import Foundation
import NetworkQueueTesting
import Synchronization
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Operations that are cancelled together share what they end with, but for what tells them apart.
@Suite(.timeLimit(.minutes(10)))
struct CancelledTogetherTests {
    /// What an error says of its operation.
    private struct Origin: Hashable, Sendable {
        let id: RequestOperation.ID?
        let url: URL?
        let attempts: Int

        init(_ error: NetworkError?) {
            (id, url, attempts) = (error?.operationID, error?.url, error?.attempts ?? -1)
        }

        init(of operation: RequestOperation, attempts: Int) {
            (id, url, self.attempts) = (operation.id, operation.request.url, attempts)
        }
    }

    /// Two run, and the others wait.
    private static let attempts = [1, 1, 0, 0, 0]

    private func origins(of operations: [RequestOperation]) -> [Origin] {
        zip(operations, Self.attempts).map { Origin(of: $0, attempts: $1) }
    }

    @Test(arguments: QueueKind.allCases)
    func `Operations that are canceled together have errors of their own, wherever they are read`(kind: QueueKind) async
    {
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport)
        let handled = Mutex<Set<Origin>>([])
        let operations = Self.attempts.indices.map { number in
            let operation = RequestOperation(.get(.test("\(number)")))
            operation.completionHandler = { head, data, error in
                #expect(head == nil && data == nil)
                handled.withLock { _ = $0.insert(Origin(error)) }
            }
            queue.add(operation)
            return operation
        }
        await transport.waitForExchanges(2)
        let waiting = operations.map { operation in
            Task { () throws(NetworkError) in try await operation.response() }
        }
        let areWaiting = await eventually {
            operations.allSatisfy(\.isAwaited)
        }
        #expect(areWaiting)
        queue.cancelAll()
        var thrown: [Origin] = []
        for task in waiting {
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            thrown.append(Origin(error))
        }
        let expected = origins(of: operations)
        #expect(thrown == expected)
        #expect(operations.map { Origin($0.error) } == expected)
        #expect(operations.map { Origin($0.result?.failure) } == expected)
        for (operation, origin) in zip(operations, expected) {
            // Of one that has ended already.
            let error = await #expect(throws: NetworkError.self) { try await operation.response() }
            #expect(Origin(error) == origin)
        }
        let areHandled = await eventually { operations.allSatisfy(\.isFinished) }
        #expect(areHandled && handled.withLock { $0 } == Set(expected))
    }

    @Test func `The delegate and streams get an error for each of the operations that are canceled together`() async {
        let told = Mutex<[Origin]>([])
        let rig = QueueRig(
            configure: { $0.maxConcurrentRequestCount = 2 },
            onEvent: { _, event in
                if case .didFail(_, let error) = event { told.withLock { $0.append(Origin(error)) } }
            })
        let events = rig.queue.events()
        let operations = rig.add(Self.attempts.count)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        let expected = Set(origins(of: operations))
        #expect(told.withLock { $0.count == operations.count && Set($0) == expected })
        var streamed: [Origin] = []
        for await case .didFail(_, let error) in events { streamed.append(Origin(error)) }
        #expect(streamed.count == operations.count && Set(streamed) == expected)
    }

    @Test func `Operations that a hook ends with another's cancellation have errors of their own`() async {
        let other = RequestOperation(.get(.test("other")))
        let rig = QueueRig(configure: {
            $0.cancelsAllOnFailure = false
            $0.adapters = [.adapter { _, _ in throw NetworkError(.cancelled, operationID: other.id, attempts: 7) }]
        })
        let operations = rig.add(3)
        await rig.queue.run()
        #expect(operations.map { Origin($0.error) } == operations.map { Origin(of: $0, attempts: 0) })
        #expect(operations.map(\.status) == [.cancelled, .cancelled, .cancelled])
    }
}
