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

    /// What limits the speed of the content of all running requests together; `nil`, the default, means no limit.
    ///
    /// Several queues may have the same. ``RequestQueueing/maxBytesPerSecond`` makes one for this queue alone, and tells
    /// the speed of this one. A change applies to requests that start from then on; the limit itself can be changed for
    /// running ones as well.
    public var bandwidthLimit: BandwidthLimit? {
        get { coreBandwidthLimit }
        set { setBandwidthLimit(newValue) }
    }

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
    var coreSettings: QueueSettings { loop.access { QueueSettings(of: $0.core, limit(in: $0)) } }

    /// What limits the speed: the queue's own, or one that it shares with others.
    private func limit(in state: State) -> BandwidthLimit {
        state.upkeep.environment.pacer as? BandwidthLimit ?? bandwidth
    }

    var coreBandwidthLimit: BandwidthLimit? {
        let limit = loop.access { self.limit(in: $0) }
        return limit === bandwidth && limit.bytesPerSecond == nil ? nil : limit
    }

    func setBandwidthLimit(_ limit: BandwidthLimit?) {
        if limit == nil { bandwidth.bytesPerSecond = nil }
        modify { state, effects in self.use(limit ?? bandwidth, in: &state, into: &effects) }
    }

    private func use(_ limit: BandwidthLimit, in state: inout State, into effects: inout [CoreEffect<State.Own>]) {
        let former = state.upkeep.environment
        state.upkeep.environment = former.with(pacer: limit)
        effects.append(.release(former))
    }

    func changeSettings(_ body: (inout QueueSettings) -> Void) {
        modify { state, effects in
            let limit = self.limit(in: state)
            var settings = QueueSettings(of: state.core, limit)
            body(&settings)
            state.core.apply(settings)
            guard limit.bytesPerSecond != settings.maxBytesPerSecond else { return }
            // A shared one is not changed for the others.
            bandwidth.bytesPerSecond = settings.maxBytesPerSecond
            if limit !== bandwidth { use(bandwidth, in: &state, into: &effects) }
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
