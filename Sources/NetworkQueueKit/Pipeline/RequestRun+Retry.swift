import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What follows a failed attempt.
extension RequestRun {
    /// Another attempt that is planned.
    private struct Plan {
        let delay: Duration
        let triggers: [any EarlyRetryTrigger]
        let request: NetworkRequest
    }

    func fail(_ failure: AttemptFailure) {
        let retryAfter = failure.result.head.flatMap { RetryAfter.delay(in: $0) }
        holdHost(for: retryAfter, failure)
        guard !failure.error.isCancellation, observer.isUsersOwn,
            let decider = operation.request.retryDecider ?? environment.settings.retryDecider
        else {
            carryOut(.usePolicy, failure, retryAfter)
            return
        }
        let operation = operation
        let error = failure.error.completed(for: operation)
        pause(for: { await decider.decision(after: error, of: operation, head: failure.result.head) }) {
            [self] decision in carryOut(decision, failure, retryAfter)
        }
    }

    /// Lets the server have the time that it asks for.
    private func holdHost(for retryAfter: Duration?, _ failure: AttemptFailure) {
        guard let queue, let status = failure.result.head?.statusCode, status == 429 || status == 503 else { return }
        let policy = state.withLock { $0.retryPolicy }
        guard policy.maximumRetries > 0, let delay = policy.obeyed(retryAfter), delay > .zero,
            let host = failure.result.head?.url.host()?.lowercased()
        else { return }
        queue.hold(host, for: delay)
    }

    private func carryOut(_ decision: RetryDecision, _ failure: AttemptFailure, _ retryAfter: Duration?) {
        if let plan = plan(decision, failure, retryAfter) {
            wait(for: plan, failure)
        } else {
            let result = state.withLock { state in
                var result = failure.result
                result.error = state.isCancelled ? .cancelled : failure.error
                return state.end(result)
            }
            end(with: result)
        }
    }

    private func plan(_ decision: RetryDecision, _ failure: AttemptFailure, _ retryAfter: Duration?) -> Plan? {
        switch decision {
        case .fail:
            return nil
        case .retry(let delay, let triggers, let request):
            var next = operation.request
            if let request { next.urlRequest = request }
            return Plan(delay: max(delay, .zero), triggers: triggers, request: next)
        case .usePolicy:
            let (policy, retryCount, elapsed) = state.withLock { ($0.retryPolicy, $0.retryCount, $0.elapsed) }
            let delay = policy.delay(
                beforeRetry: retryCount + 1, of: operation.request.method,
                after: failure.error, elapsed: elapsed, retryAfter: retryAfter)
            return delay.map {
                Plan(delay: $0, triggers: policy.earlyRetryTriggers, request: operation.request)
            }
        }
    }

    private func wait(for plan: Plan, _ failure: AttemptFailure) {
        // Its time counts from here, before anybody is told of it.
        let wait = RetryWait(delay: plan.delay, timekeeper: environment.timekeeper) { [self] in
            guard state.withLock({ $0.endDelay() }) else { return }
            // The slot was given back: the queue says when there is another.
            if let queue { queue.unpark(operation) } else { resume() }
        }
        state.withLock { $0.abandonAttempt(next: plan.request) }
        operation.beginWait()
        let error = failure.error.completed(for: operation)
        observer.operation(operation, willRetryAfter: plan.delay, because: error, keepsLength: failure.keepsLength)
        queue?.park(operation)
        if let result = state.withLock({ $0.begin(wait) }) {
            end(with: result)
            return
        }
        wait.start(
            watching: plan.triggers, RetryWaitContext(host: operation.request.host ?? "", error: error))
    }

    /// Makes the next attempt, now that there is a slot for it.
    func resume() {
        // A cancellation that has come between has ended the run.
        guard let request = state.withLock({ $0.resume() }) else { return }
        operation.beginNextAttempt()
        observer.operationDidRestart(operation)
        attempt(request, hasBody: request.hasBody)
    }
}

extension NetworkRequest {
    /// The host in lower case.
    var host: String? { url.host()?.lowercased() }
}
