import NetworkQueueKit

/// A delegate that does something in every method, as a real one would.
final class CountingDelegate: NetworkQueueDelegate, Sendable {
    private struct Counts {
        var started = 0
        var heads = 0
        var finished = 0
        var failed = 0
        var updates = 0
    }

    private let counts = Guarded(Counts())

    var finishedCount: Int { counts.withLock { $0.finished } }

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        counts.withLock { $0.started += 1 }
    }

    func networkQueue(_ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation) {
        counts.withLock { $0.heads += 1 }
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        counts.withLock { $0.finished += 1 }
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        counts.withLock { $0.failed += 1 }
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
        counts.withLock { $0.updates += 1 }
    }
}
