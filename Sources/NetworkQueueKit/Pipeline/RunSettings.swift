import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How requests are treated that do not say themselves.
struct RunSettings: Sendable {
    var validation = ResponseValidation.successStatus
    var retryPolicy = RetryPolicy.never
    var retryDecider: (any RetryDecider)?
    var redirectPolicy = RedirectPolicy.standard
    var adapters: [any RequestAdapter] = []
    var processors: [any ResponseProcessor] = []
    var cookieStorage: HTTPCookieStorage?
}
