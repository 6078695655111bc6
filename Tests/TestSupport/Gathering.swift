import NetworkQueueKit

/// Values that come in on any thread, and can be waited for.
package final class Gathering<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<[Value], Never>)] = []
    }

    private let state = Guarded(State())

    package init() {}

    /// What has come so far, in order.
    package var values: [Value] { state.withLock { $0.values } }

    package func add(_ value: Value) {
        let (ready, values) = state.withLock { state in
            state.values.append(value)
            let count = state.values.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (ready, state.values)
        }
        for waiter in ready { waiter.continuation.resume(returning: values) }
    }

    /// Waits until at least `count` values have come, and returns all of them.
    package func wait(count: Int) async -> [Value] {
        await withCheckedContinuation { continuation in
            let values = state.withLock { state -> [Value]? in
                if state.values.count >= count { return state.values }
                state.waiters.append((count, continuation))
                return nil
            }
            if let values { continuation.resume(returning: values) }
        }
    }
}
