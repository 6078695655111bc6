import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What reaches the delegate, in the delegate's queue.
extension NetworkQueue: CallbackTarget {
    /// What waits to be delivered.
    struct Notice {
        enum Kind {
            /// Something has happened to an operation before its end.
            case event(Event)
            /// An operation has ended.
            case end(RequestOperation)
            indirect case redirect(RequestOperation, URLRequest, @Sendable (RedirectAnswer) -> Void)
            indirect case challenge(AuthenticationChallenge, RequestOperation, @Sendable (URLCredential?) -> Void)
            case handlerProgress(RequestOperation)
            case progress
            /// Nothing but a look at whether the queue has drained.
            case check
        }

        let kind: Kind
        let generation: Int
    }

    func post(_ kind: Notice.Kind) {
        let generation = state.withLock { $0.generation }
        relay.post(Notice(kind: kind, generation: generation), to: self, generation: generation)
    }

    /// Has the delegate asked something about an operation, unless a `reset()` has come between.
    func post(_ kind: Notice.Kind, about operation: RequestOperation) {
        guard let generation = operation.batchMembership?.generation else { return }
        post(kind, about: operation, generation, isUrgent: true)
    }

    /// Has something delivered that is about an operation; returns whether it will be: `false` when a `reset()` has come between.
    @discardableResult
    func post(
        _ kind: consuming Notice.Kind, about operation: RequestOperation, _ generation: Int, isUrgent: Bool
    ) -> Bool {
        relay.post(
            Notice(kind: kind, generation: generation), about: operation, to: self, isUrgent: isUrgent,
            generation: generation)
    }

    func deliver(_ notice: consuming Notice) {
        let generation = notice.generation
        switch notice.kind {
        case .event(let event):
            if hasHadAudience.load(ordering: .acquiring) { withAudience(generation) { $0.tell(event, of: self) } }
        case .end(let operation):
            deliverEnd(of: operation, generation)
        case .redirect(let operation, let request, let decide):
            changeInCallbackCount(by: 1, generation)
            withAudience(generation) { audience in
                audience.yield(.willRedirect(operation, request))
                let answer = audience.delegate(of: self).map {
                    $0.networkQueue(self, willRedirect: operation, to: request)
                }
                decide(RedirectAnswer(answer ?? request, to: request))
            }
            changeInCallbackCount(by: -1, generation)
        case .challenge(let challenge, let operation, let answer):
            withAudience(generation) {
                $0.yield(.didReceiveChallenge(challenge, operation))
                $0.delegate(of: self)?.networkQueue(self, didReceive: challenge, for: operation, answer: answer)
            }
        case .handlerProgress(let operation):
            withAudience(generation) { _ in operation.reportProgress() }
        case .progress:
            deliverProgress(generation)
        case .check:
            deliverDrain(generation)
        }
    }

    private func changeInCallbackCount(by difference: Int, _ generation: Int) {
        state.withLock { if $0.generation == generation { $0.inCallbackCount += difference } }
    }

    private func deliverEnd(of operation: RequestOperation, _ generation: Int) {
        // On Apple's platforms, finishing an operation calls its observers, which may wait for the queue as a callback may.
        let hasCallbacks =
            hasHadAudience.load(ordering: .acquiring) || operation.hasHandlers.load(ordering: .acquiring)
            || !operation.isFinished
        if hasCallbacks { tellEnd(of: operation, generation) }
        // Before the drain, so that those who wait for that find all operations finished.
        operation.finish()
        let drain = state.withLock { state -> Drain? in
            guard state.generation == generation else { return nil }
            if operation.batchEntry?.losesPage == true { operation.dropPage() }
            if hasCallbacks { state.inCallbackCount -= 1 }
            state.outstandingCount -= 1
            return state.finishRunIfDrained(timekeeper)
        }
        if let drain { deliver(drain, generation) }
    }

    private func tellEnd(of operation: RequestOperation, _ generation: Int) {
        var audience = state.withLock { state -> Audience? in
            guard state.generation == generation else { return nil }
            state.inCallbackCount += 1
            return state.audience
        }
        guard audience != nil else { return operation.forgetHandlers() }
        if operation.hasHandlers.load(ordering: .acquiring) {
            operation.reportCompletion()
            // The handler may have reset the queue: then the delegate is not told any more.
            audience = state.withLock { $0.generation == generation ? $0.audience : nil }
        }
        if let audience, !audience.isEmpty { audience.tell(Event(endOf: operation), of: self) }
    }

    private func deliverProgress(_ generation: Int) {
        let progress = state.withLock { state -> Progress? in
            guard state.generation == generation else { return nil }
            state.isProgressPosted = false
            let progress = state.ledger.snapshot(now: timekeeper.now)
            // The drain brings its own last update.
            guard progress.phase != .finished, progress != state.latestUpdate else { return nil }
            state.latestUpdate = progress
            return progress
        }
        if let progress { deliver(progress, generation) }
    }

    /// Reports the drain when nothing is left.
    private func deliverDrain(_ generation: Int) {
        let drain = state.withLock { $0.generation == generation ? $0.finishRunIfDrained(timekeeper) : nil }
        if let drain { deliver(drain, generation) }
    }

    private func deliver(_ drain: Drain, _ generation: Int) {
        if let sizing = drain.sizing {
            // All were cancelled before it was over: what is added from now on is not held back.
            liftBarrier(generation: generation)
            sizing.end()
        }
        requestQueue.forgetRefusals()
        deliver(drain.progress, generation, to: drain.streams)
        withAudience(generation, drain.streams) {
            $0.tell(.queueDidFinish(drain.summary), of: self)
        }
        endWait(for: drain, generation)
    }

    private func deliver(
        _ progress: Progress, _ generation: Int, to streams: [EventBuffer]? = nil
    ) {
        state.withLock { $0.foundationProgress }?.show(progress)
        withAudience(generation, streams) {
            $0.tell(.didUpdate(progress), of: self)
        }
    }

    /// Calls those who listen, unless the events are of a batch that `reset()` has thrown away.
    ///
    /// - Parameter streams: `nil` means those that are open.
    private func withAudience(
        _ generation: Int, _ streams: [EventBuffer]? = nil, _ body: (Audience) -> Void
    ) {
        guard var audience = state.withLock({ $0.generation == generation ? $0.audience : nil }) else { return }
        if let streams { audience.streams = streams }
        body(audience)
    }
}

extension NetworkQueue {
    /// The delegate and the streams, to be told in the delegate's queue.
    ///
    /// Unchecked for the delegate's sake: see `DelegateReference`.
    struct Audience: @unchecked Sendable {
        private let delegate: (any NetworkQueueDelegate)?
        private let isVetted: Bool
        var streams: [EventBuffer]

        init(
            delegate: (any NetworkQueueDelegate)?, isVetted: Bool, streams: [EventBuffer]
        ) {
            self.delegate = delegate
            self.isVetted = isVetted
            self.streams = streams
        }

        /// Whether there is nothing to tell of anything.
        var isEmpty: Bool { delegate == nil && streams.isEmpty }

        /// The delegate, for a call on `delegateQueue`, which this is called on.
        func delegate(of queue: NetworkQueue) -> (any NetworkQueueDelegate)? {
            if let delegate, !isVetted { queue.vet(delegate) }
            return delegate
        }

        func tell(_ event: Event, of queue: NetworkQueue) {
            delegate(of: queue)?.networkQueue(queue, tellsOf: event)
            yield(event)
        }

        func yield(_ event: Event) {
            for stream in streams { stream.yield(event) }
        }
    }
}

extension NetworkQueueDelegate {
    /// Calls the method for an event. What the delegate is asked, it is asked apart.
    func networkQueue(_ queue: NetworkQueue, tellsOf event: NetworkQueue.Event) {
        switch event {
        case .didStart(let operation): networkQueue(queue, didStart: operation)
        case .didReceiveHeaders(let head, let operation): networkQueue(queue, didReceiveHeaders: head, for: operation)
        case .willRedirect, .didReceiveChallenge: break
        case .willRetry(let operation, let delay, let error):
            networkQueue(queue, willRetry: operation, after: delay, because: error)
        case .didFinish(let operation): networkQueue(queue, didFinish: operation)
        case .didFail(let operation, let error): networkQueue(queue, didFail: operation, with: error)
        case .didUpdate(let progress): networkQueue(queue, didUpdate: progress)
        case .queueDidFinish(let summary): networkQueueDidFinish(queue, summary: summary)
        }
    }
}
