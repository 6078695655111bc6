import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The first stage: what the user's code makes of the request.
extension RequestRun {
    /// Has the adapters change the request; when one of them throws, the attempt has failed.
    func adapt(_ request: NetworkRequest, then: @escaping @Sendable (NetworkRequest) -> Void) {
        let adapters = environment.defaults.adapters + request.adapters
        let request = request.withVisibleProbe
        let context = context(sent: nil)
        pause(
            for: { () -> Result<URLRequest, any Error> in
                var adapted = request.urlRequest
                do {
                    for adapter in adapters { adapted = try await adapter.adapt(adapted, in: context) }
                    return .success(adapted)
                } catch {
                    return .failure(error)
                }
            },
            then: { [self] answer in
                switch answer {
                case .success(let adapted):
                    var request = request
                    request.urlRequest = adapted
                    then(request)
                case .failure(let error as NetworkError):
                    fail(AttemptFailure(error: error))
                case .failure(let error as URLError):
                    fail(AttemptFailure(error: NetworkError(error)))
                case .failure(let error):
                    fail(AttemptFailure(error: NetworkError(.adapting, underlying: error)))
                }
            })
    }
}
