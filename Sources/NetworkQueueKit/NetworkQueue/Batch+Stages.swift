/// Stages: nothing of a stage starts before all of lower stages have ended, and nothing at all if one of those failed.
extension Batch {
    /// Forgets the stages of the former run.
    mutating func beginStages() {
        stages = RunStages()
        boundStages()
    }

    /// While a list is read, nothing above the lowest stage starts: more of the lowest may be to come.
    mutating func boundStages() {
        core.scheduler.stageBound = readerCount > 0 ? stages.range?.lowerBound : nil
    }

    /// Notes the stage of an operation that is being added.
    mutating func noteStage(_ stage: Int) {
        guard let range = stages.range else {
            stages.range = stage...stage
            return boundStages()
        }
        guard !range.contains(stage) else { return }
        stages.range = min(range.lowerBound, stage)...max(range.upperBound, stage)
        boundStages()
    }

    /// The number of operations that were added and wait, without those that wait for a stage: a list is read on, since
    /// nothing above its lowest stage starts before its end.
    var aheadCount: Int { max(unstartedCount - core.scheduler.stages.closedCount, 0) }

    /// Notes the end of an operation that has not ended well, because operations of higher stages must fail.
    mutating func noteStageEnd(of operation: RequestOperation, _ result: RequestResult) {
        // The failure that cancels the others begins a new epoch, which it does not concern.
        guard result.outcome != .finished, result.error?.code != .earlierStageFailed,
            let entry = operation.batchEntry, entry.epoch == epoch, entry.failsHigherStages,
            case let stage = operation.request.stage, stages.failed.map({ stage < $0 }) ?? true
        else { return }
        stages.failed = stage
        if let range = stages.range, range.upperBound > stage { stages.mustFailHigher = true }
    }

    /// Fails the operations of higher stages than the one that has failed. They fail together once a change is
    /// complete, so that a change that cancels all operations finds them.
    mutating func endUnstartable(now: Duration, into effects: inout [Effect]) {
        guard stages.mustFailHigher else { return }
        stages.mustFailHigher = false
        for operation in core.waitingElements where isCurrent(operation) {
            endIfStageFailed(operation, now: now, into: &effects)
        }
    }

    /// Fails an operation that has not started if a lower stage has failed.
    mutating func endIfStageFailed(_ operation: RequestOperation, now: Duration, into effects: inout [Effect]) {
        guard let failed = stages.failed, operation.request.stage > failed, !operation.hasStarted else { return }
        end(operation, with: RequestResult(error: NetworkError(.earlierStageFailed)), now: now, into: &effects)
    }

    /// Makes a fresh start before all operations are canceled: operations added later are not affected.
    mutating func forgetFailedStages() {
        stages.failed = nil
        stages.mustFailHigher = false
        for operation in core.scheduler.elementsInOrder { operation.batchEntry?.failsHigherStages = false }
    }
}

/// The stages of a run.
struct RunStages: Sendable {
    /// The lowest and the highest stage of the operations added so far.
    var range: ClosedRange<Int>?
    /// The lowest stage of which an operation has failed or was canceled.
    var failed: Int?
    /// Whether operations of higher stages may wait that must fail.
    var mustFailHigher = false
}
