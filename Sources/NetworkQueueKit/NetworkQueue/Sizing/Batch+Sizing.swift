import Foundation

/// Requests the sizes of downloads through the same core. A probe never makes an operation fail.
///
/// Transfers wait until the barrier lifts: when all probes are answered, when only stragglers are missing, or when the
/// time is up. Sizes still unknown then are requested beside the transfers, until their operations start.
extension Batch {
    /// The operations whose sizes may be requested, in the order in which they start; empty once the batch has been
    /// started.
    var operationsToSize: [RequestOperation] {
        guard phase == .idle, settings.showsAccurateProgress else { return [] }
        return core.waitingElements.filter { isCurrent($0) }
    }

    /// Makes the transfers wait for sizes.
    mutating func begin(_ plan: SizingPlan, now: Duration, into effects: inout [Effect]) {
        var plan = plan
        plan.barrier.begin(now: now, timeLimit: settings.sizingTimeout)
        ledger.beginSizing(total: plan.total, now: now)
        self.plan = plan
        phase = .sizing
        applySettings()
        effects.append(.own(.askForSizes))
    }

    /// Lets the transfers start.
    mutating func lift(now: Duration, into effects: inout [Effect]) {
        switch phase {
        case .sizing where isAsking: return
        case .sizing: plan?.noteLift(now: now)
        case .idle: break
        case .transferring, .drained: return
        }
        switch question {
        case .none: startTransfers(now: now)
        case .due: ask(now: now, into: &effects)
        case .early, .asked: break
        }
    }

    /// Enters the phase in which transfers run.
    mutating func startTransfers(now: Duration) {
        phase = .transferring
        ledger.enter(.transferring, now: now)
        applySettings()
    }

    /// Ends the sizing and cancels the unanswered probes.
    mutating func endSizing(now: Duration, into effects: inout [Effect]) {
        guard let probes = plan?.probes else { return }
        dropPlan(now: now, into: &effects)
        cancelAll(now: now, into: &effects) { probes[$0.id] != nil }
    }

    // MARK: Probes

    /// The number of probes to keep in the core: more than can run, so that one is always ready to start. If hosts are
    /// at their limit, probes to other hosts must not wait for them.
    private var probeWindow: Int {
        if core.scheduler.hosts.isRuleInForce || core.scheduler.groups.isRuleInForce { return 4096 }
        let limits = [core.scheduler.maximumRunning, core.scheduler.maximumSizing]
        return limits.contains(0) ? 256 : limits.max().map { min($0, 1 << 30) * 2 } ?? 256
    }

    /// The next group to size. The caller passes ``ask(_:_:isWanted:now:into:)`` whether to send a probe: finding out
    /// may query the file system.
    mutating func nextGroup() -> (index: Int, operations: [RequestOperation])? {
        let window = probeWindow
        return plan?.nextGroup(window: window)
    }

    /// Sends a probe for a group if it is wanted.
    mutating func ask(
        _ index: Int, _ operations: [RequestOperation], isWanted: Bool, now: Duration, into effects: inout [Effect]
    ) {
        let isSeen = areProbesSeen
        if let probe = plan?.probe(for: index, operations, isWanted: isWanted, isSeen: isSeen) {
            add(probe, ofGroup: operations.first?.queueEntry.group, now: now, into: &effects)
        }
    }

    /// Whether the default adapters or the authenticator will see the probes.
    private var areProbesSeen: Bool {
        !upkeep.environment.defaults.adapters.isEmpty || upkeep.environment.defaults.authenticator != nil
    }

    private mutating func add(
        _ probe: RequestOperation, ofGroup group: UInt32?, now: Duration, into effects: inout [Effect]
    ) {
        _ = probe.attach(to: upkeep.handle)
        probe.queueEntry.group = group ?? 0
        addToCore(probe, kind: .sizing, isParked: false, hash: nil, now: now, into: &effects)
    }

    /// Notes that an operation has started or ended: its size is no longer requested.
    mutating func forgetSize(of operation: RequestOperation, into effects: inout [Effect]) {
        if let probe = plan?.forget(operation) { effects.append(.cancel(probe)) }
    }

    /// Handles the answer to a probe that has ended.
    mutating func takeSize(from probe: RequestOperation, now: Duration, into effects: inout [Effect]) {
        let answer = SizeAnswer(probe)
        let isSeen = areProbesSeen
        let width = core.scheduler.maximumSizing
        plan?.barrier.noteEnd(of: probe.id, isAnswer: answer.isAnswer, now: now)
        plan?.barrier.look(now: now, width: width)
        guard let (sized, followUp) = plan?.take(answer, from: probe, isSeen: isSeen) else { return }
        applySettings()
        if answer.isLoss { effects.append(.own(.noteLoss(probe.request.url))) }
        if let (operations, completedCount) = sized {
            for operation in operations { note(answer, of: operation, duration: probe.metrics?.duration) }
            ledger.noteSizing(completed: completedCount, now: now)
            scheduleUpdate(now: now)
        }
        if answer.isQuotaRefusal || isTooFew(answer.remainingQuota) {
            // What is left of the quota is for the transfers.
            sizesNoMore = true
            return endSizing(now: now, into: &effects)
        }
        if let followUp { add(followUp, ofGroup: probe.queueEntry.group, now: now, into: &effects) }
        effects.append(.own(.askForSizes))
        lookAtBarrier(now: now, into: &effects)
    }

    /// Whether a quota does not allow all transfers and the sizes that are still unknown. It is the quota of one origin,
    /// so with several nobody knows whose requests it allows.
    private func isTooFew(_ remaining: Int64?) -> Bool {
        guard let remaining, let plan, plan.width.hasOneOrigin else { return false }
        return remaining < Int64(ledger.counts.waiting + plan.unansweredCount)
    }

    private mutating func note(_ answer: SizeAnswer, of operation: RequestOperation, duration: Duration?) {
        if let duration { operation.setSizingDuration(duration) }
        if let head = answer.head { operation.noteSized(head) }
        if let freshURL = answer.freshURL { operation.note(freshURL) }
        // A mirror may have the content.
        let isMissing = answer.isMissing && !operation.request.mayUseMirrors
        if core.ordersBySize, let size = answer.bytes { core.setSize(of: operation, to: size) }
        withAccount(of: operation) { ledger, account in
            if isMissing { ledger.setMissing(&account) } else { ledger.setSize(answer.bytes, &account) }
        }
    }

    // MARK: The barrier and the end

    /// The time at which to check the barrier again.
    var barrierDeadline: Duration? {
        guard phase == .sizing, !isAsking, question != .early else { return nil }
        // A list of which enough has been read brings nothing more before transfers start.
        if plan == nil { return questionTime.map { readerCount > 0 && aheadCount >= readAheadCount ? .zero : $0 } }
        let isReading = plan?.isOpen == true && aheadCount < readAheadCount
        return plan?.barrier.deadline(unansweredCount: plan?.unansweredCount ?? 0, isReading: isReading)
    }

    /// Lifts the barrier if its deadline has passed.
    mutating func lookAtBarrier(now: Duration, into effects: inout [Effect]) {
        if let deadline = barrierDeadline, deadline <= now { lift(now: now, into: &effects) }
    }

    /// Whether the last probe has ended.
    var isSizingDone: Bool { plan?.isDone == true }

    /// Ends the sizing once the last probe has ended.
    mutating func endSizingIfDone(now: Duration, into effects: inout [Effect]) {
        guard isSizingDone else { return }
        dropPlan(now: now, into: &effects)
        scheduleUpdate(now: now)
    }

    private mutating func dropPlan(now: Duration, into effects: inout [Effect]) {
        lift(now: now, into: &effects)
        if let urls = plan.take()?.silentURLs, !urls.isEmpty { effects.append(.own(.refuseHeads(urls))) }
        ledger.endSizing()
    }
}
