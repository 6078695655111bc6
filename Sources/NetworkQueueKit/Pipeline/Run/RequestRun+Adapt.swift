import Foundation

/// The first stage: runs the user's adapters and authenticator.
extension RequestRun {
    /// Runs the adapters and the authenticator on the request. If one of them throws, the attempt fails.
    func adapt(_ request: NetworkRequest, then: @escaping @Sendable (NetworkRequest) -> Void) {
        let adapters = environment.defaults.adapters + request.adapters
        let authenticator = isAwayFromHome ? nil : environment.defaults.authenticator
        let request = request.withVisibleProbe
        let context = context(sent: nil)
        pause(
            for: { () -> Result<(plain: NetworkRequest, authorized: NetworkRequest?), NetworkError> in
                do throws(NetworkError) {
                    let plain = adapters.isEmpty ? request : try await request.adapted(by: adapters, in: context)
                    guard let authenticator else { return .success((plain, nil)) }
                    return .success((plain, try await plain.authorized(by: authenticator, in: context)))
                } catch {
                    return .failure(error)
                }
            },
            then: { [self] answer in
                switch answer {
                case .success((let plain, let authorized)):
                    if let authorized {
                        attempt.authorization = RequestAuthorization(of: plain, as: authorized)
                    }
                    then(authorized ?? plain)
                case .failure(let error):
                    fail(AttemptFailure(error: error))
                }
            })
    }
}

extension NetworkRequest {
    /// The request after all adapters, which run in order.
    fileprivate func adapted(
        by adapters: [any RequestAdapter], in context: AttemptContext
    ) async throws(NetworkError) -> NetworkRequest {
        var adapted = urlRequest
        for adapter in adapters {
            do {
                adapted = try await adapter.adapt(adapted, in: context)
            } catch {
                throw NetworkError(preparing: error, in: adapter)
            }
        }
        var request = self
        request.urlRequest = adapted
        return request
    }

    /// The request after the authenticator.
    func authorized(
        by authenticator: any RequestAuthenticator, in context: AttemptContext
    ) async throws(NetworkError) -> NetworkRequest {
        var request = self
        do {
            request.urlRequest = try await authenticator.authorize(request.urlRequest, in: context)
        } catch {
            throw NetworkError(preparing: error, in: authenticator)
        }
        return request
    }
}

extension NetworkError {
    /// The error for a failure that an adapter or authenticator has thrown.
    fileprivate init(preparing error: any Error, in hook: any Sendable) {
        let failure = (error as? URLError).map { NetworkError($0) }
        self = NetworkError(failure ?? error, thrownBy: hook, as: .adapting)
    }
}
