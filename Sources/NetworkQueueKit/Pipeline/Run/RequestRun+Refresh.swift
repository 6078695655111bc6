import Foundation

/// Asks the user's ``RequestAuthenticator`` for a new authorization after a 401 that no user name and password can
/// answer.
extension RequestRun {
    /// Whether to ask the authenticator about a 401: once per run, and only if its authorization was meant for the
    /// server that refused it.
    func mayRefresh(after head: ResponseHead) -> Bool {
        guard !hasRefreshed, let authorization = attempt.authorization else { return false }
        return head.statusCode == 401 && authorization.origin != nil && authorization.origin == Origin(head.url)
    }

    /// Renews the authorization and sends the request again; if that is impossible, the 401 is the result.
    func refresh(_ response: ProvisionalResponse) {
        guard mayRefresh(after: response.head), let authenticator = environment.defaults.authenticator,
            let authorization = attempt.authorization, let exchange = attempt.exchange
        else { return adopt(response) }
        hasRefreshed = true
        let plain = authorization.plainRequest(of: exchange, isRedirected: attempt.redirectCount > 0)
        let result = RequestResult(head: response.head, data: response.kept.data)
        let error = completed(
            hidden(AttemptFailure(result: result, error: NetworkError(.httpStatus(response.head.statusCode)))))
        let context = context(sent: hidden(exchange))
        pause(
            for: { () -> Result<NetworkRequest?, NetworkError> in
                do {
                    guard try await authenticator.refresh(after: error, in: context) else { return .success(nil) }
                } catch {
                    let failure = NetworkError(.authenticationRequired, underlying: error)
                    return .failure(failure.thrown(by: authenticator))
                }
                do throws(NetworkError) {
                    return .success(try await plain.authorized(by: authenticator, in: context))
                } catch {
                    return .failure(error)
                }
            },
            then: { [self] answer in
                switch answer {
                case .success(nil):
                    adopt(response)
                case .success(let authorized?):
                    attempt.authorization = RequestAuthorization(of: plain, as: authorized)
                    repeatExchange(exchange, as: authorized)
                case .failure(let error):
                    attempt.isRejected = true
                    fail(AttemptFailure(result: result, error: error))
                }
            })
    }

    /// Repeats an exchange with the URL and the header fields of a request.
    private func repeatExchange(_ exchange: HTTPExchange, as request: NetworkRequest) {
        do throws(NetworkError) {
            var next = try HTTPExchange(request)
            next.body = exchange.body
            next.idleTimeout = exchange.idleTimeout
            next.totalTimeout = exchange.totalTimeout
            next.pacer = exchange.pacer
            perform(next)
        } catch {
            fail(AttemptFailure(error: error))
        }
    }

    /// The target of a redirect, without an authorization for another origin.
    func withoutForeignAuthorization(_ target: HTTPExchange) -> HTTPExchange {
        guard let authorization = attempt.authorization, Origin(target.url) != authorization.origin else {
            return target
        }
        var target = target
        authorization.undo(in: &target.headers)
        return target
    }
}
