import Dispatch

extension RequestQueue {
    /// How many requests run at a time; 0 means no limit, and less counts as 0. Raising it starts more at once, lowering it lets the running ones end.
    public var maxConcurrentRequestCount: Int {
        get { state.withLock { $0.scheduler.maximumRunning } }
        set { mutate { $0.scheduler.maximumRunning = max(newValue, 0) } }
    }

    /// How many requests to one host run at a time; `nil` and 0 mean no limit, and less counts as 0. Ports are not told apart.
    ///
    /// A request that is redirected still counts for the host that was asked first.
    public var maxConcurrentRequestCountPerHost: Int? {
        get { state.withLock { $0.scheduler.maximumRunningPerHost } }
        set { mutate { $0.scheduler.maximumRunningPerHost = newValue.map { max($0, 0) } } }
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
            looksForDuplicates.store(!newValue, ordering: .relaxed)
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

    /// The queue that handlers run on, one after the other.
    public var callbackQueue: DispatchQueue { handlers.queue }

    /// How many bytes of content may move per second, in both directions and all running requests together; `nil` and 0 mean no
    /// limit, and less counts as 0. A change takes effect within 100 ms, for running requests too.
    ///
    /// Over ten seconds ``CurlTransport`` keeps to the limit within 5 %. What the system buffers for a connection comes on top
    /// at its beginning, and header fields are not counted. ``URLSessionTransport`` cannot slow down a request that runs: there
    /// the next ones wait until the limit has caught up with what was moved.
    public var maximumBytesPerSecond: Int? {
        get { bandwidth.bytesPerSecond }
        set { bandwidth.bytesPerSecond = newValue }
    }

    /// A setting of ``RequestDefaults``: `queue.retryPolicy = .standard`. Applies to requests that start from now on.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<RequestDefaults, Value> & Sendable
    ) -> Value {
        get { state.withLock { $0.environment }.defaults[keyPath: setting] }
        set {
            // Users' objects that go with it may come back here: not under the lock.
            let former = state.withLock { state in
                let former = state.environment
                var defaults = former.defaults
                defaults[keyPath: setting] = newValue
                state.environment = former.with(defaults)
                return former
            }
            withExtendedLifetime(former) {}
        }
    }
}
