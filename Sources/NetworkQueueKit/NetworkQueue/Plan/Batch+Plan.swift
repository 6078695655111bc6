/// Asks before the first transfer, and fails what does not fit on its volume.
extension Batch {
    /// The question that a batch asks once, before its first transfer.
    enum Question: Sendable {
        /// There is nothing to ask.
        case none
        /// The question will be asked when the transfers may start.
        case due
        /// They may start, but there is nothing to ask about. The next request makes the question due.
        case early
        /// The question has been asked, and nothing starts before the answer.
        case asked
    }

    /// Whether the question of this generation waits for its answer.
    func isAsking(in generation: Int) -> Bool { isAsking && generation == self.generation }

    var isAsking: Bool { question == .asked }

    /// Postpones the question, as more may be added: until a tenth of a second after the latest request, but no more
    /// than a second after the first.
    mutating func postponeQuestion(now: Duration) {
        let limit = questionLimit ?? now + .seconds(1)
        questionLimit = limit
        questionTime = min(now + SizingBarrier.readingPatience, limit)
    }

    /// Asks instead of starting the transfers, once there is something to ask about.
    mutating func ask(now: Duration, into effects: inout [Effect]) {
        if phase == .idle { ledger.enter(.sizing(completed: 0, total: 0), now: now) }
        phase = .sizing
        applySettings()
        (questionTime, questionLimit) = (nil, nil)
        // Size requests may outlive the operations that they were for.
        let entries = core.scheduler.elementsInOrder.filter { isCurrent($0) }.map {
            PlanSurvey.Entry(operation: $0, size: $0.batchEntry?.account.downloadSize)
        }
        guard !entries.isEmpty else { return question = .early }
        question = .asked
        effects.append(.own(.ask(entries, generation: generation)))
    }

    /// Asks at once, because what is being added is complete for now.
    mutating func askAfterAdding(now: Duration, into effects: inout [Effect]) {
        guard question == .due, plan == nil, phase == .sizing, readerCount == 0 else { return }
        lift(now: now, into: &effects)
    }

    /// Adds to a plan what is still to be read.
    func completed(_ plan: NetworkQueue.Plan) -> NetworkQueue.Plan {
        var plan = plan
        plan.isComplete = readerCount == 0
        plan.unreadCount = ledger.unreadCount
        return plan
    }

    /// Ends the question without an answer: nothing is asked any more.
    mutating func endQuestion(now: Duration, into effects: inout [Effect]) {
        let wasAsking = isAsking
        question = .none
        if wasAsking { startTransfers(now: now) }
    }

    /// Does what the answer to the question says.
    mutating func takeAnswer(
        _ decision: NetworkQueue.PlanDecision, to survey: PlanSurvey, _ generation: Int, now: Duration,
        into effects: inout [Effect]
    ) {
        guard isAsking(in: generation) else { return }
        if let volume = decision.fullVolume {
            let error = NetworkError.insufficientSpace(on: volume)
            fail(core.scheduler.elementsInOrder.map { ($0, error) }, now: now, into: &effects)
            beginEpoch(of: .all)
        } else if !decision.starts {
            cancelBatch(now: now, into: &effects)
        } else if !decision.leftOut.isEmpty {
            let leftOut = core.scheduler.elementsInOrder.filter { decision.leftOut.contains($0.id) }
            for operation in leftOut { operation.batchEntry?.failsHigherStages = false }
            cancelAll(now: now, into: &effects) { decision.leftOut.contains($0.id) }
        }
        if settings.requiresSpace {
            fail(survey.misfits(without: decision.leftOut), now: now, into: &effects)
        }
        endQuestion(now: now, into: &effects)
    }

    /// Fails operations that have not started, as one failure.
    private mutating func fail(
        _ failures: [(operation: RequestOperation, error: NetworkError)], now: Duration, into effects: inout [Effect]
    ) {
        let failures = failures.filter { isCurrent($0.operation) && core.contains($0.operation) }
        for (number, failure) in failures.enumerated() {
            let isLast = number == failures.count - 1
            end(
                failure.operation, with: RequestResult(error: failure.error), mayCancelOthers: isLast, now: now,
                into: &effects)
        }
    }
}
