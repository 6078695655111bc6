import Dispatch
import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// `waitUntilFinished()` of operations whose queue has been let go: it cancels them, and cannot make the callbacks itself any more.
@Suite("RequestOperation: waitUntilFinished() without a queue", .timeLimit(.minutes(10)))
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

    @Test(arguments: QueueKind.allCases) func `in the callback queue makes the callbacks itself`(kind: QueueKind) async
    {
        let operation = operation()
        await withCheckedContinuation { continuation in
            callbacks.async {
                _ = idleQueue(kind, with: operation)
                operation.waitUntilFinished()
                ends.add("\(operation.isFinished)")
                continuation.resume()
            }
        }
        #expect(ends.values == ["cancelled", "true"])
    }

    @Test func `in the callback queue makes the callbacks itself after the queue has drained`() async throws {
        let operation = operation()
        let isGone = DispatchSemaphore(value: 0)
        callbacks.async {
            isGone.wait()
            operation.waitUntilFinished()
        }
        weak var queue: RequestQueue?
        do {
            var configuration = RequestQueue.Configuration()
            configuration.callbackQueue = callbacks
            let added = RequestQueue(configuration: configuration, transport: ScriptedTransport { _ in .ok() })
            queue = added
            added.add(operation)
        }
        _ = try await operation.response()
        #expect(await eventually { queue == nil } && !operation.isFinished)
        isGone.signal()
        await withCheckedContinuation { continuation in callbacks.async { continuation.resume() } }
        #expect(operation.isFinished && ends.values == ["ok"])
    }

    @Test(arguments: QueueKind.allCases) func `does not keep the queue from being let go`(kind: QueueKind) async {
        let operation = operation()
        var queue: (any RequestQueueing)? = idleQueue(kind, with: operation)
        let wait = Task { await onThread { operation.waitUntilFinished() } }
        #expect(await eventually { operation.state.withLock { $0.handlers?.finishWaiters.count == 1 } })
        withExtendedLifetime(queue) {}
        queue = nil
        await wait.value
        #expect(operation.isFinished && ends.values == ["cancelled"])
    }
}
