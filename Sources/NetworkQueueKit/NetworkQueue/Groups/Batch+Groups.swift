import Foundation

/// Groups: each has a ledger that follows the accounts of its members, and ends when the last callback about a member
/// has returned.
///
/// ```text
/// first member ─→ in a pass ─ last callback about a member ─→ groupDidFinish ─→ ended
///                     └───────────────── another member ←─────────────────────────┘
/// ```
extension Batch {
    /// Adds an operation to its group.
    mutating func enroll(
        _ operation: RequestOperation, inGroup name: String, now: Duration, into effects: inout [Effect]
    ) {
        guard let group = groups.group(named: name, upkeep.handle), let account = operation.batchEntry?.account else {
            return
        }
        if !group.isInPass {
            if group.ledger.counts.total > 0 { group.ledger.beginPass() } else { groups.noteAppearance(of: group) }
            group.isInPass = true
            group.startTime = isStarted ? now : nil
        }
        group.outstandingCount += 1
        group.ledger.add(account)
        operation.batchEntry?.group = group
        operation.batchEntry?.groupEpoch = group.epoch
        operation.queueEntry.group = group.number
    }

    /// Fails an operation with an unsupported group that has not ended.
    mutating func endIfGroupIsUnsupported(
        _ operation: RequestOperation, now: Duration, into effects: inout [Effect]
    ) {
        guard let name = operation.request.group, !RunGroups.isSupported(name) else { return }
        let error = NetworkError(.unsupportedConfiguration, underlying: GroupNameUnsupported())
        end(operation, with: RequestResult(error: error), now: now, into: &effects)
    }

    // MARK: The end of a pass

    /// Defers the ends of groups, whose members are about to be added together.
    mutating func holdGroups(named names: Set<ByteText>) -> [RunGroup] {
        let held = names.compactMap { groups.group(named: $0.text, upkeep.handle) }
        for group in held { group.outstandingCount += 1 }
        return held
    }

    /// Ends deferrals of the ends of groups.
    mutating func release(
        _ held: [RunGroup], _ generation: Int, now: Duration, into effects: inout [Effect]
    ) {
        guard generation == self.generation else { return }
        for group in held { noteReturn(in: group, now: now, into: &effects) }
    }

    /// Notes that the last callback about an operation has returned.
    mutating func leaveGroup(_ operation: RequestOperation, now: Duration, into effects: inout [Effect]) {
        guard let group = operation.batchEntry?.runGroup else { return }
        // The summary of the group may refer to the operation.
        operation.batchEntry?.group = nil
        noteReturn(in: group, now: now, into: &effects)
    }

    private mutating func noteReturn(in group: RunGroup, now: Duration, into effects: inout [Effect]) {
        group.outstandingCount -= 1
        endPass(of: group, now: now, into: &effects)
    }

    /// Ends the groups all of whose members ended before the queue was started.
    mutating func endEmptyGroups(now: Duration, into effects: inout [Effect]) {
        for group in groups.inOrder { endPass(of: group, now: now, into: &effects) }
    }

    /// Ends the pass of a group and has that reported, if the time has come.
    private mutating func endPass(of group: RunGroup, now: Duration, into effects: inout [Effect]) {
        guard isStarted, group.isInPass, group.outstandingCount == 0 else { return }
        group.ledger.finishRun()
        group.isInPass = false
        let summary = group.summary(since: record.startTime, now: now)
        if let former = group.latestSummary { effects.append(.release(former)) }
        group.latestSummary = summary
        group.failures = []
        group.reportCount += 1
        // The delegate may add members to the run when it is told.
        drains.hold()
        let end = GroupEnd(
            group: group, summary: summary, progress: group.ledger.snapshot(now: now),
            foundationProgress: group.foundationProgress.take())
        call(.groupEnd(end), into: &effects)
    }

    /// Notes that ends of groups have been reported.
    mutating func noteReport(of ended: [RunGroup], _ generation: Int, into effects: inout [Effect]) {
        guard !ended.isEmpty else { return }
        for group in ended {
            group.reportCount -= 1
            if generation == self.generation { drains.release() }
        }
        effects.append(.own(.endWaits))
    }

    // MARK: The end of a run

    /// Forgets the groups of a run that has drained.
    mutating func dropGroups(into effects: inout [Effect]) {
        let former = groups
        groups = RunGroups(after: former)
        for group in former.all {
            group.isGone = true
            core.scheduler.setMaximumRunning(nil, ofGroup: group.number)
        }
        // The deinitializers of what their summaries refer to must not run under the lock.
        effects.append(.release(former))
    }

    /// Ends the groups with what they have reached.
    mutating func endGroupsOfReset(now: Duration, into effects: inout [Effect]) {
        guard !groups.all.isEmpty else { return }
        for group in groups.all {
            if group.isInPass { group.latestSummary = group.summary(since: record.startTime, now: now) }
            group.isInPass = false
            for failure in group.failures { failure.operation.batchEntry?.group = nil }
        }
        dropGroups(into: &effects)
        effects.append(.own(.endWaits))
    }

    // MARK: Progress

    /// A snapshot of a group's progress.
    mutating func progress(of group: RunGroup, now: Duration) -> QueueProgress {
        guard !group.isGone else { return QueueProgress() }
        group.ledger.isAccurate = ledger.isAccurate
        group.ledger.requestRate = ledger.requestRate
        guard group.isInPass else { return group.ledger.snapshot(now: now) }
        group.ledger.enter(ledger.phase, now: now)
        var progress = group.ledger.snapshot(now: now)
        progress.sizing = ledger.sizing
        return progress
    }

    /// The groups' objects for user interfaces, with their progress.
    mutating func shownGroups(now: Duration) -> [(Foundation.Progress, QueueProgress)] {
        // The object of a group that has ended is for its next pass.
        let shown = groups.inOrder.filter { $0.isInPass && $0.foundationProgress != nil }
        return shown.compactMap { group in group.foundationProgress.map { ($0, progress(of: group, now: now)) } }
    }
}
