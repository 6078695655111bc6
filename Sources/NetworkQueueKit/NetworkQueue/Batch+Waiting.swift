/// Those that wait for the drain.
extension Batch {
    /// Calls `waiter` with the summary of an ended run that nobody has awaited, once its drain has been reported.
    /// Returns `false` if there is no such run.
    mutating func takeSummary(_ waiter: DrainWaiter, into effects: inout [Effect]) -> Bool {
        guard phase == .drained, !isRunning, let summary = drains.unawaitedSummary.take() else { return false }
        if drains.isBeingTold {
            drains.takers.append(DrainWaiter { _ in waiter.resume(summary) })
        } else {
            effects.append(.own(.resume([waiter], summary)))
        }
        return true
    }

    /// Calls `waiter` once the coming drain has been reported. Returns `false` if no drain is coming.
    mutating func awaitDrain(_ waiter: DrainWaiter) -> Bool {
        // The delegate may not yet know of a drain that is being reported.
        guard isRunning || drains.isBeingTold else { return false }
        drains.waiters.append(waiter)
        return true
    }
}
