import NetworkQueueKit

/// A delegate that counts what it is told and keeps nothing of it; for large batches and for lifetimes.
package final class TallyDelegate: NetworkQueueDelegate, Sendable {
    /// How often each callback came.
    package struct Tally: Sendable, Equatable {
        package var starts = 0
        package var heads = 0
        package var finishes = 0
        package var failures = 0
        package var cancellations = 0
        package var drains = 0
        package var lastCounts = NetworkQueue.Progress.Counts()
    }

    private struct State {
        var tally = Tally()
        var waiters: [(drains: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())

    /// Creates a delegate that has counted nothing.
    package init() {}

    /// The counts at this moment.
    package var tally: Tally { state.withLock { $0.tally } }

    /// Waits until the queue has reported `count` drains in all.
    package func waitForDrain(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.tally.drains < count { state.waiters.append((count, continuation)) }
                return state.tally.drains >= count
            }
            if isMet { continuation.resume() }
        }
    }

    package func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        state.withLock { $0.tally.starts += 1 }
    }

    package func networkQueue(
        _ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation
    ) {
        state.withLock { $0.tally.heads += 1 }
    }

    package func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        state.withLock { $0.tally.finishes += 1 }
    }

    package func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        state.withLock { state in
            if error.isCancellation { state.tally.cancellations += 1 } else { state.tally.failures += 1 }
        }
    }

    package func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        let ready = state.withLock { state in
            state.tally.drains += 1
            state.tally.lastCounts = summary.counts
            let drains = state.tally.drains
            defer { state.waiters.removeAll { $0.drains <= drains } }
            return state.waiters.filter { $0.drains <= drains }
        }
        for waiter in ready { waiter.continuation.resume() }
    }
}
