extension NetworkQueue {
    /// Told what happens, on `delegateQueue`. Weak; may be changed at any time.
    public var delegate: (any NetworkQueueDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let reference = DelegateReference(value: newValue)
            state.withLock { $0.delegate = reference }
        }
    }

    /// How many requests run at a time; 0 means no limit. Default 4. Raising it starts more at once, lowering it lets the
    /// running ones end.
    public var maxConcurrentRequestCount: Int {
        get { requestQueue.maxConcurrentRequestCount }
        set { requestQueue.maxConcurrentRequestCount = newValue }
    }

    /// How many requests to one host run at a time; `nil`, the default, means no limit.
    public var maxConcurrentRequestCountPerHost: Int? {
        get { requestQueue.maxConcurrentRequestCountPerHost }
        set { requestQueue.maxConcurrentRequestCountPerHost = newValue }
    }

    /// Which waiting request starts next. Default `.firstInFirstOut`. Takes effect for all that wait.
    public var mode: QueueMode {
        get { requestQueue.mode }
        set { requestQueue.mode = newValue }
    }

    /// Whether equal requests may be in the queue at a time. Default `true`. When they may not, adding one cancels the earlier.
    public var allowsDuplicateRequests: Bool {
        get { requestQueue.allowsDuplicateRequests }
        set { requestQueue.allowsDuplicateRequests = newValue }
    }

    /// Whether requests, sizing ones too, are kept from starting. Running ones go on; `false` starts the next at once.
    public var isSuspended: Bool {
        get { requestQueue.isSuspended }
        set { requestQueue.isSuspended = newValue }
    }

    /// Whether the first failure that is not a cancellation cancels all others. Default `true`. Applies to failures from now on.
    public var cancelsAllOnFailure: Bool {
        get { state.withLock { $0.configuration.cancelsAllOnFailure } }
        set { state.withLock { $0.configuration.cancelsAllOnFailure = newValue } }
    }

    /// Whether `go()` asks for sizes first, and progress counts bytes rather than requests. Default `true`. A change takes
    /// effect with the next run.
    public var showsAccurateProgress: Bool {
        get { state.withLock { $0.configuration.showsAccurateProgress } }
        set { state.withLock { $0.configuration.showsAccurateProgress = newValue } }
    }

    /// How long sizing may take in all. Default 10 s. A change takes effect with the next `go()`.
    public var sizingTimeout: Duration {
        get { state.withLock { $0.configuration.sizingTimeout } }
        set { state.withLock { $0.configuration.sizingTimeout = newValue } }
    }

    /// The shortest time between two progress updates. Default 100 ms. A change takes effect after the next update.
    public var progressInterval: Duration {
        get { state.withLock { $0.configuration.progressInterval } }
        set { state.withLock { $0.configuration.progressInterval = newValue } }
    }

    /// How many bytes of content may move per second, in both directions and all running requests together; `nil`, the
    /// default, means no limit. See ``RequestQueue/maximumBytesPerSecond``.
    public var maximumBytesPerSecond: Int? {
        get { requestQueue.maximumBytesPerSecond }
        set { requestQueue.maximumBytesPerSecond = newValue }
    }

    /// Whatever you want to keep with the queue. The library only carries it.
    public var userInfo: [String: any Sendable] {
        get { state.withLock { $0.userInfo } }
        set { state.withLock { $0.userInfo = newValue } }
    }
}
