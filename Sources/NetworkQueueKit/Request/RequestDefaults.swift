import Foundation

/// What applies to requests that do not say themselves: settings that both queues and their configurations have.
///
/// They are written as if they were the queue's own, `queue.retryPolicy = .standard`. A change applies to requests that
/// start from then on.
public struct RequestDefaults: Sendable {
    /// See ``RequestQueueing/validation``.
    public var validation = ResponseValidation.successStatus
    /// See ``RequestQueueing/retryPolicy``.
    public var retryPolicy = RetryPolicy.never
    /// See ``RequestQueueing/retryDecider``.
    public var retryDecider: (any RetryDecider)?
    /// See ``RequestQueueing/redirectPolicy``.
    public var redirectPolicy = RedirectPolicy.standard
    /// See ``RequestQueueing/adapters``.
    public var adapters: [any RequestAdapter] = []
    /// See ``RequestQueueing/headers``.
    public var headers = HTTPHeaders()
    /// See ``RequestQueueing/acceptsCompressed``.
    public var acceptsCompressed = false
    /// See ``RequestQueueing/splitting``.
    public var splitting: NetworkRequest.Splitting?
    /// See ``RequestQueueing/authenticator``.
    public var authenticator: (any RequestAuthenticator)?
    /// See ``RequestQueueing/monitors``.
    public var monitors: [any QueueMonitor] = []
    /// See ``RequestQueueing/processors``.
    public var processors: [any ResponseProcessor] = []
    /// See ``RequestQueueing/cookieStorage``.
    public var cookieStorage: HTTPCookieStorage?

    /// Creates the defaults.
    public init() {}

    /// The request with what it does not say itself.
    func completed(_ request: NetworkRequest) -> NetworkRequest {
        let own = request.headers
        var request = request
        for field in headers where !own.contains(field.name) {
            request.headers.append(name: field.name, value: field.value)
        }
        if acceptsCompressed, !request.acceptsCompressed { request.acceptsCompressed = true }
        if let splitting, request.splitting == nil { request.splitting = splitting }
        return request
    }
}

/// Texts without what users' code keeps for itself: adapters have tokens, and a cookie storage has cookies.
extension RequestDefaults: CustomReflectable {
    /// What `dump` shows, and `print`: users' objects by their types alone.
    public var customMirror: Mirror {
        func typeName(of value: Any) -> String { String(describing: type(of: value)) }
        return Mirror(
            self,
            children: [
                "headers": headers, "acceptsCompressed": acceptsCompressed, "splitting": splitting as Any,
                "validation": validation,
                "retryPolicy": retryPolicy,
                "retryDecider": retryDecider.map(typeName) as Any, "redirectPolicy": redirectPolicy,
                "adapters": adapters.map(typeName), "authenticator": authenticator.map(typeName) as Any,
                "monitors": monitors.map(typeName), "processors": processors.map(typeName),
                "cookieStorage": cookieStorage.map(typeName) as Any,
            ], displayStyle: .struct)
    }
}

/// Which redirects are followed. A value.
///
/// Whatever the policy, methods and content follow RFC 9110, section 15.4, and `Authorization`, `Cookie` and
/// `Proxy-Authorization` are dropped when scheme, host or port changes. A redirect that is not followed is the
/// response.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects of one attempt are followed; one more fails with `.tooManyRedirects`. Default 20. 0 means
    /// that none is followed, and that is not a failure.
    public var maximumCount: Int
    /// Whether a redirect from https to http is followed. Default `false`.
    public var allowsInsecureTarget: Bool

    /// Creates a policy.
    public init(maximumCount: Int = 20, allowsInsecureTarget: Bool = false) {
        self.maximumCount = maximumCount
        self.allowsInsecureTarget = allowsInsecureTarget
    }

    /// Up to 20, never from https to http.
    public static let standard = RedirectPolicy()
    /// None: the redirect is the response.
    public static let never = RedirectPolicy(maximumCount: 0)
}
