import Foundation

extension RetryPolicy {
    /// The shortest wait before another attempt at an origin that cannot be reached.
    static let minimumOutageDelay = Duration.milliseconds(500)

    /// The failures after which a request cannot have reached a server.
    private static let unsentErrorCodes: Set<URLError.Code> = [
        .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
    ]

    /// How long to wait before retry number `retry`, counted from 1; `nil` when there is to be none.
    ///
    /// - Parameters:
    ///   - retryAfter: what the server has asked for.
    func delay(
        beforeRetry retry: Int, of method: String, after error: NetworkError, retryAfter: Duration? = nil
    ) -> Duration? {
        guard retry <= maxRetries, mayRepeat(method, after: error) else { return nil }
        return obeyed(retryAfter) ?? backoff.delay(forRetry: retry)
    }

    /// How long to wait before another attempt at an origin that cannot be reached; `nil` when there is to be none.
    ///
    /// - Parameters:
    ///   - count: how many attempts in a row have not reached it.
    ///   - duration: for how long it has been out of reach.
    func delay(afterUnreached count: Int, inOutageOf duration: Duration) -> Duration? {
        guard let outageTolerance, duration < outageTolerance else { return nil }
        return backoff.delay(forRetry: count, from: Self.minimumOutageDelay, to: outageTolerance - duration)
    }

    /// Whether a request with this method is repeated after such a failure, as long as there are retries.
    func mayRepeat(_ method: String, after error: NetworkError) -> Bool {
        maxRetries > 0 && isTransient(error)
            && (methods.contains(method.uppercased()) || Self.isUnsent(error))
    }

    /// How long a server that asks for time gets; `nil` when it does not ask or is not listened to.
    func obeyed(_ retryAfter: Duration?) -> Duration? {
        guard honorsRetryAfter, let retryAfter else { return nil }
        return min(retryAfter, max(maxRetryAfter, .zero))
    }

    private func isTransient(_ error: NetworkError) -> Bool {
        switch error.code {
        case .cancelled, .tlsFailure, .badURL, .unsupportedScheme, .malformedRequest, .validation, .contentMismatch,
            .processing:
            false
        case .httpStatus(let status): statusCodes.contains(status)
        // What a file lacks has a `POSIXError` beneath.
        case .resourceShortage: errorCodes.contains(.resourceUnavailable)
        // Else it is what an authenticator has failed with, which is not asked a second time.
        case .authenticationRequired:
            (error.underlying as? URLError)?.code == .userAuthenticationRequired
                && errorCodes.contains(.userAuthenticationRequired)
        default: (error.underlying as? URLError).map { errorCodes.contains($0.code) } ?? false
        }
    }

    private static func isUnsent(_ error: NetworkError) -> Bool {
        (error.underlying as? URLError).map { unsentErrorCodes.contains($0.code) } ?? false
    }
}
