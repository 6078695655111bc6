import Synchronization

/// A list of tasks, each waiting for a condition that is checked whenever it may have become true.
package final class WaiterList: Sendable {
    private struct Waiter {
        let isMet: @Sendable () -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        /// The waiters whose task was canceled before they were in the list.
        var cancelled: Set<Int> = []
        var latest = 0
    }

    private let state = Guarded(State())
    private let count = Atomic(0)

    package init() {}

    /// Whether any task waits. Takes no lock.
    package var hasWaiters: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

    /// Waits until `isMet` returns `true`, or the task is canceled.
    ///
    /// - Parameter isMet: called without a lock, by this call and by ``check()``.
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
                // The condition may have become true before the waiter was in the list.
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

    /// Resumes the waiters whose condition is met.
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

/// Waits for the value given to a handler, or for the handler's release without a call.
final class Handover<Value: Sendable>: Sendable {
    /// The handler's end. Releasing the last reference ends the wait.
    final class Sender: Sendable {
        private let handover: Handover

        fileprivate init(_ handover: Handover) {
            self.handover = handover
        }

        func send(_ value: Value) { handover.end(with: value) }

        deinit { handover.end(with: nil) }
    }

    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case ended(Value?)
    }

    private let state = Guarded(State.open)

    /// Returns the handler's end. To be called once.
    func makeSender() -> Sender { Sender(self) }

    /// Waits for the value; `nil` if there will be none. To be called once.
    func value() async -> Value? {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state -> Value?? in
                if case .ended(let value) = state { return .some(value) }
                state = .waiting(continuation)
                return nil
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    private func end(with value: Value?) {
        let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            switch state {
            case .ended: return nil
            case .open:
                state = .ended(value)
                return nil
            case .waiting(let continuation):
                state = .ended(nil)
                return continuation
            }
        }
        continuation?.resume(returning: value)
    }
}
