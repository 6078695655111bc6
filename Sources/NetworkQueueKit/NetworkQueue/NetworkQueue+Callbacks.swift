import Foundation

/// Makes the callbacks to the delegate, on its queue, and asks it about redirects and challenges.
extension NetworkQueue: CoreQueue {
    func perform(_ effect: Batch.Own) {
        switch effect {
        case .makeCallbacks: handle.callbacks.post { [self] in makeCallbacks() }
        case .discard(let callbacks):
            for callback in callbacks { callback.discard() }
        case .askForSizes: askForSizes()
        case .ask(let entries, let generation): ask(about: entries, generation)
        case .noteLoss(let url):
            if headRefusals.noteLoss(url) { cancelRefusedProbes() }
        case .refuseHeads(let urls):
            for url in urls { headRefusals.noteSilence(url) }
        case .flush(let files, let generation):
            files.flushLater { [self] failures in
                modify { batch, now, effects in batch.noteFlush(failures, generation, now: now, into: &effects) }
            }
        case .finish(let streams):
            for stream in streams { stream.finish() }
        case .endWaits: if stateWaiters.hasWaiters { stateWaiters.check() }
        case .resume(let waiters, let summary):
            for waiter in waiters { waiter.resume(summary) }
        }
    }

    // MARK: Operations

    func operationHasProgress(_ operation: RequestOperation) {
        ask(.handlerProgress(operation), about: operation)
    }

    func operation(_ operation: RequestOperation, has progress: OperationProgress) {
        change { batch, _, effects in
            // Dropped after the operation's end, which removes it from the core.
            guard batch.isCurrent(operation), batch.core.contains(operation) else { return }
            batch.call(.event(.didProgress(operation, progress: progress)), into: &effects)
        }
    }

    func answersChallenges(to operation: RequestOperation) -> Bool { !operation.isAuxiliary }

    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        answer: @escaping @Sendable (RedirectAnswer) -> Void
    ) {
        guard hasReceivers(for: operation) else { return operation.answerRedirect(to: target, answer) }
        ask(.redirect(operation, target.urlRequest, answer), about: operation)
    }

    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        guard hasReceivers(for: operation) else { return operation.askHandler(about: challenge, answer) }
        ask(.challenge(challenge, operation, answer), about: operation)
    }

    private func hasReceivers(for operation: RequestOperation) -> Bool {
        loop.access { $0.receivers.exist && $0.isCurrent(operation) }
    }

    private func ask(_ callback: Callback, about operation: RequestOperation) {
        change { batch, _, effects in
            if batch.isCurrent(operation) { batch.call(callback, into: &effects) }
        }
    }

    // MARK: On the delegate's queue

    private func makeCallbacks() -> Int {
        let (callbacks, receivers, generation) = loop.access { ($0.takeCallbacks(), $0.receivers, $0.generation) }
        var ended: [RequestOperation] = []
        var endedGroups: [RunGroup] = []
        for callback in callbacks {
            // A callback may have reset the batch.
            guard receivers.areCurrent else {
                callback.discard()
                continue
            }
            make(callback, receivers, generation)
            switch callback {
            case .end(let operation): ended.append(operation)
            case .groupEnd(let end): endedGroups.append(end.group)
            default: break
            }
        }
        modify { batch, now, effects in
            batch.noteReport(of: endedGroups, generation, into: &effects)
            batch.noteReturn(of: ended, generation, now: now, into: &effects)
        }
        return callbacks.count
    }

    private func make(_ callback: Callback, _ receivers: EventReceivers, _ generation: Int) {
        switch callback {
        case .event(let event): receivers.tell(event, of: self)
        case .end(let operation):
            operation.reportCompletion()
            // The handler may have reset the queue. Then the delegate is not called any more.
            receivers.tell(Event(endOf: operation), of: self)
            // Before the drain is reported, so that code waiting for it finds every operation finished.
            operation.finish()
        case .redirect(let operation, let request, let decide):
            receivers.yield(.willRedirect(operation, to: request))
            let answer = receivers.delegate(of: self).map {
                $0.networkQueue(self, willRedirect: operation, to: request)
            }
            guard let next = answer ?? request else { return decide(RedirectAnswer(nil, to: request)) }
            operation.askHandler(aboutRedirectTo: next) { decide(RedirectAnswer($0, to: request)) }
        case .challenge(let challenge, let operation, let answer):
            receivers.yield(.didReceiveChallenge(operation, challenge: challenge))
            guard let delegate = receivers.delegate(of: self) else {
                return operation.askHandler(about: challenge, answer)
            }
            // The handler is also asked if the delegate releases the closure without a call.
            let ownAnswer = OneShotAnswer { credential in
                if let credential { answer(credential) } else { operation.askHandler(about: challenge, answer) }
            }
            delegate.networkQueue(self, didReceive: challenge, for: operation) { ownAnswer.give($0) }
        case .handlerProgress(let operation): operation.reportProgress()
        case .plan(let survey):
            let plan = loop.access { $0.completed(survey.plan) }
            if receivers.delegate(of: self)?.networkQueue(self, shouldStart: plan) == false {
                answer(.cancel, to: survey, generation)
            } else {
                askHandler(about: survey, generation)
            }
        case .update:
            let now = timekeeper.now
            let (update, shown, groups) = loop.access {
                ($0.takeUpdate(now: now), $0.foundationProgress, $0.shownGroups(now: now))
            }
            guard let update else { return }
            shown?.update(from: update)
            for (object, progress) in groups { object.update(from: progress) }
            receivers.tell(.didUpdate(update), of: self)
        case .groupEnd(let end):
            end.foundationProgress?.update(from: end.progress)
            receivers.tell(.groupDidFinish(Group(end.group), end.summary), of: self)
        case .drain(let drain): make(drain, receivers, generation)
        }
    }

    private func make(_ drain: Drain, _ receivers: EventReceivers, _ generation: Int) {
        // The next run asks again for credentials that nobody supplied in this one.
        loop.access { $0.upkeep.environment }.credentials.forgetRefusals()
        drain.foundationProgress?.update(from: drain.progress)
        receivers.tell(.didUpdate(drain.progress), of: self, drain.streams)
        receivers.tell(.queueDidFinish(drain.summary), of: self, drain.streams)
        for stream in drain.streams where !stream.isAcrossRuns { stream.finish() }
        modify { batch, _, effects in batch.noteReport(of: drain, generation, into: &effects) }
    }

    /// Traps if `delegate` is isolated to an actor on which `delegateQueue` does not run: its methods would silently
    /// run off their actor. Called on `delegateQueue`, once for each delegate, before its first call.
    func vet(_ delegate: any NetworkQueueDelegate) {
        guard Self.mayCall(delegate) else {
            // Not a precondition: release builds would omit its message.
            fatalError(
                """
                The delegate of a NetworkQueue, \(type(of: delegate)), conforms to NetworkQueueDelegate on an actor, such as @MainActor, \
                but the queue's delegateQueue, "\(delegateQueue.label)", does not run on that actor. Create the queue with \
                `delegateQueue: .main` for a @MainActor delegate, or make the conformance nonisolated.
                """)
        }
    }

    /// Whether the conformance of `delegate` is nonisolated, or isolated to the actor on which the calling code runs.
    static func mayCall(_ delegate: AnyObject) -> Bool {
        // A cast to a protocol checks whether an isolated conformance may be used here. Runtimes before Swift 6.2 do
        // not check.
        if (delegate as Any) is any NetworkQueueDelegate { return true }
        // On Linux the runtime recognizes the main actor only by the main thread. Under an asynchronous `main`, the
        // main queue runs on other threads, where the main actor looks like any other actor.
        return MainRunLoop.isInMainQueue && !Thread.isMainThread
    }
}
