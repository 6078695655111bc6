import Foundation

/// The settings of a queue. All may be changed while it runs.
extension RequestQueueing {
    // MARK: Which requests run, in which order and how fast. A change applies at once.

    /// How many requests run at a time; 0 means no limit. Default 2 in a ``RequestQueue``, 4 in a ``NetworkQueue``.
    /// Raising it starts more at once, lowering it lets the running ones end.
    public var maxConcurrentRequestCount: Int {
        get { queueSettings.maxConcurrentRequestCount }
        set { change(\QueueSettings.maxConcurrentRequestCount, to: newValue) }
    }

    /// How many requests to one host run at a time, sizing requests of a ``NetworkQueue`` among them; `nil`, the
    /// default, and 0 mean no limit. Ports are not told apart, and a request that is redirected still counts for the
    /// host that was asked first.
    public var maxConcurrentRequestCountPerHost: Int? {
        get { queueSettings.maxConcurrentRequestCountPerHost }
        set { change(\QueueSettings.maxConcurrentRequestCountPerHost, to: newValue) }
    }

    /// Which waiting request of one priority starts next. Default `.firstInFirstOut`.
    public var mode: QueueMode {
        get { queueSettings.mode }
        set { change(\QueueSettings.mode, to: newValue) }
    }

    /// Whether equal requests may be in the queue at a time. Default `false` in a ``RequestQueue``, `true` in a
    /// ``NetworkQueue``.
    ///
    /// When they may not, adding a request that equals one still in the queue, waiting or running, cancels the earlier
    /// one.
    public var allowsDuplicateRequests: Bool {
        get { queueSettings.allowsDuplicateRequests }
        set { change(\QueueSettings.allowsDuplicateRequests, to: newValue) }
    }

    /// How many bytes of content may move per second, in both directions and all running requests together; `nil`, the
    /// default, and 0 mean no limit. A change takes effect within 100 ms, for running requests too.
    ///
    /// Over ten seconds ``CurlTransport`` keeps to the limit within 5 %. What the system buffers for a connection comes
    /// on top at its beginning, and header fields are not counted. ``URLSessionTransport`` cannot slow down a request
    /// that runs: there the next ones wait until the limit has caught up with what was moved.
    public var maxBytesPerSecond: Int? {
        get { queueSettings.maxBytesPerSecond }
        set { change(\QueueSettings.maxBytesPerSecond, to: newValue) }
    }

    // MARK: What applies to requests that do not say themselves. A change applies to those that start from then on.

    /// Which responses count as a success. Default `.successStatus`: 2xx and 304.
    public var validation: ResponseValidation {
        get { requestDefaults.validation }
        set { change(\RequestDefaults.validation, to: newValue) }
    }

    /// Which failures are worth another attempt. Default `.never`.
    public var retryPolicy: RetryPolicy {
        get { requestDefaults.retryPolicy }
        set { change(\RequestDefaults.retryPolicy, to: newValue) }
    }

    /// Decides about retries in place of the policy. Default `nil`.
    public var retryDecider: (any RetryDecider)? {
        get { requestDefaults.retryDecider }
        set { change(\RequestDefaults.retryDecider, to: newValue) }
    }

    /// Which redirects are followed. Default `.standard`: up to 20, never from https to http.
    public var redirectPolicy: RedirectPolicy {
        get { requestDefaults.redirectPolicy }
        set { change(\RequestDefaults.redirectPolicy, to: newValue) }
    }

    /// What changes each request before each attempt, in this order and before the request's own; in a ``NetworkQueue``
    /// sizing requests, too. Default none.
    public var adapters: [any RequestAdapter] {
        get { requestDefaults.adapters }
        set { change(\RequestDefaults.adapters, to: newValue) }
    }

    /// Header fields that each request gets, unless it has a field of that name; in a ``NetworkQueue`` sizing requests,
    /// too. Default none.
    public var headers: HTTPHeaders {
        get { requestDefaults.headers }
        set { change(\RequestDefaults.headers, to: newValue) }
    }

    /// Whether servers may compress the content of every response, as with ``NetworkRequest/acceptsCompressed``.
    /// Default `false`.
    public var acceptsCompressed: Bool {
        get { requestDefaults.acceptsCompressed }
        set { change(\RequestDefaults.acceptsCompressed, to: newValue) }
    }

    /// Whether and how downloads into files are fetched by several exchanges at a time, each in a slot of the queue that
    /// nothing waits for. Default `nil`: each by one. See ``NetworkRequest/Splitting``.
    public var splitting: NetworkRequest.Splitting? {
        get { requestDefaults.splitting }
        set { change(\RequestDefaults.splitting, to: newValue) }
    }

    /// What authorizes each request after the adapters, sizing requests of a ``NetworkQueue``, too, and gets another
    /// authorization when a server refuses it with 401. Default `nil`.
    public var authenticator: (any RequestAuthenticator)? {
        get { requestDefaults.authenticator }
        set { change(\RequestDefaults.authenticator, to: newValue) }
    }

    /// What is told of everything that happens to requests, sizing requests of a ``NetworkQueue``, too; in this order.
    /// Default none.
    public var monitors: [any QueueMonitor] {
        get { requestDefaults.monitors }
        set { change(\RequestDefaults.monitors, to: newValue) }
    }

    /// What works on each response, in this order and before the request's own. Default none.
    public var processors: [any ResponseProcessor] {
        get { requestDefaults.processors }
        set { change(\RequestDefaults.processors, to: newValue) }
    }

    /// Where cookies (RFC 6265) are kept and taken from. Default `nil`: there are none. <doc:HostileServers> has their
    /// limits.
    public var cookieStorage: HTTPCookieStorage? {
        get { requestDefaults.cookieStorage }
        set { change(\RequestDefaults.cookieStorage, to: newValue) }
    }
}
