import Foundation

extension RetryPolicy {
    /// The shortest wait before another attempt at an unreachable origin.
    static let minimumOutageDelay = Duration.milliseconds(500)

    /// The errors after which a request cannot have reached a server.
    private static let unsentErrorCodes: Set<URLError.Code> = [
        .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
    ]

    /// Returns the delay before retry number `retry`, counted from 1; `nil` means no retry.
    ///
    /// - Parameters:
    ///   - retryAfter: the delay that the server asked for.
    ///   - hold: how long the host is held because its server asked for a pause without a time.
    func delay(
        beforeRetry retry: Int, of method: String, after error: NetworkError, retryAfter: Duration? = nil,
        hold: Duration = .zero
    ) -> Duration? {
        guard retry <= maxRetries, mayRepeat(method, after: error, retryAfter: retryAfter) else { return nil }
        return obeyed(retryAfter) ?? max(backoff.delay(forRetry: retry), hold)
    }

    /// Returns the delay before another attempt at an unreachable origin; `nil` means no further attempt.
    ///
    /// - Parameters:
    ///   - count: the number of consecutive attempts that have not reached the origin.
    ///   - duration: how long the origin has been unreachable.
    func delay(afterUnreached count: Int, inOutageOf duration: Duration) -> Duration? {
        guard let outageTolerance, duration < outageTolerance else { return nil }
        return backoff.delay(forRetry: count, from: Self.minimumOutageDelay, to: outageTolerance - duration)
    }

    /// Whether a request with this method may be retried after such an error, if retries are left. A 202 is temporary
    /// only if the server says when to ask again.
    func mayRepeat(_ method: String, after error: NetworkError, retryAfter: Duration? = nil) -> Bool {
        maxRetries > 0 && (isTransient(error) || error.code == .httpStatus(202) && retryAfter != nil)
            && (methods.contains(method.uppercased()) || Self.isUnsent(error))
    }

    /// Returns the delay to honor for a `Retry-After` or a quota; `nil` if there is none or the policy ignores it.
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
        // A shortage that concerns a file has a `POSIXError` as `underlying` instead.
        case .resourceShortage: errorCodes.contains(.resourceUnavailable)
        // Without that `URLError` the error is from an authenticator, which is not asked a second time.
        case .authenticationRequired:
            (error.underlying as? URLError)?.code == .userAuthenticationRequired
                && errorCodes.contains(.userAuthenticationRequired)
        default: (error.underlying as? URLError).map { errorCodes.contains($0.code) } ?? false
        }
    }

    private static func isUnsent(_ error: NetworkError) -> Bool {
        error.isHandshakeCut || (error.underlying as? URLError).map { unsentErrorCodes.contains($0.code) } ?? false
    }
}
