/// What operations ask of their queue.
extension RequestQueue: OperationScheduler {
    func cancelWaiting(_ operation: RequestOperation) {
        let wasWaiting = mutate { state in
            guard let ticket = operation.queueEntry.ticket, case .removed = state.scheduler.cancel(ticket) else {
                return false
            }
            state.forget(operation)
            state.endingCount += 1
            return true
        }
        guard wasWaiting else { return }
        operation.end(with: RequestResult(error: .cancelled), telling: listener(of: operation))
        state.withLock { $0.endingCount -= 1 }
        if emptyWaiters.hasWaiters { emptyWaiters.check() }
    }

    func hide(_ operation: RequestOperation) {
        state.withLock { state in
            guard !operation.queueEntry.isHidden, let ticket = operation.queueEntry.ticket,
                state.scheduler.contains(ticket)
            else { return }
            operation.queueEntry.isHidden = true
            state.hiddenCount += 1
        }
    }

    func release(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.queueEntry.ticket, state.scheduler.finish(ticket) == nil {
                // It had no slot: it was waiting for one to retry.
                _ = state.scheduler.cancel(ticket)
            }
            state.forget(operation)
        }
    }

    func changePriority(of operation: RequestOperation) {
        mutate { state in
            guard let ticket = operation.queueEntry.ticket else { return }
            state.scheduler.setPriority(ticket, RequestPriority(operation.priority))
        }
    }

    func park(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.queueEntry.ticket { state.scheduler.park(ticket) }
        }
    }

    func unpark(_ operation: RequestOperation) {
        mutate { state in
            if let ticket = operation.queueEntry.ticket { state.scheduler.unpark(ticket) }
        }
    }
}

extension RequestPriority {
    init(_ priority: NetworkRequest.Priority) {
        switch priority {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}
