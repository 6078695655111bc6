import Dispatch
import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// `waitUntilFinished()` of operations whose queue has been let go, which cancels them.
@Suite(.timeLimit(.minutes(10)))
struct WaitWithoutQueueTests {
    private let callbacks = DispatchQueue(label: "WaitWithoutQueueTests")
    private let ends = Gathering<String>()

    private func operation() -> RequestOperation {
        let operation = RequestOperation(NetworkRequest(.test("a")))
        operation.completionHandler = { [ends] _, _, error in ends.add(error.map { "\($0.code)" } ?? "ok") }
        return operation
    }

    /// Adds an operation to a queue that starts nothing, and returns that queue.
    private func idleQueue(_ kind: QueueKind, with operation: RequestOperation) -> any RequestQueueing {
        switch kind {
        case .requestQueue:
            var configuration = RequestQueue.Configuration()
            configuration.callbackQueue = callbacks
            configuration.isSuspended = true
            let queue = RequestQueue(configuration: configuration, transport: ScriptedTransport())
            queue.add(operation)
            return queue
        case .networkQueue:
            let queue = NetworkQueue(transport: ScriptedTransport(), delegateQueue: callbacks)
            queue.add(operation)
            return queue
        }
    }

    @Test(arguments: QueueKind.allCases)
    func `waitUntilFinished() does not keep the queue from being released`(kind: QueueKind) async {
        let operation = operation()
        var queue: (any RequestQueueing)? = idleQueue(kind, with: operation)
        let wait = Task { await onThread { operation.waitUntilFinished() } }
        #expect(await eventually { operation.blocksThread })
        withExtendedLifetime(queue) {}
        queue = nil
        await wait.value
        #expect(operation.isFinished && ends.values == ["cancelled"])
    }
}
