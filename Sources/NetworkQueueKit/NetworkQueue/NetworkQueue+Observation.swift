import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What operations do, noted in the books and passed on to the delegate's queue.
extension NetworkQueue: OperationObserver {
    func operationDidStart(_ operation: RequestOperation) {
        note(operation, post: .start(operation)) { ledger, account in ledger.start(&account) }
    }

    func operation(_ operation: RequestOperation, willSend length: Int64) {
        note(operation) { ledger, account in ledger.setUploadSize(length, &account) }
    }

    func operation(_ operation: RequestOperation, didSend totalBytes: Int64) {
        note(operation) { ledger, account in ledger.send(totalBytes, &account) }
    }

    func operation(
        _ operation: RequestOperation, willReceive length: Int64?, behind resumed: Int64, finalHead: ResponseHead?
    ) -> ExchangeDisposition {
        note(operation, post: finalHead.map { .head($0, operation) }) { ledger, account in
            ledger.receiveHead(contentLength: length, resumedFrom: resumed, &account)
        }
        return .proceed
    }

    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        decide: @escaping @Sendable (RedirectAnswer) -> Void
    ) {
        // Somebody waits for the answer, so it does not gather with other events.
        guard hasAudience(for: operation) else { return decide(.follow) }
        post(.redirect(operation, target.urlRequest, decide))
    }

    var answersChallenges: Bool { true }

    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        guard hasAudience(for: operation) else { return answer(nil) }
        post(.challenge(challenge, operation, answer))
    }

    private func hasAudience(for operation: RequestOperation) -> Bool {
        let (delegate, hasStreams, isCurrent) = state.withLock {
            ($0.delegate, !$0.streams.isEmpty, $0.isCurrent(operation))
        }
        return isCurrent && (hasStreams || delegate.value != nil)
    }

    func operation(_ operation: RequestOperation, didReceive head: ResponseHead) -> ExchangeDisposition {
        note(operation, post: .head(head, operation)) { _, _ in }
        return .proceed
    }

    func operation(
        _ operation: RequestOperation, willRetryAfter delay: Duration, because error: NetworkError, keepsLength: Bool
    ) {
        note(operation, post: .retry(operation, delay, error)) { ledger, account in
            ledger.failAttempt(keepingSize: keepsLength, &account)
        }
    }

    func operationDidRestart(_ operation: RequestOperation) {
        note(operation) { ledger, account in ledger.start(&account) }
    }

    func operation(_ operation: RequestOperation, didReceive byteCount: Int) {
        note(operation) { ledger, account in ledger.receive(Int64(byteCount), &account) }
    }

    func operationHasProgress(_ operation: RequestOperation) {
        note(operation, post: .handlerProgress(operation)) { _, _ in }
    }

    func operation(_ operation: RequestOperation, willEndWith error: NetworkError) -> NetworkError {
        guard !error.isCancellation else { return error }
        return state.withLock { state in
            guard state.isCurrent(operation), let epoch = operation.membership?.epoch else { return error }
            // Another failure has cancelled this operation already; it only did not live to see it.
            if epoch < state.epoch { return NetworkError(.cancelled, underlying: error) }
            guard state.configuration.cancelsAllOnFailure else { return error }
            state.epoch += 1
            operation.record?.isCulprit = true
            return error
        }
    }

    func operationDidEnd(_ operation: RequestOperation, with result: OperationResult) {
        let status = result.status
        guard status != .finished else {
            return note(operation, post: .end(operation)) { ledger, account in ledger.end(.finished, &account) }
        }
        let outcome = status == .cancelled ? ProgressLedger.Outcome.cancelled : .failed
        let (isCulprit, sizing) = state.withLock { state -> (Bool, Sizing?) in
            guard state.isCurrent(operation) else { return (false, nil) }
            if outcome == .failed, state.firstFailure == nil, let error = result.error {
                state.firstFailure = Summary.Failure(operation: operation, error: error)
            }
            state.noteUnfinished(operation, hasFailed: outcome == .failed)
            return (operation.record?.isCulprit == true, state.sizing)
        }
        // One that has succeeded was sized before it began.
        sizing?.forget(operation)
        note(operation, post: .end(operation)) { ledger, account in ledger.end(outcome, &account) }
        if isCulprit { cancelOthers(than: operation) }
    }

    /// Cancels what was in the queue when `culprit` failed.
    private func cancelOthers(than culprit: RequestOperation) {
        guard let failed = culprit.membership else { return }
        requestQueue.cancelAll {
            guard $0 !== culprit, let membership = $0.membership else { return false }
            return membership.generation == failed.generation && membership.epoch <= failed.epoch
        }
    }

    /// Keeps the books about something that an operation has done, and has it told.
    private func note(
        _ operation: RequestOperation, post kind: consuming Notice.Kind? = nil,
        _ body: (inout ProgressLedger, inout ProgressLedger.Account) -> Void
    ) {
        let (generation, isUrgent, mustSchedule) = state.withLock { state -> (Int?, Bool, Bool) in
            guard state.isCurrent(operation) else { return (nil, false, false) }
            state.withAccount(of: operation, body)
            // While others wait, the queue keeps busy without an answer from the delegate.
            return (state.generation, state.ledger.counts.waiting == 0, state.progressTimer == nil)
        }
        guard let generation else {
            if case .end = kind { operation.forgetHandlers() }
            return
        }
        // Moved along, as a copy costs a reference or two.
        if let kind = consume kind {
            relay.post(Notice(kind: kind, generation: generation), to: self, isUrgent: isUrgent, generation: generation)
        }
        if mustSchedule { noteProgress() }
    }
}
