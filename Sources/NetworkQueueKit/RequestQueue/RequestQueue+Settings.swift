import Dispatch

extension RequestQueue {
    /// Whether requests are kept from starting. Running ones go on; setting it to `false` starts the next at once.
    public var isSuspended: Bool {
        get { isCoreSuspended }
        set { setCoreSuspended(newValue) }
    }

    /// Suspends the queue and pauses every operation that runs, see ``RequestOperation/pause()``: no traffic is left.
    public func pauseAll() { pauseCore() }

    /// Resumes the queue and every operation that ``pauseAll()`` has paused; not those that were paused singly.
    public func resumeAll() { resumeCore() }

    /// The queue that handlers run on, one after the other.
    public var callbackQueue: DispatchQueue { handle.callbacks.target }

    // In each of the queues, as what `CoreQueue` does for both cannot be public.

    /// Which requests run, in which order and how fast, all at one moment.
    public var queueSettings: QueueSettings { coreSettings }
    /// What applies to requests that do not say themselves, all at one moment.
    public var requestDefaults: RequestDefaults { loop.access { $0.upkeep.environment }.defaults }

    /// Changes a setting, as the property of its name does.
    public func change<Value: Sendable>(_ setting: WritableKeyPath<QueueSettings, Value> & Sendable, to value: Value) {
        changeSettings { $0[keyPath: setting] = value }
    }

    /// Changes a default, as the property of its name does.
    public func change<Value: Sendable>(_ setting: WritableKeyPath<RequestDefaults, Value> & Sendable, to value: Value)
    {
        changeDefaults { $0[keyPath: setting] = value }
    }
}

extension CoreQueue {
    /// The settings, from where they take effect: kept in one place, each can have only one value.
    var coreSettings: QueueSettings { loop.access { QueueSettings(of: $0.core, bandwidth) } }

    func changeSettings(_ body: (inout QueueSettings) -> Void) {
        modify { state, _ in
            var settings = QueueSettings(of: state.core, bandwidth)
            body(&settings)
            state.core.apply(settings)
            if bandwidth.bytesPerSecond != settings.maxBytesPerSecond {
                bandwidth.bytesPerSecond = settings.maxBytesPerSecond
            }
        }
    }

    func changeDefaults(_ body: (inout RequestDefaults) -> Void) {
        modify { state, effects in
            let former = state.upkeep.environment
            var defaults = former.defaults
            body(&defaults)
            state.upkeep.environment = former.with(defaults)
            effects.append(.release(former))
        }
    }
}

extension QueueSettings {
    fileprivate init(of core: QueueCore<RequestOperation>, _ bandwidth: BandwidthLimit) {
        self.init(
            maxConcurrentRequestCount: core.scheduler.maximumRunning, allowsDuplicateRequests: !core.looksForDuplicates)
        maxConcurrentRequestCountPerHost = core.scheduler.maximumRunningPerHost
        mode = core.scheduler.mode
        maxBytesPerSecond = bandwidth.bytesPerSecond
    }
}

extension QueueCore {
    /// Takes over what is the core's of the settings of a queue.
    mutating func apply(_ settings: QueueSettings) {
        scheduler.maximumRunning = settings.maxConcurrentRequestCount
        scheduler.maximumRunningPerHost = settings.maxConcurrentRequestCountPerHost
        scheduler.mode = settings.mode
        looksForDuplicates = !settings.allowsDuplicateRequests
    }
}
