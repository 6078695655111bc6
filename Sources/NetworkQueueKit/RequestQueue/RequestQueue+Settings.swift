import Dispatch

extension RequestQueue {
    /// Whether requests are kept from starting. Running ones go on; setting it to `false` starts the next at once.
    public var isSuspended: Bool {
        get { state.withLock { $0.scheduler.isSuspended } }
        set { setSuspended { newValue } }
    }

    /// Sets `isSuspended` to what `value` returns under the lock.
    func setSuspended(_ value: () -> Bool) {
        mutate { $0.scheduler.isSuspended = value() }
    }

    /// The queue that handlers run on, one after the other.
    public var callbackQueue: DispatchQueue { handlers.queue }

    /// A setting of ``QueueSettings``: `queue.mode = .lastInFirstOut`. Applies at once.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<QueueSettings, Value> & Sendable
    ) -> Value {
        get { state.withLock { settings(in: $0) }[keyPath: setting] }
        set {
            mutate { state in
                var settings = settings(in: state)
                settings[keyPath: setting] = newValue
                apply(settings, to: &state)
            }
        }
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

    /// The settings, from where they take effect: kept in one place, each can have only one value.
    private func settings(in state: State) -> QueueSettings {
        var settings = QueueSettings(
            maxConcurrentRequestCount: state.scheduler.maximumRunning,
            allowsDuplicateRequests: !state.duplicates.isActive)
        settings.maxConcurrentRequestCountPerHost = state.scheduler.maximumRunningPerHost
        settings.mode = state.scheduler.mode
        settings.maximumBytesPerSecond = bandwidth.bytesPerSecond
        return settings
    }

    private func apply(_ settings: QueueSettings, to state: inout State) {
        state.scheduler.apply(settings)
        if bandwidth.bytesPerSecond != settings.maximumBytesPerSecond {
            bandwidth.bytesPerSecond = settings.maximumBytesPerSecond
        }
        let looksForDuplicates = !settings.allowsDuplicateRequests
        guard state.duplicates.isActive != looksForDuplicates else { return }
        self.looksForDuplicates.store(looksForDuplicates, ordering: .relaxed)
        let operations = looksForDuplicates ? state.scheduler.elementsInOrder : []
        state.duplicates = DuplicateIndex(isActive: looksForDuplicates, of: operations)
    }
}

extension RequestScheduler {
    /// Takes over what is the scheduler's of the settings of a queue.
    mutating func apply(_ settings: QueueSettings) {
        maximumRunning = settings.maxConcurrentRequestCount
        maximumRunningPerHost = settings.maxConcurrentRequestCountPerHost
        mode = settings.mode
    }
}
