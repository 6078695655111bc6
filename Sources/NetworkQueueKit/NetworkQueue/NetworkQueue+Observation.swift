/// What operations do, noted in the books and passed on to the delegate's queue.
extension NetworkQueue: OperationObserver {
    func operationDidStart(_ operation: RequestOperation) {
        account(of: operation) { ledger, account in ledger.start(&account) }
        post(.start(operation), of: operation)
    }

    func operation(_ operation: RequestOperation, didSend totalBytes: Int64) {
        account(of: operation) { ledger, account in ledger.send(totalBytes, &account) }
    }

    func operation(
        _ operation: RequestOperation, didReceive head: ResponseHead, expecting length: Int64?
    ) -> ExchangeDisposition {
        account(of: operation) { ledger, account in ledger.receiveHead(contentLength: length, &account) }
        post(.head(head, operation), of: operation)
        return .proceed
    }

    func operation(_ operation: RequestOperation, didReceive byteCount: Int) {
        account(of: operation) { ledger, account in ledger.receive(Int64(byteCount), &account) }
    }

    func operationHasProgress(_ operation: RequestOperation) {
        post(.handlerProgress(operation), of: operation)
    }

    func operation(_ operation: RequestOperation, willEndWith error: NetworkError?) -> NetworkError? {
        guard let error, !error.isCancellation else { return error }
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

    func operationDidEnd(_ operation: RequestOperation) {
        let outcome: ProgressLedger.Outcome =
            switch operation.error {
            case nil: .finished
            case let error?: error.isCancellation ? .cancelled : .failed
            }
        let (isCulprit, sizing) = state.withLock { state -> (Bool, Sizing?) in
            guard state.isCurrent(operation) else { return (false, nil) }
            state.withAccount(of: operation) { ledger, account in ledger.end(outcome, &account) }
            if outcome == .failed, state.firstFailure == nil, let error = operation.error {
                state.firstFailure = Summary.Failure(operation: operation, error: error)
            }
            return (operation.record?.isCulprit ?? false, state.sizing)
        }
        sizing?.forget(operation)
        post(.end(operation), of: operation)
        noteProgress()
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

    private func account(
        of operation: RequestOperation, _ body: (inout ProgressLedger, inout ProgressLedger.Account) -> Void
    ) {
        let mustSchedule = state.withLock { state in
            guard state.isCurrent(operation) else { return false }
            state.withAccount(of: operation, body)
            return state.progressTimer == nil
        }
        if mustSchedule { noteProgress() }
    }
}
