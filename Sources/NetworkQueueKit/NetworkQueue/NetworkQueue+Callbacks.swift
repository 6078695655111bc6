import Foundation

/// Makes the callbacks to the delegate, on its queue, and asks it about redirects and challenges.
extension NetworkQueue: CoreQueue {
    func perform(_ effect: Batch.Own) {
        switch effect {
        case .call(let callback, let generation):
            handle.callbacks.post { [self] in
                make(callback, generation)
            } discarded: {
                callback.discard()
            }
        case .discardCallbacks: handle.callbacks.discardAll()
        case .askForSizes: askForSizes()
        case .noteLoss(let url):
            if headRefusals.noteLoss(url) { cancelRefusedProbes() }
        case .refuseHeads(let urls):
            for url in urls { headRefusals.noteSilence(url) }
        case .finish(let streams):
            for stream in streams { stream.finish() }
        case .resume(let waiters, let summary):
            for waiter in waiters { waiter.resume(summary) }
        }
    }

    // MARK: Operations

    func operationHasProgress(_ operation: RequestOperation) {
        ask(.handlerProgress(operation), about: operation)
    }

    func operation(_ operation: RequestOperation, has progress: OperationProgress) {
        modify { batch, effects in
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
        modify { batch, effects in
            if batch.isCurrent(operation) { batch.call(callback, into: &effects) }
        }
    }

    // MARK: On the delegate's queue

    private func make(_ callback: Callback, _ generation: Int) {
        guard let receivers = receivers(of: generation) else {
            // The batch has been reset since the callback was posted.
            return callback.discard()
        }
        switch callback {
        case .event(let event): receivers.tell(event, of: self)
        case .end(let operation): makeEnd(of: operation, generation)
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
        case .update:
            let (update, shown) = loop.access { ($0.takeUpdate(now: timekeeper.now), $0.foundationProgress) }
            guard let update else { return }
            shown?.update(from: update)
            receivers.tell(.didUpdate(update), of: self)
        case .drain(let drain): make(drain, generation)
        }
    }

    /// The receivers, or `nil` if a reset has ended the generation.
    private func receivers(of generation: Int) -> EventReceivers? {
        loop.access { $0.generation == generation ? $0.receivers : nil }
    }

    private func makeEnd(of operation: RequestOperation, _ generation: Int) {
        operation.reportCompletion()
        // The handler may have reset the queue. Then the delegate is not called any more.
        receivers(of: generation)?.tell(Event(endOf: operation), of: self)
        // Before the drain is reported, so that code waiting for it finds every operation finished.
        operation.finish()
        modify { batch, effects in
            batch.noteReturn(of: operation, generation, now: timekeeper.now, into: &effects)
        }
    }

    private func make(_ drain: Drain, _ generation: Int) {
        // The next run asks again for credentials that nobody supplied in this one.
        loop.access { $0.upkeep.environment }.credentials.forgetRefusals()
        if let receivers = receivers(of: generation) {
            drain.foundationProgress?.update(from: drain.progress)
            receivers.with(drain.streams).tell(.didUpdate(drain.progress), of: self)
        }
        receivers(of: generation)?.with(drain.streams).tell(.queueDidFinish(drain.summary), of: self)
        for stream in drain.streams where !stream.isAcrossRuns { stream.finish() }
        modify { batch, effects in batch.noteReport(of: drain, generation, into: &effects) }
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
        let id = ObjectIdentifier(delegate)
        loop.access { $0.receivers.noteVetted(id) }
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
