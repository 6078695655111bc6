import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which failures are worth another attempt, how often and when. A value.
///
/// An attempt that failed is repeated when all of these hold:
/// - there have been fewer than `maximumRetries` retries,
/// - the failure is one of the transport with a code in `errorCodes`, or a rejected status in `statusCodes`,
/// - the method is in `methods`, or the failure shows that nothing was sent.
///
/// Cancellations, bad requests, rejected responses and certificates that are not to be trusted are never repeated.
public struct RetryPolicy: Sendable, Hashable {
    /// How many attempts may follow the first. 0 means none.
    public var maximumRetries: Int
    /// How long to wait before each.
    public var backoff: Backoff
    /// The methods that may be sent twice, in upper case. Default: the idempotent ones (RFC 9110, section 9.2.2).
    public var methods: Set<String>
    /// The failures of the transport that may pass. Default: ``transientErrorCodes``.
    public var errorCodes: Set<URLError.Code>
    /// The rejected statuses that may pass. Default: ``transientStatusCodes``.
    public var statusCodes: Set<Int>

    /// Creates a policy.
    public init(
        maximumRetries: Int, backoff: Backoff = .exponential(), methods: Set<String> = Self.idempotentMethods,
        errorCodes: Set<URLError.Code> = Self.transientErrorCodes, statusCodes: Set<Int> = Self.transientStatusCodes
    ) {
        self.maximumRetries = maximumRetries
        self.backoff = backoff
        self.methods = methods
        self.errorCodes = errorCodes
        self.statusCodes = statusCodes
    }

    /// No retries.
    public static let never = RetryPolicy(maximumRetries: 0)

    /// Up to 10 retries of idempotent requests after failures that may pass, with exponential backoff and full jitter.
    public static let standard = RetryPolicy(maximumRetries: 10)

    /// The methods that have the same effect however often they are sent (RFC 9110, section 9.2.2).
    public static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    /// The failures that come from a poor or missing connection.
    public static let transientErrorCodes: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
        .networkConnectionLost,
    ]

    /// The statuses by which a server says that it may have an answer later.
    public static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The failures after which a request cannot have reached anybody.
    private static let unsentErrorCodes: Set<URLError.Code> = [
        .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
    ]

    /// How long to wait before retry number `retry`, counted from 1; `nil` when there is to be none.
    func delay(beforeRetry retry: Int, of method: String, after error: NetworkError) -> Duration? {
        guard retry <= maximumRetries, isTransient(error) else { return nil }
        guard methods.contains(method.uppercased()) || Self.isUnsent(error) else { return nil }
        return backoff.delay(forRetry: retry)
    }

    private func isTransient(_ error: NetworkError) -> Bool {
        switch error.code {
        case .cancelled, .tlsFailure, .badURL, .unsupportedScheme, .malformedRequest, .validation: false
        case .httpStatus(let status): statusCodes.contains(status)
        default: (error.underlying as? URLError).map { errorCodes.contains($0.code) } ?? false
        }
    }

    private static func isUnsent(_ error: NetworkError) -> Bool {
        (error.underlying as? URLError).map { unsentErrorCodes.contains($0.code) } ?? false
    }
}
