import Foundation

/// Asks for the sizes of downloads, through the same core, and never fails anything by it.
///
/// Until the barrier lifts the transfers wait. It does when all is answered, when only stragglers are missing, or when
/// the time is up; what is not known then is asked for beside the transfers, up to the moment when they start.
extension Batch {
    /// Changes the plan, where sizes are being asked for.
    @discardableResult
    mutating func withPlan<Result>(_ body: (inout SizingPlan) -> Result) -> Result? {
        switch phase {
        case .sizing(var plan):
            // With two references to the plan, changing it would copy it.
            phase = .idle
            defer { phase = .sizing(plan) }
            return body(&plan)
        case .transferring(.some(var plan)):
            phase = .idle
            defer { phase = .transferring(plan) }
            return body(&plan)
        case .idle, .transferring(nil), .drained: return nil
        }
    }

    /// The operations that sizes may be asked for, in the order in which they start; none where the batch has been
    /// started.
    var operationsToSize: [RequestOperation] {
        guard case .idle = phase, settings.showsAccurateProgress else { return [] }
        return core.waitingElements.filter { isCurrent($0) }
    }

    /// Has the transfers wait for sizes.
    mutating func begin(_ plan: SizingPlan, now: Duration, into effects: inout [Effect]) {
        var plan = plan
        plan.barrier.begin(now: now, timeLimit: settings.sizingTimeout)
        ledger.beginSizing(total: plan.total, now: now)
        phase = .sizing(plan)
        applySettings()
        effects.append(.own(.askForSizes))
    }

    /// Lets the transfers start.
    mutating func lift(now: Duration, into effects: inout [Effect]) {
        switch phase {
        case .sizing(var plan):
            phase = .idle
            plan.noteLift(now: now)
            phase = .transferring(plan)
        case .idle: phase = .transferring(nil)
        case .transferring, .drained: return
        }
        ledger.enter(.transferring, now: now)
        applySettings()
    }

    /// Calls off what is not known yet.
    mutating func endSizing(now: Duration, into effects: inout [Effect]) {
        guard let (probes, silentURLs) = withPlan({ ($0.probes, $0.silentURLs) }) else { return }
        if !silentURLs.isEmpty { effects.append(.own(.refuseHeads(silentURLs))) }
        lift(now: now, into: &effects)
        phase = .transferring(nil)
        ledger.endSizing()
        cancelAll(now: now, into: &effects) { probes[$0.id] != nil }
    }

    // MARK: Probes

    /// How many probes are worth having in the core: more than can run, so that there is always one to start. Hosts may
    /// be full, and others should not wait for these.
    private var probeWindow: Int {
        if core.scheduler.hosts.isRuleInForce { return 4096 }
        let limits = [core.scheduler.maximumRunning, core.scheduler.maximumSizing]
        return limits.contains(0) ? 256 : limits.max().map { $0 * 2 } ?? 256
    }

    /// The next group whose size may be asked for. ``ask(_:isWanted:now:into:)`` takes the answer whether it is: that
    /// may need the file system.
    mutating func nextGroup() -> (index: Int, operations: [RequestOperation])? {
        let window = probeWindow
        return withPlan { $0.nextGroup(window: window) } ?? nil
    }

    /// Sends a probe for a group, if it is wanted.
    mutating func ask(_ index: Int, isWanted: Bool, now: Duration, into effects: inout [Effect]) {
        let isSeen = areProbesSeen
        if let probe = withPlan({ $0.probe(for: index, isWanted: isWanted, isSeen: isSeen) }) ?? nil {
            add(probe, now: now, into: &effects)
        }
    }

    /// Whether adapters for all requests, or the authenticator, will look at the probes.
    private var areProbesSeen: Bool {
        !upkeep.environment.defaults.adapters.isEmpty || upkeep.environment.defaults.authenticator != nil
    }

    private mutating func add(_ probe: RequestOperation, now: Duration, into effects: inout [Effect]) {
        _ = probe.attach(to: upkeep.handle)
        addToCore(probe, stage: .sizing, isParked: false, hash: nil, now: now, into: &effects)
    }

    /// Notes that an operation has started, or has ended before that: its size is not asked for any more.
    mutating func forgetSize(of operation: RequestOperation, into effects: inout [Effect]) {
        if let probe = withPlan({ $0.forget(operation) }) ?? nil { effects.append(.cancel(probe)) }
    }

    /// Takes the answer of a probe that has ended.
    mutating func takeSize(from probe: RequestOperation, now: Duration, into effects: inout [Effect]) {
        let answer = SizeAnswer(probe)
        let isSeen = areProbesSeen
        let width = core.scheduler.maximumSizing
        let taken = withPlan { plan in
            plan.barrier.noteEnd(of: probe.id, isAnswer: answer.isAnswer, now: now)
            plan.barrier.look(now: now, width: width)
            return plan.take(answer, from: probe, isSeen: isSeen)
        }
        guard let (sized, followUp) = taken else { return }
        applySettings()
        if answer.isLoss { effects.append(.own(.noteLoss(probe.request.url))) }
        if let (operations, completedCount) = sized {
            for operation in operations { note(answer, of: operation, duration: probe.metrics?.duration) }
            ledger.noteSizing(completed: completedCount, now: now)
            scheduleUpdate(now: now)
        }
        if let followUp { add(followUp, now: now, into: &effects) }
        effects.append(.own(.askForSizes))
        lookAtBarrier(now: now, into: &effects)
    }

    private mutating func note(_ answer: SizeAnswer, of operation: RequestOperation, duration: Duration?) {
        if let duration { operation.setSizingDuration(duration) }
        if let head = answer.head { operation.noteSized(head) }
        // A mirror may have it.
        let isMissing = answer.isMissing && !operation.request.mayUseMirrors
        withAccount(of: operation) { ledger, account in
            if isMissing { ledger.setMissing(&account) } else { ledger.setSize(answer.bytes, &account) }
        }
    }

    // MARK: The barrier and the end

    /// When the barrier is to be looked at again.
    var barrierDeadline: Duration? {
        guard case .sizing(let plan) = phase else { return nil }
        let isReading = plan.isOpen && unstartedCount < readAheadCount
        return plan.barrier.deadline(unansweredCount: plan.unansweredCount, isReading: isReading)
    }

    /// Lifts the barrier where its time has come.
    mutating func lookAtBarrier(now: Duration, into effects: inout [Effect]) {
        if let deadline = barrierDeadline, deadline <= now { lift(now: now, into: &effects) }
    }

    /// Ends the sizing when the last probe has ended.
    mutating func endSizingIfDone(now: Duration, into effects: inout [Effect]) {
        guard let silentURLs = withPlan({ $0.isDone ? $0.silentURLs : nil }) ?? nil else { return }
        lift(now: now, into: &effects)
        phase = .transferring(nil)
        ledger.endSizing()
        scheduleUpdate(now: now)
        if !silentURLs.isEmpty { effects.append(.own(.refuseHeads(silentURLs))) }
    }
}
