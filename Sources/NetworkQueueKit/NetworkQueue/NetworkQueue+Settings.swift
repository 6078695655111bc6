extension NetworkQueue {
    /// Told what happens, on `delegateQueue`. Weak; may be changed at any time.
    ///
    /// A `@MainActor` delegate needs a `delegateQueue` that runs on the main actor, such as `.main`; with another one the first call
    /// of the delegate traps.
    public var delegate: (any NetworkQueueDelegate)? {
        get { loop.access { $0.receivers }.delegate }
        set {
            // A reference that is let go of may be the last: not under the lock.
            var receivers = EventReceivers()
            receivers.delegate = newValue
            loop.access { $0.receivers.setDelegate(of: receivers) }
        }
    }

    /// Whether requests, sizing ones too, are kept from starting. Running ones go on; `false` starts the next at once.
    public var isSuspended: Bool {
        get { isCoreSuspended }
        set { setCoreSuspended(newValue) }
    }

    /// Whatever you want to keep with the queue. The library only carries it.
    public var userInfo: [String: any Sendable] {
        get { loop.access { $0.userInfo } }
        set {
            // What was there may come back here when it goes: not under the lock.
            var info = newValue
            loop.access { swap(&$0.userInfo, &info) }
        }
    }

    /// A setting of ``QueueSettings``: `queue.mode = .lastInFirstOut`. Applies at once, to sizing requests, too.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<QueueSettings, Value> & Sendable
    ) -> Value {
        get { coreSettings(bandwidth)[keyPath: setting] }
        set { changeCoreSettings(bandwidth) { $0[keyPath: setting] = newValue } }
    }

    /// A setting of ``BatchSettings``: `queue.cancelsAllOnFailure = false`.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<BatchSettings, Value> & Sendable
    ) -> Value {
        get { loop.access { $0.settings[keyPath: setting] } }
        set {
            modify { batch, _ in
                batch.settings[keyPath: setting] = newValue
                batch.applySettings()
            }
        }
    }

    /// A setting of ``RequestDefaults``: `queue.retryPolicy = .standard`.
    public subscript<Value: Sendable>(
        dynamicMember setting: WritableKeyPath<RequestDefaults, Value> & Sendable
    ) -> Value {
        get { loop.access { $0.upkeep.environment }.defaults[keyPath: setting] }
        set { changeDefaults { $0[keyPath: setting] = newValue } }
    }
}
