import Foundation

/// The settings that decide which requests run, in which order and how fast. Both kinds of queue and their
/// configurations have them.
///
/// They are set as properties of the queue, as in `queue.mode = .lastInFirstOut`. All may be changed while the queue
/// runs, and apply at once to waiting requests. If 0 means no limit, negative values are treated as 0.
public struct QueueSettings: Sendable {
    /// See ``RequestQueueing/maxConcurrentRequestCount``.
    public var maxConcurrentRequestCount: Int {
        didSet { maxConcurrentRequestCount = max(maxConcurrentRequestCount, 0) }
    }

    /// See ``RequestQueueing/maxConcurrentRequestCountPerHost``.
    public var maxConcurrentRequestCountPerHost: Int? {
        didSet { maxConcurrentRequestCountPerHost = maxConcurrentRequestCountPerHost.map { max($0, 0) } }
    }

    /// See ``RequestQueueing/mode``.
    public var mode = QueueMode.firstInFirstOut

    /// See ``RequestQueueing/duplicatePolicy``.
    public var duplicatePolicy: DuplicatePolicy

    /// See ``RequestQueueing/allowsDuplicateRequests``.
    public var allowsDuplicateRequests: Bool {
        get { duplicatePolicy == .allow }
        set { duplicatePolicy = newValue ? .allow : .cancelEarlier }
    }

    /// See ``RequestQueueing/maxBytesPerSecond``.
    public var maxBytesPerSecond: Int? {
        didSet { maxBytesPerSecond = maxBytesPerSecond.map { max($0, 0) } }
    }

    /// See ``RequestQueueing/requestRate``.
    public var requestRate: RequestRate?

    /// See ``RequestQueueing/requestRatePerHost``.
    public var requestRatePerHost: RequestRate?

    /// Creates settings. These two differ between the kinds of queue.
    init(maxConcurrentRequestCount: Int, duplicatePolicy: DuplicatePolicy) {
        self.maxConcurrentRequestCount = maxConcurrentRequestCount
        self.duplicatePolicy = duplicatePolicy
    }
}

/// What a queue does if a request is added that equals one it still contains, waiting or running.
public enum DuplicatePolicy: Sendable, Hashable {
    /// Cancels the earlier request.
    case cancelEarlier
    /// Runs both.
    case allow
}

/// The settings of a new queue that both kinds of queue have.
public protocol QueueConfiguration: Sendable {
    /// The settings that decide which requests run, in which order and how fast.
    var queueSettings: QueueSettings { get set }
    /// The defaults for requests that do not set a value.
    var requestDefaults: RequestDefaults { get set }
}

extension QueueConfiguration {
    /// See ``RequestQueueing/maxConcurrentRequestCount``.
    public var maxConcurrentRequestCount: Int {
        get { queueSettings.maxConcurrentRequestCount }
        set { queueSettings.maxConcurrentRequestCount = newValue }
    }

    /// See ``RequestQueueing/maxConcurrentRequestCountPerHost``.
    public var maxConcurrentRequestCountPerHost: Int? {
        get { queueSettings.maxConcurrentRequestCountPerHost }
        set { queueSettings.maxConcurrentRequestCountPerHost = newValue }
    }

    /// See ``RequestQueueing/mode``.
    public var mode: QueueMode {
        get { queueSettings.mode }
        set { queueSettings.mode = newValue }
    }

    /// See ``RequestQueueing/duplicatePolicy``.
    public var duplicatePolicy: DuplicatePolicy {
        get { queueSettings.duplicatePolicy }
        set { queueSettings.duplicatePolicy = newValue }
    }

    /// See ``RequestQueueing/allowsDuplicateRequests``.
    public var allowsDuplicateRequests: Bool {
        get { queueSettings.allowsDuplicateRequests }
        set { queueSettings.allowsDuplicateRequests = newValue }
    }

    /// See ``RequestQueueing/maxBytesPerSecond``.
    public var maxBytesPerSecond: Int? {
        get { queueSettings.maxBytesPerSecond }
        set { queueSettings.maxBytesPerSecond = newValue }
    }

    /// See ``RequestQueueing/requestRate``.
    public var requestRate: RequestRate? {
        get { queueSettings.requestRate }
        set { queueSettings.requestRate = newValue }
    }

    /// See ``RequestQueueing/requestRatePerHost``.
    public var requestRatePerHost: RequestRate? {
        get { queueSettings.requestRatePerHost }
        set { queueSettings.requestRatePerHost = newValue }
    }

    /// See ``RequestQueueing/validation``.
    public var validation: ResponseValidation {
        get { requestDefaults.validation }
        set { requestDefaults.validation = newValue }
    }

    /// See ``RequestQueueing/retryPolicy``.
    public var retryPolicy: RetryPolicy {
        get { requestDefaults.retryPolicy }
        set { requestDefaults.retryPolicy = newValue }
    }

    /// See ``RequestQueueing/retryDecider``.
    public var retryDecider: (any RetryDecider)? {
        get { requestDefaults.retryDecider }
        set { requestDefaults.retryDecider = newValue }
    }

    /// See ``RequestQueueing/redirectPolicy``.
    public var redirectPolicy: RedirectPolicy {
        get { requestDefaults.redirectPolicy }
        set { requestDefaults.redirectPolicy = newValue }
    }

    /// See ``RequestQueueing/adapters``.
    public var adapters: [any RequestAdapter] {
        get { requestDefaults.adapters }
        set { requestDefaults.adapters = newValue }
    }

    /// See ``RequestQueueing/headers``.
    public var headers: HTTPHeaders {
        get { requestDefaults.headers }
        set { requestDefaults.headers = newValue }
    }

    /// See ``RequestQueueing/acceptsCompressed``.
    public var acceptsCompressed: Bool {
        get { requestDefaults.acceptsCompressed }
        set { requestDefaults.acceptsCompressed = newValue }
    }

    /// See ``RequestQueueing/splitting``.
    public var splitting: NetworkRequest.Splitting? {
        get { requestDefaults.splitting }
        set { requestDefaults.splitting = newValue }
    }

    /// See ``RequestQueueing/authenticator``.
    public var authenticator: (any RequestAuthenticator)? {
        get { requestDefaults.authenticator }
        set { requestDefaults.authenticator = newValue }
    }

    /// See ``RequestQueueing/monitors``.
    public var monitors: [any QueueMonitor] {
        get { requestDefaults.monitors }
        set { requestDefaults.monitors = newValue }
    }

    /// See ``RequestQueueing/processors``.
    public var processors: [any ResponseProcessor] {
        get { requestDefaults.processors }
        set { requestDefaults.processors = newValue }
    }

    /// See ``RequestQueueing/cookieStorage``.
    public var cookieStorage: HTTPCookieStorage? {
        get { requestDefaults.cookieStorage }
        set { requestDefaults.cookieStorage = newValue }
    }

    /// See ``RequestQueueing/minBytesPerSecond``.
    public var minBytesPerSecond: Int? {
        get { requestDefaults.minBytesPerSecond }
        set { requestDefaults.minBytesPerSecond = newValue }
    }

    /// See ``RequestQueueing/minSpeedInterval``.
    public var minSpeedInterval: Duration {
        get { requestDefaults.minSpeedInterval }
        set { requestDefaults.minSpeedInterval = newValue }
    }

    /// See ``RequestQueueing/durability``.
    public var durability: Durability {
        get { requestDefaults.durability }
        set { requestDefaults.durability = newValue }
    }

    /// See ``RequestQueueing/stateFolder``.
    public var stateFolder: URL {
        get { requestDefaults.stateFolder }
        set { requestDefaults.stateFolder = newValue }
    }
}
