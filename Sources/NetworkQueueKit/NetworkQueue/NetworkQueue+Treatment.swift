import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How requests are treated. A change applies to requests that start from then on.
extension NetworkQueue {
    /// Which responses count as a success, for requests that do not say. Default `.successStatus`.
    public var validation: ResponseValidation {
        get { requestQueue.validation }
        set { requestQueue.validation = newValue }
    }

    /// Which failures are worth another attempt, for requests that do not say. Default `.never`.
    public var retryPolicy: RetryPolicy {
        get { requestQueue.retryPolicy }
        set { requestQueue.retryPolicy = newValue }
    }

    /// Decides about retries in place of the policy, for requests that have no decider of their own. Default `nil`.
    public var retryDecider: (any RetryDecider)? {
        get { requestQueue.retryDecider }
        set { requestQueue.retryDecider = newValue }
    }

    /// Which redirects are followed. Default `.standard`: up to 20, never from https to http.
    public var redirectPolicy: RedirectPolicy {
        get { requestQueue.redirectPolicy }
        set { requestQueue.redirectPolicy = newValue }
    }

    /// What changes each request before each attempt, in this order; sizing requests, too. Default none.
    public var adapters: [any RequestAdapter] {
        get { requestQueue.adapters }
        set { requestQueue.adapters = newValue }
    }

    /// What works on the content of each response, in this order. Default none.
    public var processors: [any ResponseProcessor] {
        get { requestQueue.processors }
        set { requestQueue.processors = newValue }
    }

    /// Where cookies are kept and taken from. Default `nil`: there are none.
    public var cookieStorage: HTTPCookieStorage? {
        get { requestQueue.cookieStorage }
        set { requestQueue.cookieStorage = newValue }
    }
}
