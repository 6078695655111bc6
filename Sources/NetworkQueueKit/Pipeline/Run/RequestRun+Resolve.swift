import Foundation

/// Redirects and challenges: responses that are not the result unless the user wants them to be.
extension RequestRun {
    func resolve(_ response: ProvisionalResponse) {
        switch response.meaning {
        case .redirect(let target): redirect(to: target, from: response)
        case .challenge(let challenge, let isProxy): authenticate(challenge, isProxy: isProxy, response)
        case .unauthorized: refresh(response)
        }
    }

    /// Makes a response the result after all.
    func adopt(_ response: ProvisionalResponse) {
        attempt.takesResponseAsItIs = true
        // Content that was not kept is fetched again, unless only its beginning is wanted.
        let isWanted = validation.rejection(of: response.head) == nil
        if !response.isWhole, isWanted, let exchange = attempt.exchange {
            if exchange.isIdempotent {
                perform(exchange)
            } else {
                attempt.isRejected = true
                fail(
                    AttemptFailure(
                        result: RequestResult(head: response.head, data: response.kept.data),
                        error: NetworkError(.responseTooLarge)))
            }
            return
        }
        var disposition = receive(response.head, response.head.headers.framing)
        if case .proceed = disposition, !response.kept.data.isEmpty {
            disposition = response.kept.data.withUnsafeBytes { receive($0) }
        }
        if case .stop = disposition { complete(URLError(.cancelled)) } else { complete(nil) }
    }

    private func redirect(to target: HTTPExchange, from response: ProvisionalResponse) {
        guard attempt.redirectCount < environment.defaults.redirectPolicy.maximumCount else {
            return fail(AttemptFailure(error: NetworkError(URLError(.httpTooManyRedirects))))
        }
        attempt.redirectCount += 1
        let target = withoutForeignAuthorization(target)
        pause { step in
            delegate.requestWillRedirect(to: target) { [self] answer in
                guard takesAnswer(step) else { return }
                switch answer {
                case .follow:
                    noteRedirect(to: target.url, after: response.head)
                    perform(target)
                case .refuse:
                    attempt.redirectCount -= 1
                    adopt(response)
                case .replace(let request):
                    do throws(NetworkError) {
                        let other = withoutForeignAuthorization(try Redirect.target(request, inPlaceOf: target))
                        noteRedirect(to: other.url, after: response.head)
                        perform(other)
                    } catch {
                        fail(AttemptFailure(error: error))
                    }
                }
            }
            return nil
        }
    }

    private func noteRedirect(to url: URL, after head: ResponseHead) {
        if environment.hasMonitors { tellMonitors { $0.attempt(willRedirectTo: url, after: head, in: $1) } }
    }

    // MARK: Credentials

    private func authenticate(_ challenge: ServerChallenge, isProxy: Bool, _ response: ProvisionalResponse) {
        attempt.demandCount += 1
        if environment.hasMonitors {
            let demand = AuthenticationChallenge(
                scheme: challenge.scheme, realm: challenge.realm, url: response.head.url, isProxy: isProxy,
                previousFailureCount: attempt.demandCount - 1, rejectedCredential: nil,
                response: response.head)
            tellMonitors { $0.attempt(didReceive: demand, in: $1) }
        }
        let candidates =
            attempt.demandCount > RunCredentials.maximumDemandCount
            ? [] : authentication.candidates(for: challenge, of: response.head, isProxy: isProxy)
        pause { step in
            tryNext(of: candidates[...], challenge, response, step)
            return nil
        }
    }

    /// Looks for an answer in the places that are left. Called by one thread after the other, while the answer is
    /// awaited: what it uses of the request is not touched by a cancellation.
    private func tryNext(
        of candidates: ArraySlice<RunCredentials.Candidate>, _ challenge: ServerChallenge,
        _ response: ProvisionalResponse, _ step: Int
    ) {
        guard let candidate = candidates.first else {
            if takesAnswer(step) { refresh(response) }
            return
        }
        let use = authentication.use(isProxy: candidate.space.isProxy)
        // A question that reaches no delegate must not count as one that was answered with “none”.
        let mayAsk = candidate.own != nil || delegate.answersChallenges
        let question = environment.credentials.resolve(challenge, in: candidate.space, after: use, mayAsk: mayAsk) {
            [self] hasCredential in
            if hasCredential {
                repeatExchange(authorizedIn: candidate.space, step)
            } else {
                if candidate.own != nil, !candidate.space.isProxy { authentication.refuseOwn() }
                tryNext(of: candidates.dropFirst(), challenge, response, step)
            }
        }
        guard let question else { return }
        if let own = candidate.own {
            environment.credentials.answer(question.previousFailureCount == 0 ? own : nil, in: candidate.space)
        } else {
            ask(question, challenge, response, candidate.space)
        }
    }

    private func repeatExchange(authorizedIn space: ProtectionSpace, _ step: Int) {
        guard takesAnswer(step) else { return }
        authentication.noteCredential(for: space)
        if let exchange = attempt.exchange { perform(exchange) }
    }

    private func ask(
        _ question: CredentialCache.Question, _ challenge: ServerChallenge, _ response: ProvisionalResponse,
        _ space: ProtectionSpace
    ) {
        let rejectedOwn = authentication.rejectedOwn
        let challenge = AuthenticationChallenge(
            scheme: challenge.scheme, realm: challenge.realm, url: response.head.url, isProxy: space.isProxy,
            previousFailureCount: question.previousFailureCount + (rejectedOwn == nil ? 0 : 1),
            rejectedCredential: question.rejected ?? rejectedOwn, response: response.head)
        let credentials = environment.credentials
        let answer = OneShotAnswer { credentials.answer($0, in: space) }
        delegate.requestDidReceive(challenge) { answer.give($0) }
    }
}

/// What the run waits for from outside: answers of the delegate, and the hooks' asynchronous code.
extension RequestRun {
    /// Waits for an answer that is given from outside, at once or later, with the slot in hand.
    ///
    /// - Parameters:
    ///   - unprocessed: what is being processed.
    ///   - ask: gets the number by which the answer is taken, with ``takesAnswer(_:)``; returns the task that works on
    ///     it, if there is one. From then on the request belongs to the thread that brings the answer.
    func pause(unprocessed: RequestResult? = nil, _ ask: (_ step: Int) -> Task<Void, Never>?) {
        switch handle(.ask(unprocessed: unprocessed)) {
        case .ask(let step):
            let task = ask(step)
            if case .interrupt(let interruption) = handle(.asked(step: step, task)) {
                interrupt(interruption)
            }
        case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
        default: break
        }
    }

    /// Whether an answer is still waited for. If so, the request belongs to the caller.
    func takesAnswer(_ step: Int) -> Bool {
        if case .proceed = handle(.answered(step: step)) { true } else { false }
    }

    /// Waits for a hook's asynchronous code, which runs wherever it wants.
    func pause<Answer: Sendable>(
        unprocessed: RequestResult? = nil, for work: @escaping @Sendable () async -> Answer,
        then: @escaping @Sendable (Answer) -> Void
    ) {
        pause(unprocessed: unprocessed) { step in
            Task {
                let answer = await work()
                if takesAnswer(step) { then(answer) }
            }
        }
    }
}
