import Dispatch

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

    /// Which responses count as a success, for requests that do not say. Applies to requests that start from now on.
    public var validation: ResponseValidation {
        get { state.withLock { $0.environment.validation } }
        set { state.withLock { $0.environment.validation = newValue } }
    }

    /// Which failures are worth another attempt, for requests that do not say. Applies to requests that start from now on.
    public var retryPolicy: RetryPolicy {
        get { state.withLock { $0.environment.retryPolicy } }
        set { state.withLock { $0.environment.retryPolicy = newValue } }
    }
}
