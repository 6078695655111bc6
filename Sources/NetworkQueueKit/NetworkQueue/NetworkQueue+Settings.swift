extension NetworkQueue {
    /// Told what happens, on `delegateQueue`. Weak; may be changed at any time.
    ///
    /// A `@MainActor` delegate needs a `delegateQueue` that runs on the main actor, such as `.main`; with another one the first call
    /// of the delegate traps.
    public var delegate: (any NetworkQueueDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let reference = DelegateReference(newValue)
            state.withLock { $0.delegate = reference }
        }
    }

    /// How many requests run at a time; 0 means no limit. Default 4. Raising it starts more at once, lowering it lets the
    /// running ones end.
    public var maxConcurrentRequestCount: Int {
        get { requestQueue.maxConcurrentRequestCount }
        set { requestQueue.maxConcurrentRequestCount = newValue }
    }

    /// How many requests for sizes run at a time; 0 means no limit. Default 16. Where ``maxConcurrentRequestCount`` is more, that many
    /// do. A limit for each host covers them and the transfers together. Takes effect at once.
    public var maxConcurrentSizingCount: Int {
        get { requestQueue.maxConcurrentSizingCount }
        set { requestQueue.maxConcurrentSizingCount = newValue }
    }

    /// How many requests to one host run at a time; `nil`, the default, and 0 mean no limit. Ports are not told apart.
    ///
    /// A request that is redirected still counts for the host that was asked first.
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
        set {
            requestQueue.isSuspended = newValue
            showSuspension()
        }
    }

    /// How many bytes of content may move per second, in both directions and all running requests together; `nil`, the
    /// default, and 0 mean no limit. See ``RequestQueue/maximumBytesPerSecond``.
    public var maximumBytesPerSecond: Int? {
        get { requestQueue.maximumBytesPerSecond }
        set { requestQueue.maximumBytesPerSecond = newValue }
    }

    /// Whatever you want to keep with the queue. The library only carries it.
    public var userInfo: [String: any Sendable] {
        get { state.withLock { $0.userInfo } }
        set {
            // What was there may come back here when it goes: not under the lock.
            let former = state.withLock { state in
                defer { state.userInfo = newValue }
                return state.userInfo
            }
            withExtendedLifetime(former) {}
        }
    }

    /// A setting of ``BatchSettings``: `queue.cancelsAllOnFailure = false`.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<BatchSettings, Value> & Sendable
    ) -> Value {
        get { state.withLock { $0.settings[keyPath: setting] } }
        set { state.withLock { $0.settings[keyPath: setting] = newValue } }
    }

    /// A setting of ``RequestDefaults``: `queue.retryPolicy = .standard`.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<RequestDefaults, Value> & Sendable
    ) -> Value {
        get { requestQueue[dynamicMember: setting] }
        set { requestQueue[dynamicMember: setting] = newValue }
    }
}
