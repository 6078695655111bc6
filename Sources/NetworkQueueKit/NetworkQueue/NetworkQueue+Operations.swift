import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What operations do, noted in the ledger and passed on to the delegate's queue.
extension NetworkQueue: OperationListener {
    /// Notes in the ledger what has happened to an operation, and has it told.
    func operation(_ operation: RequestOperation, did event: RequestEvent) {
        if case .ended(let result) = event { return noteEnd(of: operation, with: result) }
        let isStart = if case .started = event { true } else { false }
        let (generation, isUrgent, mustSchedule, sizing) = state.withLock {
            state -> (Int?, Bool, Bool, Sizing?) in
            guard state.isCurrent(operation) else { return (nil, false, false, nil) }
            state.withAccount(of: operation) { ledger, account in ledger.note(event, &account) }
            return (state.generation, state.hasNothingWaiting, state.lacksProgressTimer, isStart ? state.sizing : nil)
        }
        guard let generation else { return }
        // From here on its responses tell the size.
        sizing?.forget(operation)
        var told = Event(event, of: operation)
        // Moved along, as a copy costs a reference or two.
        if let told = told.take() {
            post(.event(consume told), about: operation, generation, isUrgent: isUrgent)
        }
        if mustSchedule { noteProgress() }
    }

    /// Does the same for its end.
    private func noteEnd(of operation: RequestOperation, with result: RequestResult) {
        let outcome = result.outcome
        let (generation, isUrgent, mustSchedule, delegate, sizing, isCulprit) = state.withLock {
            state -> (Int?, Bool, Bool, (any NetworkQueueDelegate)?, Sizing?, Bool) in
            guard state.isCurrent(operation) else { return (nil, false, false, nil, nil, false) }
            if outcome != .finished { state.noteFailure(of: operation, result) }
            state.withAccount(of: operation) { ledger, account in ledger.note(.ended(result), &account) }
            // The delegate is let go of outside the lock, as this may be the last reference to it.
            return (
                state.generation, state.hasNothingWaiting, state.lacksProgressTimer, state.delegate.value,
                outcome == .finished ? nil : state.sizing, operation.batchEntry?.isCulprit == true
            )
        }
        guard let generation else { return operation.finishUnreported() }
        // If it never started, its size is not wanted any more.
        sizing?.forget(operation)
        let isTaken = post(.end(operation), about: operation, generation, isUrgent: isUrgent)
        if !isTaken {
            // A `reset()` has come between.
            operation.finishUnreported()
        } else if delegate == nil, !operation.hasHandlers.load(ordering: .acquiring) {
            // Streams are not waited for, but what starts now is told of after this.
            operation.finish()
        }
        if mustSchedule { noteProgress() }
        if isCulprit { cancelOthers(than: operation) }
    }

    func operationHasProgress(_ operation: RequestOperation) {
        guard let generation = state.withLock({ $0.isCurrent(operation) ? $0.generation : nil }) else { return }
        post(.handlerProgress(operation), about: operation, generation, isUrgent: false)
    }

    var answerer: (any OperationAnswerer)? { self }

    /// Cancels what was in the queue when `culprit` failed.
    private func cancelOthers(than culprit: RequestOperation) {
        guard let failed = culprit.batchMembership else { return }
        requestQueue.cancelAll {
            guard $0 !== culprit, let membership = $0.batchMembership else { return false }
            return membership.generation == failed.generation && membership.epoch <= failed.epoch
        }
    }

    var finishesOperations: Bool { true }

    func makeCallbacks(until operation: RequestOperation, isFinished semaphore: DispatchSemaphore) -> Bool {
        relay.makeCallbacks(until: operation, isFinished: semaphore, target: self)
    }
}

extension NetworkQueue.State {
    /// Opens the books for an operation that is being added.
    mutating func enroll(_ operation: RequestOperation, _ expectation: BatchExpectation, now: Duration) {
        beginRunIfNeeded(now: now)
        let account = ledger.open(
            uploadLength: expectation.uploadLength, expectedDownload: expectation.downloadLength,
            hasBody: expectation.hasBody)
        operation.batchMembership = BatchMembership(generation: generation, epoch: epoch)
        operation.batchEntry = BatchEntry(account: account)
        outstandingCount += 1
        if isStarted { owesReport = true }
    }
}

extension RequestOperation {
    /// Finishes an operation that is not reported any more.
    func finishUnreported() {
        forgetHandlers()
        finish()
    }
}

/// What operations ask: the delegate is asked in its own queue.
extension NetworkQueue: OperationAnswerer {
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        answer: @escaping @Sendable (RedirectAnswer) -> Void
    ) {
        // The operation waits for the answer, so it does not gather with other events.
        guard hasAudience(for: operation) else { return answer(.follow) }
        post(.redirect(operation, target.urlRequest, answer), about: operation)
    }

    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        guard hasAudience(for: operation) else { return answer(nil) }
        post(.challenge(challenge, operation, answer), about: operation)
    }

    private func hasAudience(for operation: RequestOperation) -> Bool {
        let (delegate, hasStreams, isCurrent) = state.withLock {
            ($0.delegate, !$0.streams.isEmpty, $0.isCurrent(operation))
        }
        return isCurrent && (hasStreams || delegate.value != nil)
    }

    func operation(_ operation: RequestOperation, willEndWith error: NetworkError) -> NetworkError {
        state.withLock { state in
            guard state.isCurrent(operation), let epoch = operation.batchMembership?.epoch else { return error }
            // Another failure has cancelled this operation already; its own came before it noticed.
            if epoch < state.epoch { return NetworkError(.cancelled, underlying: error) }
            guard state.settings.cancelsAllOnFailure else { return error }
            state.epoch += 1
            state.failureEpoch = state.epoch
            operation.batchEntry?.isCulprit = true
            return error
        }
    }
}
