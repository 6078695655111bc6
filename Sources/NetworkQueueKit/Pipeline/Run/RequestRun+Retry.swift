import Foundation

/// Decides what follows a failed attempt.
extension RequestRun {
    /// A planned further attempt.
    private struct Plan {
        let delay: Duration
        /// The shortest wait, whatever the triggers do.
        var minimum = Duration.zero
        let triggers: [any EarlyRetryTrigger]
        /// The request to send instead of the original one.
        var next: NetworkRequest?
        /// The URL to which all further attempts go.
        var address: MirrorTurn.Address?
        /// What the next attempt asks for.
        var scope = DownloadTarget.Scope.rest
    }

    func fail(_ failure: AttemptFailure) {
        let shown = hidden(failure)
        if endsTus(before: shown) { return }
        let failure = (upload.pendingFailure ?? shown).located(at: attempt.exchangeURL)
        noteShares()
        let requested = requestedPause(after: failure)
        if mayRenewURL(after: failure, requested) { return renewURL(after: failure) }
        guard !failure.error.isCancellation, runsUserHooks,
            let decider = request.retryDecider ?? environment.defaults.retryDecider
        else {
            carryOut(.usePolicy, failure, requested)
            return
        }
        let error = completed(failure)
        let context = context(sent: attempt.exchange.map { hidden($0) })
        pause(for: { await decider.decision(after: error, in: context) }) { [self] decision in
            carryOut(decision, failure, requested)
        }
    }

    private func carryOut(_ decision: RetryDecision, _ failure: AttemptFailure, _ pause: RequestedPause?) {
        // A failed share is left to other exchanges.
        let isShare = attempt.target.help != nil
        let plan =
            isShare
            ? nil
            : planForSlowness(decision, failure) ?? planForAll(decision, failure)
                ?? plan(decision, failure, pause) ?? planForMirror(decision, failure)
        if let plan, attempt.target.userSink?.mayStartOver() ?? request.destination.mayStartOver {
            wait(for: plan, failure)
        } else {
            var result = failure.result
            result.error = closing(explained(failure).error)
            deliverRest(thenEndWith: result)
        }
    }

    /// Ends the request once a user's sink has taken the content that had arrived. This may take any time, so a
    /// cancellation can end the wait.
    private func deliverRest(thenEndWith result: RequestResult) {
        guard let sink = attempt.target.userSink, !result.isCancellation else { return end(with: result) }
        pause { step in
            sink.deliverRest { [self] in if takesAnswer(step) { end(with: result) } }
            return nil
        }
    }

    /// The plan after an attempt that was too slow, if another URL may be faster.
    private func planForSlowness(_ decision: RetryDecision, _ failure: AttemptFailure) -> Plan? {
        guard case .usePolicy = decision, failure.error.code == .timedOut else { return nil }
        return nextAfterSlowness().map { Plan(delay: .zero, triggers: [], address: $0) }
    }

    /// The plan for an attempt that the policy does not count, because it asks for all of the content in another way.
    private func planForAll(_ decision: RetryDecision, _ failure: AttemptFailure) -> Plan? {
        guard case .usePolicy = decision, request.method == "GET", !request.hasBody, !request.isSizeProbe else {
            return nil
        }
        if attempt.target.mayAskAfresh(after: failure.error) {
            return Plan(delay: .zero, triggers: [], scope: .fresh)
        }
        return planWithoutRanges(after: failure, isLast: false)
    }

    private func planWithoutRanges(after failure: AttemptFailure, isLast: Bool) -> Plan? {
        attempt.target.mayAskForAll(after: failure.error, isSplit: attempt.splitResponse != nil, isLast: isLast)
            ? Plan(delay: .zero, triggers: [], scope: .all) : nil
    }

    /// The plan if no retry follows: to start over or to try a mirror.
    private func planForMirror(_ decision: RetryDecision, _ failure: AttemptFailure) -> Plan? {
        if case .fail = decision { return nil }
        if let plan = planWithoutRanges(after: failure, isLast: true) { return plan }
        if startsOver(after: failure) { return Plan(delay: .zero, triggers: []) }
        return nextAddress(after: failure).map { Plan(delay: .zero, triggers: [], address: $0) }
    }

    private func plan(_ decision: RetryDecision, _ failure: AttemptFailure, _ pause: RequestedPause?) -> Plan? {
        if attempt.target.leavesPart {
            retries.noteProgress(
                from: attempt.bytesResumed, to: attempt.bytesReceived)
        }
        if let tus = upload.tus { retries.noteProgress(from: tus.start ?? 0, to: tus.confirmed) }
        switch decision {
        case .fail:
            return nil
        case .retry(let delay, let triggers, let replacement):
            let next = replacement.map { replacement in
                var next = current
                next.urlRequest = replacement
                return next
            }
            retries.count()
            return Plan(delay: max(delay.bounded, .zero), triggers: triggers, next: next)
        case .usePolicy:
            let policy = retryPolicy
            if let outage = outageDuration(after: failure, policy) {
                let delay = policy.delay(afterUnreached: retries.unreachedCount, inOutageOf: outage)
                guard let delay else { return nil }
                // If another URL can be tried, the outage is not waited out but counts like any other failure.
                if nextAddress(after: failure) == nil {
                    return Plan(
                        delay: delay, minimum: RetryPolicy.minimumOutageDelay, triggers: policy.earlyRetryTriggers)
                }
            }
            guard !isFutileUpload(failure, pause?.delay) else { return nil }
            retries.count()
            let delay = policy.delay(
                beforeRetry: retries.used, of: request.repeatedMethod,
                after: pause?.isQuotaRefusal == true
                    ? failure.error.asQuotaRefusal : request.isTus ? failure.error.asLock : failure.error,
                retryAfter: pause?.delay, hold: pause?.hold ?? .zero)
            // That the server answers other requests does not mean that it has prepared this content.
            let triggers = failure.error.code == .httpStatus(202) ? [] : policy.earlyRetryTriggers
            return delay.map { Plan(delay: $0, triggers: triggers) }
        }
    }

    /// If the origin could not be reached and the policy tolerates that, notes the failure and returns the duration of
    /// the outage.
    private func outageDuration(after failure: AttemptFailure, _ policy: RetryPolicy) -> Duration? {
        guard policy.outageTolerance != nil, isUnreached(failure),
            policy.mayRepeat(request.repeatedMethod, after: failure.error),
            let origin = attempt.exchange.flatMap({ Origin($0.url) })
        else { return nil }
        let now = environment.now
        let start = environment.outages.noteFailure(of: origin, at: now)
        let isRefused = failure.error.code == .cannotConnectToHost
        return retries.countUnreached(since: start, isRefused: isRefused, at: now)
    }

    /// Whether an attempt did not reach its origin: the connection was refused, or it was lost before a head arrived. A
    /// server that had taken more than 1 MiB of content by then counts as reached.
    private func isUnreached(_ failure: AttemptFailure) -> Bool {
        switch failure.error.code {
        case .cannotConnectToHost: true
        case .connectionLost:
            failure.result.head == nil && attempt.bytesSent <= RetryCount.largeSize
        default: false
        }
    }

    /// Notes that the origin of the current exchange has answered, or has taken more than 1 MiB of content.
    func noteReach() {
        if let origin = attempt.exchange.flatMap({ Origin($0.url) }) {
            environment.outages.noteResponse(of: origin)
        }
    }

    /// Whether the server has answered large content with the same 5xx again, without a time to wait. A permanent
    /// fault, such as a 500 for a missing folder, must not make the content be sent over and over.
    private func isFutileUpload(_ failure: AttemptFailure, _ requestedDelay: Duration?) -> Bool {
        guard case .httpStatus(let status) = failure.error.code, (500..<600).contains(status), requestedDelay == nil,
            !request.isTus, let body = attempt.exchange?.body, body.length > RetryCount.largeSize
        else { return false }
        return !retries.noteUpload(answeredWith: status)
    }

    private func wait(for plan: Plan, _ failure: AttemptFailure) {
        // The delay starts here, before the delegate is told.
        let wait = RetryWait(delay: plan.delay, minimum: plan.minimum, timekeeper: environment.timekeeper) { [self] in
            // The slot was given back, so ask for another; the queue then calls `resume()`.
            guard case .proceed = handle(.waitEnded) else { return }
            asideTime = environment.now
            delegate.requestSlot()
        }
        let error = completed(failure)
        let event = RequestEvent.willRetry(after: plan.delay, because: error, keepsLength: failure.keepsLength)
        tellMonitorsOfRetry(after: plan.delay, because: error)
        latestFailure = plan.address == nil ? error : nil
        if let address = plan.address { turn(to: address, after: error) }
        attempt.target.nextScope = plan.scope
        if beginWait(wait, next: plan.next, telling: event) {
            wait.start(watching: plan.triggers, RetryWaitContext(host: current.host ?? "", error: error))
        }
    }

    /// The error of a failed attempt, with details of its operation.
    func completed(_ failure: AttemptFailure) -> NetworkError {
        failure.error.completed(
            id: id, attempts: sentCount, request: named, response: failure.result.response)
    }
}

extension NetworkError {
    /// The error for the retry policy, which treats a 403 because of a quota as a 429.
    fileprivate var asQuotaRefusal: NetworkError {
        code == .httpStatus(403) ? NetworkError(.httpStatus(429)) : self
    }

    /// The error for the retry policy, which treats an upload that is locked as a server that is busy: the exchange
    /// that was cut may still hold the lock.
    fileprivate var asLock: NetworkError {
        code == .httpStatus(423) ? NetworkError(.httpStatus(503)) : self
    }

    /// The error, completed with the details of its operation.
    func completed(
        id: RequestID, attempts: Int, request: NetworkRequest, response: @autoclosure () -> Response?
    ) -> NetworkError {
        let url = url ?? (request.lacksURL ? nil : request.url.withoutUserInformation)
        var error = NetworkError(code, underlying: underlying, operationID: id, url: url, attempts: attempts)
        if let hook { error.hook = hook }
        if let file { error.file = file }
        if let space { error.space = space }
        error.exchangeURL = exchangeURL
        error.formerFailures = formerFailures
        error.mayComeFromHead = mayComeFromHead
        guard code != .cancelled, var kept = response() ?? self.response else { return error }
        // Truncate rejected content: it may be large, and errors are kept.
        if let data = kept.data, data.count > BodyExcerpt.usualLimit {
            kept.data = Data(data.prefix(BodyExcerpt.usualLimit))
        }
        error.response = kept
        return error
    }
}
