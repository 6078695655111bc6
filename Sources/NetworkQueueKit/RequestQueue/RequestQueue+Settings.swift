import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestQueue {
    /// How many requests run at a time; 0 means no limit. Raising it starts more at once, lowering it lets the running ones end.
    public var maxConcurrentRequestCount: Int {
        get { state.withLock { $0.scheduler.maximumRunning } }
        set { mutate { $0.scheduler.maximumRunning = max(newValue, 0) } }
    }

    /// How many requests to one host run at a time; `nil` means no limit. Ports are not told apart.
    public var maxConcurrentRequestCountPerHost: Int? {
        get { state.withLock { $0.scheduler.maximumRunningPerHost } }
        set { mutate { $0.scheduler.maximumRunningPerHost = newValue } }
    }

    /// Which waiting request of one priority starts next.
    public var mode: QueueMode {
        get { state.withLock { $0.scheduler.mode } }
        set { mutate { $0.scheduler.mode = newValue } }
    }

    /// Whether equal requests may be in the queue at a time.
    ///
    /// When they may not, adding a request that equals one still in the queue, waiting or running, cancels the earlier one.
    public var allowsDuplicateRequests: Bool {
        get { state.withLock { !$0.duplicates.isActive } }
        set {
            mutate { state in
                guard state.duplicates.isActive == newValue else { return }
                let operations = newValue ? [] : state.scheduler.elementsInOrder
                state.duplicates = DuplicateIndex(isActive: !newValue, of: operations)
            }
        }
    }

    /// Whether requests are kept from starting. Running ones go on; setting it to `false` starts the next at once.
    public var isSuspended: Bool {
        get { state.withLock { $0.scheduler.isSuspended } }
        set { mutate { $0.scheduler.isSuspended = newValue } }
    }

    /// The serial queue that handlers run on.
    public var callbackQueue: DispatchQueue { handlers.queue }

    // Those below apply to requests that start from now on.

    /// Which responses count as a success, for requests that do not say.
    public var validation: ResponseValidation {
        get { runSettings.validation }
        set { changeRunSettings { $0.validation = newValue } }
    }

    /// How many bytes of content may move per second, in both directions and all running requests together; `nil` means no
    /// limit, 0 and less count as 1. A change takes effect within 100 ms, for running requests too.
    ///
    /// Over ten seconds ``CurlTransport`` keeps to the limit within 5 %. What the system buffers for a connection comes on top
    /// at its beginning, and header fields are not counted. ``URLSessionTransport`` cannot slow down a request that runs: there
    /// the next ones wait until the limit has caught up with what was moved.
    public var maximumBytesPerSecond: Int? {
        get { bandwidth.bytesPerSecond }
        set { bandwidth.bytesPerSecond = newValue }
    }

    /// Which failures are worth another attempt, for requests that do not say.
    public var retryPolicy: RetryPolicy {
        get { runSettings.retryPolicy }
        set { changeRunSettings { $0.retryPolicy = newValue } }
    }

    /// Decides about retries in place of the policy, for requests that have no decider of their own.
    public var retryDecider: (any RetryDecider)? {
        get { runSettings.retryDecider }
        set { changeRunSettings { $0.retryDecider = newValue } }
    }

    /// Which redirects are followed.
    public var redirectPolicy: RedirectPolicy {
        get { runSettings.redirectPolicy }
        set { changeRunSettings { $0.redirectPolicy = newValue } }
    }

    /// What changes each request before each attempt, in this order.
    public var adapters: [any RequestAdapter] {
        get { runSettings.adapters }
        set { changeRunSettings { $0.adapters = newValue } }
    }

    /// What works on the content of each response, in this order.
    public var processors: [any ResponseProcessor] {
        get { runSettings.processors }
        set { changeRunSettings { $0.processors = newValue } }
    }

    /// Where cookies are kept and taken from; `nil` means that there are none.
    public var cookieStorage: HTTPCookieStorage? {
        get { runSettings.cookieStorage }
        set { changeRunSettings { $0.cookieStorage = newValue } }
    }

    private var runSettings: RunSettings { state.withLock { $0.environment.settings } }

    private func changeRunSettings(_ body: (inout RunSettings) -> Void) {
        state.withLock { state in
            var settings = state.environment.settings
            body(&settings)
            state.environment = state.environment.with(settings)
        }
    }
}
