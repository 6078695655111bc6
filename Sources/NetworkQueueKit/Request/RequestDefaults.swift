import Foundation

/// What applies to requests that do not say themselves: settings that both queues and their configurations have.
///
/// They are written as if they were the queue's own, `queue.retryPolicy = .standard`. A change applies to requests that start from
/// then on.
public struct RequestDefaults: Sendable {
    /// Which responses count as a success. Default `.successStatus`: 2xx and 304.
    public var validation = ResponseValidation.successStatus
    /// Which failures are worth another attempt. Default `.never`.
    public var retryPolicy = RetryPolicy.never
    /// Decides about retries in place of the policy. Default `nil`.
    public var retryDecider: (any RetryDecider)? {
        get { boxedDecider }
        set { boxedDecider = newValue }
    }
    @Boxed private var boxedDecider: (any RetryDecider)?
    /// Which redirects are followed. Default `.standard`: up to 20, never from https to http.
    public var redirectPolicy = RedirectPolicy.standard
    /// What changes each request before each attempt, in this order and before the request's own; in a ``NetworkQueue`` sizing
    /// requests, too. Default none.
    public var adapters: [any RequestAdapter] = []
    /// Header fields that each request gets, unless it has a field of that name; in a ``NetworkQueue`` sizing requests, too. Default
    /// none.
    public var headers = HTTPHeaders()
    /// Whether servers may compress the content of every response, as with ``NetworkRequest/acceptsCompressed``. Default `false`.
    public var acceptsCompressed = false
    /// What authorizes each request after the adapters, sizing requests of a ``NetworkQueue``, too, and gets another authorization
    /// when a server refuses it with 401. Default `nil`.
    public var authenticator: (any RequestAuthenticator)? {
        get { boxedAuthenticator }
        set { boxedAuthenticator = newValue }
    }
    @Boxed private var boxedAuthenticator: (any RequestAuthenticator)?
    /// What is told of everything that happens to requests, sizing requests of a ``NetworkQueue``, too; in this order. Default none.
    public var monitors: [any QueueMonitor] = []
    /// What works on each response, in this order and before the request's own. Default none.
    public var processors: [any ResponseProcessor] = []
    /// Where cookies (RFC 6265) are kept and taken from. Default `nil`: there are none. <doc:HostileServers> has their limits.
    public var cookieStorage: HTTPCookieStorage?

    /// Creates the defaults.
    public init() {}

    /// Whether there is anything that ``completed(_:)`` adds.
    var completesRequests: Bool { acceptsCompressed || !headers.isEmpty }

    /// The request with what it does not say itself.
    func completed(_ request: consuming NetworkRequest) -> NetworkRequest {
        let own = request.headers
        for field in headers where !own.contains(field.name) {
            request.headers.append(name: field.name, value: field.value)
        }
        if acceptsCompressed, !request.acceptsCompressed { request.acceptsCompressed = true }
        return request
    }

    /// Cheaper than a look at `authenticator`, which is copied for it.
    var hasAuthenticator: Bool { !_boxedAuthenticator.isEmpty }
}

/// Texts without what users' code keeps for itself: adapters have tokens, and a cookie storage has cookies.
extension RequestDefaults: CustomReflectable {
    /// What `dump` shows, and `print`: users' objects by their types alone.
    public var customMirror: Mirror {
        func typeName(of value: Any) -> String { String(describing: type(of: value)) }
        return Mirror(
            self,
            children: [
                "headers": headers, "acceptsCompressed": acceptsCompressed, "validation": validation,
                "retryPolicy": retryPolicy,
                "retryDecider": retryDecider.map(typeName) as Any, "redirectPolicy": redirectPolicy,
                "adapters": adapters.map(typeName), "authenticator": authenticator.map(typeName) as Any,
                "monitors": monitors.map(typeName), "processors": processors.map(typeName),
                "cookieStorage": cookieStorage.map(typeName) as Any,
            ], displayStyle: .struct)
    }
}
