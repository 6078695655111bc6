/// What a failure or a cancellation does to the other operations.
extension Batch {
    /// Cancels every operation.
    mutating func cancelBatch(now: Duration, into effects: inout [Effect]) {
        endSizing(now: now, into: &effects)
        forgetFailedStages()
        cancelAll(now: now, into: &effects) { [generation] in $0.batchEntry?.generation == generation }
    }

    /// What a failure cancels.
    enum Sweep {
        case nothing
        case group(RunGroup)
        case all
    }

    /// Begins a new epoch for what a failure cancels: what is added from now on is not affected.
    mutating func beginEpoch(of sweep: Sweep) {
        switch sweep {
        case .nothing: break
        case .group(let group): group.epoch += 1
        case .all:
            epoch += 1
            stages.failed = nil
            mustStopReading = readerCount > 0
        }
    }

    /// Cancels the operations that were added before a failure began a new epoch.
    mutating func cancelFormer(of sweep: Sweep, now: Duration, into effects: inout [Effect]) {
        switch sweep {
        case .nothing: break
        case .group(let group):
            cancelAll(now: now, into: &effects) {
                guard let entry = $0.batchEntry, entry.group === group else { return false }
                return entry.groupEpoch < group.epoch
            }
        case .all:
            cancelAll(now: now, into: &effects) { [generation, epoch] in
                guard let entry = $0.batchEntry else { return false }
                return entry.generation == generation && entry.epoch < epoch
            }
        }
    }

    /// Whether another failure has canceled an operation.
    func isSwept(_ entry: BatchEntry) -> Bool {
        entry.epoch < epoch || entry.group.map { entry.groupEpoch < $0.epoch } == true
    }

    /// Returns what a failure cancels.
    func judgeFailure(of operation: RequestOperation, _ result: inout RequestResult) -> Sweep {
        guard result.outcome == .failed, let entry = operation.batchEntry else { return .nothing }
        // It failed before it noticed that it was canceled.
        if isSwept(entry) {
            result.error = .cancelled
            return .nothing
        }
        if result.error?.code == .earlierStageFailed { return .nothing }
        guard let group = entry.runGroup, let rule = group.cancelsAllOnFailure else {
            return settings.cancelsAllOnFailure ? .all : .nothing
        }
        return rule ? .group(group) : .nothing
    }
}
