import Dispatch
import Foundation
import NetworkQueueKit

/// Adapts ``Observers`` to callers that suspend or block, with a timeout.
enum Waiting {
    /// Suspends until `resume` is called, the timeout expires or the task is canceled.
    static func suspend(
        timeout: Duration,
        register: @Sendable (@escaping @Sendable (Bool) -> Void) -> Int?,
        giveUp: @escaping @Sendable (Int) -> Void
    ) async -> Bool {
        let cancellation = Locked<(isCancelled: Bool, id: Int?)>((false, nil))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard let id = register({ continuation.resume(returning: $0) }) else { return }
                let isCancelled = cancellation.withLock { state in
                    state.id = id
                    return state.isCancelled
                }
                if isCancelled { return giveUp(id) }
                DispatchQueue.global().asyncAfter(deadline: .now() + timeout.seconds) { giveUp(id) }
            }
        } onCancel: {
            let id = cancellation.withLock { state in
                state.isCancelled = true
                return state.id
            }
            if let id { giveUp(id) }
        }
    }

    /// Blocks the thread until `resume` is called or the timeout expires.
    static func block(
        timeout: Duration,
        register: (@escaping @Sendable (Bool) -> Void) -> Int?,
        giveUp: (Int) -> Void
    ) -> Bool {
        let told = DispatchSemaphore(value: 0)
        let outcome = Locked(false)
        let id = register { value in
            outcome.withLock { $0 = value }
            told.signal()
        }
        if told.wait(timeout: .now() + timeout.seconds) == .timedOut, let id {
            giveUp(id)
            // `giveUp` either calls `resume` or comes too late because it is being called; the signal comes in both
            // cases.
            told.wait()
        }
        return outcome.withLock { $0 }
    }
}
