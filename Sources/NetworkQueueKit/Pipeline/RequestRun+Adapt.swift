import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The first stage: what the user's code makes of the request.
extension RequestRun {
    func adapt(
        _ request: NetworkRequest, then: @escaping @Sendable (Result<NetworkRequest, NetworkError>) -> Void
    ) {
        let adapters = environment.settings.adapters + request.adapters
        guard !adapters.isEmpty else {
            then(.success(request))
            return
        }
        let operation = operation
        pause(
            for: {
                var adapted = request
                do {
                    for adapter in adapters {
                        adapted.urlRequest = try await adapter.adapt(adapted.urlRequest, for: operation)
                    }
                    return .success(adapted)
                } catch let error as NetworkError {
                    return .failure(error)
                } catch let error as URLError {
                    return .failure(NetworkError(error))
                } catch {
                    return .failure(NetworkError(.adapting, underlying: error))
                }
            }, then: then)
    }
}
