import Synchronization

/// Tasks that wait for a condition, which is looked at again whenever it may have come true.
package final class WaiterList: Sendable {
    private struct Waiter {
        let isMet: @Sendable () -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        /// Those whose task was cancelled before they were in the list.
        var cancelled: Set<Int> = []
        var latest = 0
    }

    private let state = Guarded(State())
    private let count = Atomic(0)

    package init() {}

    /// Whether any task waits; without a lock.
    package var hasWaiters: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

    /// Waits until `isMet` returns `true`, or the task is cancelled.
    ///
    /// - Parameter isMet: called under no lock, by this call and by ``check()``.
    package func wait(until isMet: @escaping @Sendable () -> Bool) async {
        let number = state.withLock { state in
            state.latest += 1
            return state.latest
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
                    return false
                }
                if isCancelled { return continuation.resume() }
                count.add(1, ordering: .sequentiallyConsistent)
                // It may have come true before anything knew that it is waited for.
                check()
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: number)
                if waiter == nil { state.cancelled.insert(number) }
                return waiter
            }
            resume(waiter)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    /// Lets those go on whose condition is met.
    package func check() {
        for (number, waiter) in state.withLock({ $0.waiters }) where waiter.isMet() {
            resume(state.withLock { $0.waiters.removeValue(forKey: number) })
        }
    }

    private func resume(_ waiter: Waiter?) {
        guard let waiter else { return }
        count.subtract(1, ordering: .sequentiallyConsistent)
        waiter.continuation.resume()
    }
}
