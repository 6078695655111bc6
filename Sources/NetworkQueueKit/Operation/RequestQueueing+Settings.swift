import Foundation

/// The settings of a queue. All of them may be changed while it runs.
extension RequestQueueing {
    // MARK: Which requests run, in which order and how fast. A change applies at once.

    /// The maximum number of concurrent requests; 0 means no limit but that of the process's file descriptors. Default
    /// 2 in a ``RequestQueue``, 4 in a ``NetworkQueue``. Raising it starts more requests at once; lowering it lets
    /// running requests end.
    public var maxConcurrentRequestCount: Int {
        get { queueSettings.maxConcurrentRequestCount }
        set { change(\QueueSettings.maxConcurrentRequestCount, to: newValue) }
    }

    /// The maximum number of concurrent requests to one host, including size requests of a ``NetworkQueue``; `nil`, the
    /// default, and 0 mean no limit. Ports are not distinguished, and a redirected request still counts for its
    /// original host.
    public var maxConcurrentRequestCountPerHost: Int? {
        get { queueSettings.maxConcurrentRequestCountPerHost }
        set { change(\QueueSettings.maxConcurrentRequestCountPerHost, to: newValue) }
    }

    /// The order in which waiting requests of one priority start. Default `.firstInFirstOut`. A change applies to all
    /// waiting requests; to an order by size it is O(n log n).
    public var mode: QueueMode {
        get { queueSettings.mode }
        set { change(\QueueSettings.mode, to: newValue) }
    }

    /// What happens if a request is added that equals one still in the queue, waiting or running. Default
    /// `.cancelEarlier` in a ``RequestQueue``, `.allow` in a ``NetworkQueue``.
    public var duplicatePolicy: DuplicatePolicy {
        get { queueSettings.duplicatePolicy }
        set { change(\QueueSettings.duplicatePolicy, to: newValue) }
    }

    /// Whether the queue may contain equal requests: whether ``duplicatePolicy`` is `.allow`.
    public var allowsDuplicateRequests: Bool {
        get { queueSettings.allowsDuplicateRequests }
        set { change(\QueueSettings.allowsDuplicateRequests, to: newValue) }
    }

    /// The maximum number of bytes of content per second, in both directions and for all running requests together;
    /// `nil`, the default, and 0 mean no limit. A change takes effect within 100 ms, also for running requests, unless
    /// it replaces a shared ``BandwidthLimit``, which running requests keep.
    ///
    /// Over ten seconds, ``CurlTransport`` keeps to the limit within 5 %. Bytes that the system buffers for a new
    /// connection are added to that, and header fields are not counted. ``URLSessionTransport`` cannot slow down a
    /// running request: there, later requests wait until the limit has caught up with the bytes transferred.
    public var maxBytesPerSecond: Int? {
        get { queueSettings.maxBytesPerSecond }
        set { change(\QueueSettings.maxBytesPerSecond, to: newValue) }
    }

    /// The maximum number of exchanges that start in any span of a time, such as `RequestRate(60, per: .seconds(60))`;
    /// `nil`, the default, and a rate of 0 mean no limit. The first exchanges start at once.
    ///
    /// Each exchange counts: size requests, retries, redirects and the parts of split downloads, too. A request that
    /// waits for the rate has no slot, except between two of its exchanges. A change also applies to running requests;
    /// exchanges that started while there was no limit do not count.
    public var requestRate: RequestRate? {
        get { queueSettings.requestRate }
        set { change(\QueueSettings.requestRate, to: newValue) }
    }

    /// The maximum number of exchanges with one host that start in any span of a time; `nil`, the default, and a rate of
    /// 0 mean no limit. It applies besides ``requestRate``, and the same exchanges count, each for the host to which it
    /// is sent. Ports are not distinguished.
    public var requestRatePerHost: RequestRate? {
        get { queueSettings.requestRatePerHost }
        set { change(\QueueSettings.requestRatePerHost, to: newValue) }
    }

    // MARK: Defaults for requests that do not set a value. A change applies to requests that start later.

    /// The responses that count as success. Default ``ResponseValidation/successStatus``: 2xx and 304, except those that
    /// are not the content of a file to download, or that report failures of an upload.
    public var validation: ResponseValidation {
        get { requestDefaults.validation }
        set { change(\RequestDefaults.validation, to: newValue) }
    }

    /// The failures that are retried. Default `.never`.
    public var retryPolicy: RetryPolicy {
        get { requestDefaults.retryPolicy }
        set { change(\RequestDefaults.retryPolicy, to: newValue) }
    }

    /// Decides about retries instead of the policy. Default `nil`.
    public var retryDecider: (any RetryDecider)? {
        get { requestDefaults.retryDecider }
        set { change(\RequestDefaults.retryDecider, to: newValue) }
    }

    /// The redirects that are followed. Default `.standard`: up to 20, never from https to http.
    public var redirectPolicy: RedirectPolicy {
        get { requestDefaults.redirectPolicy }
        set { change(\RequestDefaults.redirectPolicy, to: newValue) }
    }

    /// Adapters that change each request before each attempt, in order and before the request's own adapters. In a
    /// ``NetworkQueue`` they also change size requests. Default: none.
    public var adapters: [any RequestAdapter] {
        get { requestDefaults.adapters }
        set { change(\RequestDefaults.adapters, to: newValue) }
    }

    /// Header fields added to each request that has no field of that name, including size requests of a
    /// ``NetworkQueue``. Default: none.
    public var headers: HTTPHeaders {
        get { requestDefaults.headers }
        set { change(\RequestDefaults.headers, to: newValue) }
    }

    /// Whether servers may compress the content of every response; see ``NetworkRequest/acceptsCompressed``. Default
    /// `false`.
    public var acceptsCompressed: Bool {
        get { requestDefaults.acceptsCompressed }
        set { change(\RequestDefaults.acceptsCompressed, to: newValue) }
    }

    /// The settings for fetching downloads into files with several concurrent exchanges, each in a slot of the queue
    /// for which nothing waits. Default `nil`: one exchange each. See ``NetworkRequest/Splitting``.
    public var splitting: NetworkRequest.Splitting? {
        get { requestDefaults.splitting }
        set { change(\RequestDefaults.splitting, to: newValue) }
    }

    /// Authorizes each request after the adapters, including size requests of a ``NetworkQueue``, and gets a new
    /// authorization when a server refuses one with 401. Default `nil`.
    public var authenticator: (any RequestAuthenticator)? {
        get { requestDefaults.authenticator }
        set { change(\RequestDefaults.authenticator, to: newValue) }
    }

    /// Monitors that are notified of everything that happens to requests, in order, including size requests of a
    /// ``NetworkQueue``. Default: none.
    public var monitors: [any QueueMonitor] {
        get { requestDefaults.monitors }
        set { change(\RequestDefaults.monitors, to: newValue) }
    }

    /// Processors of each response, in order and before the request's own processors. Default: none.
    public var processors: [any ResponseProcessor] {
        get { requestDefaults.processors }
        set { change(\RequestDefaults.processors, to: newValue) }
    }

    /// The minimum speed of content, in bytes per second, of each request that sets none; `nil`, the default, and 0 mean
    /// none. An attempt that is slower over ``minSpeedInterval`` fails with `.timedOut`; see
    /// ``NetworkRequest/minBytesPerSecond``.
    public var minBytesPerSecond: Int? {
        get { requestDefaults.minBytesPerSecond }
        set { change(\RequestDefaults.minBytesPerSecond, to: newValue) }
    }

    /// The time over which an attempt must be slower than its minimum speed to fail. Default 30 s. With zero or less,
    /// there is no minimum speed.
    public var minSpeedInterval: Duration {
        get { requestDefaults.minSpeedInterval }
        set { change(\RequestDefaults.minSpeedInterval, to: newValue) }
    }

    /// The storage for cookies (RFC 6265). Default `nil`: no cookies. <doc:Security> lists their limits.
    public var cookieStorage: HTTPCookieStorage? {
        get { requestDefaults.cookieStorage }
        set { change(\RequestDefaults.cookieStorage, to: newValue) }
    }

    /// When downloaded files are flushed to the disk. Default `.atEnd`: small ones together, before the end of the run is
    /// reported.
    public var durability: Durability {
        get { requestDefaults.durability }
        set { change(\RequestDefaults.durability, to: newValue) }
    }

    /// The folder in which the URLs of unfinished tus uploads are kept; see
    /// ``NetworkRequest/upload(_:to:protocol:headers:tag:)``. Default `$XDG_STATE_HOME/networkqueuekit/tus`, in
    /// `~/.local/state` if that is not set.
    ///
    /// It is created when the first upload begins, for this user alone (0700, files 0600). A tus upload fails with
    /// `.fileSystem` if the folder cannot be created, is a link, or belongs to another user. A file goes when its
    /// upload ends, or with the first upload of a queue once no run has used it for 30 days; other files in the folder
    /// stay. All may be deleted at any time, and then the uploads start over.
    public var stateFolder: URL {
        get { requestDefaults.stateFolder }
        set { change(\RequestDefaults.stateFolder, to: newValue) }
    }
}
