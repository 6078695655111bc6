extension NetworkQueue {
    /// Told what happens, on `delegateQueue`. Weak; may be changed at any time.
    ///
    /// A `@MainActor` delegate needs a `delegateQueue` that runs on the main actor, such as `.main`; with another one the first call
    /// of the delegate traps.
    public var delegate: (any NetworkQueueDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let reference = DelegateReference(newValue)
            if newValue != nil { hasHadAudience.store(true, ordering: .releasing) }
            state.withLock { $0.delegate = reference }
        }
    }

    /// Whether requests, sizing ones too, are kept from starting. Running ones go on; `false` starts the next at once.
    public var isSuspended: Bool {
        get { requestQueue.isSuspended }
        set { setSuspended(newValue) }
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

    /// A setting of ``QueueSettings``: `queue.mode = .lastInFirstOut`. Applies at once, to sizing requests, too.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<QueueSettings, Value> & Sendable
    ) -> Value {
        get { requestQueue[dynamicMember: setting] }
        set { requestQueue[dynamicMember: setting] = newValue }
    }

    /// A setting of ``BatchSettings``: `queue.cancelsAllOnFailure = false`.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<BatchSettings, Value> & Sendable
    ) -> Value {
        get { state.withLock { $0.settings[keyPath: setting] } }
        set {
            let isSizingChanged = state.withLock { state in
                state.settings[keyPath: setting] = newValue
                // Under the lock, so that the latest value is the one that counts.
                return requestQueue.setSizingLimit(state.settings.maxConcurrentSizingCount)
            }
            if isSizingChanged { requestQueue.startWaiting() }
        }
    }

    /// A setting of ``RequestDefaults``: `queue.retryPolicy = .standard`.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<RequestDefaults, Value> & Sendable
    ) -> Value {
        get { requestQueue[dynamicMember: setting] }
        set { requestQueue[dynamicMember: setting] = newValue }
    }
}
