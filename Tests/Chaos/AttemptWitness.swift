import NetworkQueueKit

/// Attempts as monitors are told of them: each begins once and ends once.
final class AttemptWitness: QueueMonitor {
    private let open = Guarded<[RequestOperation.ID: Int]>([:])
    private let faults: Faults

    init(_ faults: Faults) { self.faults = faults }

    func attemptDidStart(in context: AttemptContext) { add(1, context) }

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        add(-1, context)
    }

    private func add(_ difference: Int, _ context: AttemptContext) {
        let count = open.withLock { open in
            let count = open[context.operationID, default: 0] + difference
            open[context.operationID] = count == 0 ? nil : count
            return count
        }
        faults.expect(
            count == 0 || count == 1, "monitor: \(count) open attempts of \(context.operationID), \(context.request)")
    }

    /// Checks that every attempt has ended.
    func check() {
        let count = open.withLock { $0.count }
        faults.expect(count == 0, "monitor: \(count) attempts have not ended")
    }
}
