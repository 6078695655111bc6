import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How requests are treated that do not say themselves.
struct RunSettings: Sendable {
    var validation = ResponseValidation.successStatus
    var retryPolicy = RetryPolicy.never
    @Boxed var retryDecider: (any RetryDecider)?
    var redirectPolicy = RedirectPolicy.standard
    var adapters: [any RequestAdapter] = []
    var processors: [any ResponseProcessor] = []
    var cookieStorage: HTTPCookieStorage?

    /// Cheaper than a look at `retryDecider`, which is copied for it.
    var hasRetryDecider: Bool { !_retryDecider.isEmpty }
}
