import Foundation

/// Handles redirects and challenges, which are the result only if the user wants that.
extension RequestRun {
    func resolve(_ response: ProvisionalResponse) {
        switch response.meaning {
        case .redirect(let target): redirect(to: target, from: response)
        case .challenge(let challenge, let isProxy): authenticate(challenge, isProxy: isProxy, response)
        case .unauthorized: refresh(response)
        }
    }

    /// Makes a redirect or challenge response the result.
    func adopt(_ response: ProvisionalResponse) {
        attempt.takesResponseAsItIs = true
        // Fetch the content again if it was not kept completely. A rejected response needs only its beginning.
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
        guard environment.hasMonitors else { return }
        let (url, head) = (hidden(url), hidden(head))
        tellMonitors { $0.attempt(willRedirectTo: url, after: head, in: $1) }
    }

    // MARK: Credentials

    private func authenticate(_ challenge: ServerChallenge, isProxy: Bool, _ response: ProvisionalResponse) {
        attempt.demandCount += 1
        if environment.hasMonitors {
            let head = hidden(response.head)
            let demand = AuthenticationChallenge(
                scheme: challenge.scheme, realm: challenge.realm, url: head.url, isProxy: isProxy,
                previousFailureCount: attempt.demandCount - 1, rejectedCredential: nil, response: head)
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

    /// Tries the remaining candidates for an answer. One thread at a time calls it while the answer is awaited; a
    /// cancellation does not touch the state that it uses.
    private func tryNext(
        of candidates: ArraySlice<RunCredentials.Candidate>, _ challenge: ServerChallenge,
        _ response: ProvisionalResponse, _ step: Int
    ) {
        guard let candidate = candidates.first else {
            if takesAnswer(step) { refresh(response) }
            return
        }
        let use = authentication.use(isProxy: candidate.space.isProxy)
        // A question that no delegate can answer must not count as answered with “no credential”.
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
        let head = hidden(response.head)
        let challenge = AuthenticationChallenge(
            scheme: challenge.scheme, realm: challenge.realm, url: head.url, isProxy: space.isProxy,
            previousFailureCount: question.previousFailureCount + (rejectedOwn == nil ? 0 : 1),
            rejectedCredential: question.rejected ?? rejectedOwn, response: head)
        let credentials = environment.credentials
        let answer = OneShotAnswer { credentials.answer($0, in: space) }
        delegate.requestDidReceive(challenge) { answer.give($0) }
    }
}

/// Waits for answers of the delegate and for asynchronous hooks.
extension RequestRun {
    /// Suspends the run until an external answer arrives. Keeps the slot.
    ///
    /// - Parameters:
    ///   - unprocessed: the result that is being processed, if any.
    ///   - ask: asks for the answer. It gets the step number to pass to ``takesAnswer(_:)``, and returns the task that
    ///     produces the answer, if there is one. Afterwards the request is confined to the thread that brings the
    ///     answer.
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

    /// Whether the answer is still awaited. If so, the request is confined to the caller's thread.
    func takesAnswer(_ step: Int) -> Bool {
        if case .proceed = handle(.answered(step: step)) { true } else { false }
    }

    /// Gives the slot back because a pause has stopped the work that the attempt needs. It begins anew afterwards.
    func stopForPause() {
        switch handle(.stopped) {
        case .pause: setAside()
        case .interrupt(let interruption): interrupt(interruption)
        default: break
        }
    }

    /// Suspends the run until a hook's asynchronous code has returned.
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
