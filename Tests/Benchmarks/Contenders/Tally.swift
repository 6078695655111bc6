import NetworkQueueKit

/// Counts ends of requests and waits for the last.
final class Tally: Sendable {
    private struct State {
        var left: Int
        var bytes: Int64 = 0
        var failures = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Guarded<State>

    init(_ count: Int) {
        state = Guarded(State(left: count))
    }

    func note(bytes: Int64, hasFailed: Bool) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.left -= 1
            state.bytes += bytes
            if hasFailed { state.failures += 1 }
            return state.left == 0 ? state.waiter : nil
        }
        waiter?.resume()
    }

    func total() async throws -> Int64 {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.waiter = continuation
                return state.left == 0
            }
            if isOver { continuation.resume() }
        }
        let (bytes, failures) = state.withLock { ($0.bytes, $0.failures) }
        if failures > 0 { throw BenchmarkFailure("\(failures) requests failed") }
        return bytes
    }
}
