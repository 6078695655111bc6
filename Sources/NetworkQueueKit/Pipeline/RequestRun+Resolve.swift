import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Redirects and demands for credentials: responses that are not the result unless somebody wants them to be.
extension RequestRun {
    func resolve(_ response: InterimResponse) {
        switch response.meaning {
        case .redirect(let target): redirect(to: target, from: response)
        case .demand(let demand, let isProxy): authenticate(demand, isProxy: isProxy, response)
        }
    }

    /// Makes a response the result after all.
    func adopt(_ response: InterimResponse) {
        let repeated = state.withLock { state -> HTTPExchange? in
            state.takesResponseAsItIs = true
            // Content that was not kept is fetched again, unless only its beginning is wanted.
            let isWanted = state.validation.rejection(of: response.head) == nil
            return response.isWhole || !isWanted ? nil : state.exchange
        }
        if let repeated {
            if state.withLock({ $0.mayRepeat(repeated) }) {
                perform(repeated)
            } else {
                state.withLock { $0.isHeadHeld = true }
                fail(
                    AttemptFailure(
                        result: OperationResult(head: response.head, data: response.kept.data),
                        error: NetworkError(.responseTooLarge)))
            }
            return
        }
        var disposition = take(response.head)
        if case .proceed = disposition, !response.kept.data.isEmpty {
            disposition = response.kept.data.withUnsafeBytes { exchangeDidReceive(body: $0) }
        }
        if case .stop = disposition {
            exchangeDidComplete(error: URLError(.cancelled))
        } else {
            exchangeDidComplete(error: nil)
        }
    }

    private func redirect(to target: HTTPExchange, from response: InterimResponse) {
        let mayFollow = state.withLock { state in
            guard state.redirectCount < environment.settings.redirectPolicy.maximumCount else { return false }
            state.redirectCount += 1
            return true
        }
        guard mayFollow else {
            fail(AttemptFailure(error: NetworkError(URLError(.httpTooManyRedirects))))
            return
        }
        pause { step in
            observer.operation(operation, willRedirectTo: target) { [self] answer in
                guard state.withLock({ $0.endStep(step) }) else { return }
                switch answer {
                case .follow:
                    perform(target)
                case .refuse:
                    state.withLock { $0.redirectCount -= 1 }
                    adopt(response)
                case .replace(let request):
                    do throws(NetworkError) {
                        perform(try Redirect.target(request, inPlaceOf: target))
                    } catch {
                        fail(AttemptFailure(error: error))
                    }
                }
            }
            return nil
        }
    }

    // MARK: Credentials

    private func authenticate(_ demand: AuthenticationDemand, isProxy: Bool, _ response: InterimResponse) {
        let candidates = state.withLock {
            $0.authentication.candidates(for: demand, url: response.head.url, isProxy: isProxy)
        }
        pause { step in
            tryNext(of: candidates[...], demand, response, step)
            return nil
        }
    }

    private func tryNext(
        of candidates: ArraySlice<RunAuthentication.Candidate>, _ demand: AuthenticationDemand,
        _ response: InterimResponse, _ step: Int
    ) {
        guard let candidate = candidates.first else {
            if state.withLock({ $0.endStep(step) }) { adopt(response) }
            return
        }
        let use = state.withLock { $0.authentication.use(isProxy: candidate.space.isProxy) }
        // A question that nobody hears must not count as one that was answered with “none”.
        let mayAsk = candidate.own != nil || observer.answersChallenges
        let question = environment.authenticator.resolve(demand, in: candidate.space, after: use, mayAsk: mayAsk) {
            [self] hasCredential in
            if hasCredential {
                repeatExchange(authorizedIn: candidate.space, step)
            } else {
                if candidate.own != nil { state.withLock { $0.authentication.refuseOwn() } }
                tryNext(of: candidates.dropFirst(), demand, response, step)
            }
        }
        guard let question else { return }
        if let own = candidate.own {
            environment.authenticator.answer(question.previousFailureCount == 0 ? own : nil, in: candidate.space)
        } else {
            ask(question, demand, response, candidate.space)
        }
    }

    private func repeatExchange(authorizedIn space: ProtectionSpace, _ step: Int) {
        let exchange = state.withLock { state -> HTTPExchange? in
            guard state.endStep(step) else { return nil }
            state.authentication.take(space)
            return state.exchange
        }
        if let exchange { perform(exchange) }
    }

    private func ask(
        _ question: Authenticator.Question, _ demand: AuthenticationDemand, _ response: InterimResponse,
        _ space: ProtectionSpace
    ) {
        let rejectedOwn = state.withLock { $0.authentication.rejectedOwn }
        let challenge = AuthenticationChallenge(
            scheme: demand.scheme, realm: demand.realm, url: response.head.url, isProxy: space.isProxy,
            previousFailureCount: question.previousFailureCount + (rejectedOwn == nil ? 0 : 1),
            rejectedCredential: question.rejected ?? rejectedOwn, response: response.head)
        let authenticator = environment.authenticator
        let slip = AnswerSlip { authenticator.answer($0, in: space) }
        observer.operation(operation, didReceive: challenge) { slip.give($0) }
    }
}
