import Dispatch

extension RequestQueue {
    /// Whether requests are kept from starting. Running requests continue; setting it to `false` starts waiting ones at
    /// once.
    public var isSuspended: Bool {
        get { isCoreSuspended }
        set { setCoreSuspended(newValue) }
    }

    /// Suspends the queue and pauses every running operation, so that all traffic stops; see
    /// ``RequestOperation/pause()``.
    public func pauseAll() { pauseCore() }

    /// Waits until nothing runs in the suspended queue; see ``RequestQueueing/waitUntilPaused()``.
    @discardableResult
    public func waitUntilPaused() async -> Bool { await waitUntilCoreIsPaused() }

    /// Resumes the queue and every operation paused by ``pauseAll()``, but not those paused individually.
    public func resumeAll() { resumeCore() }

    /// The dispatch queue on which handlers run serially.
    public var callbackQueue: DispatchQueue { handle.callbacks.target }

    /// The limit for the combined speed of all running requests. Default `nil`: no limit.
    ///
    /// Several queues may share one limit. Reading ``RequestQueueing/maxBytesPerSecond`` returns the speed of this
    /// limit; setting it gives the queue a limit of its own. Another limit applies to requests that start later, while
    /// a change of the limit's own speed also applies to running requests.
    public var bandwidthLimit: BandwidthLimit? {
        get { coreBandwidthLimit }
        set { setBandwidthLimit(newValue) }
    }

    // Declared in each queue, because members of the internal protocol `CoreQueue` cannot be public.

    /// A consistent snapshot of the settings for order, concurrency and speed.
    public var queueSettings: QueueSettings { coreSettings }
    /// A consistent snapshot of the defaults for requests that do not set a value.
    public var requestDefaults: RequestDefaults { loop.access { $0.upkeep.environment }.defaults }

    /// Changes a setting; used by the property of the same name.
    public func change<Value: Sendable>(_ setting: WritableKeyPath<QueueSettings, Value> & Sendable, to value: Value) {
        changeSettings { $0[keyPath: setting] = value }
    }

    /// Changes a default; used by the property of the same name.
    public func change<Value: Sendable>(_ setting: WritableKeyPath<RequestDefaults, Value> & Sendable, to value: Value)
    {
        changeDefaults { $0[keyPath: setting] = value }
    }
}

extension CoreQueue {
    /// The settings, read from where they take effect, so that no second copy can disagree.
    var coreSettings: QueueSettings { loop.access { QueueSettings(of: $0.core, limit(in: $0)) } }

    /// The current limit: the queue's own or a shared one.
    private func limit(in state: State) -> BandwidthLimit {
        state.upkeep.environment.pacer as? BandwidthLimit ?? bandwidth
    }

    var coreBandwidthLimit: BandwidthLimit? {
        let limit = loop.access { self.limit(in: $0) }
        return limit === bandwidth && limit.bytesPerSecond == nil ? nil : limit
    }

    func setBandwidthLimit(_ limit: BandwidthLimit?) {
        if limit == nil { bandwidth.bytesPerSecond = nil }
        modify { state, _, effects in self.use(limit ?? bandwidth, in: &state, into: &effects) }
    }

    private func use(_ limit: BandwidthLimit, in state: inout State, into effects: inout [CoreEffect<State.Own>]) {
        let former = state.upkeep.environment
        state.upkeep.environment = former.with(pacer: limit)
        effects.append(.release(former))
    }

    func changeSettings(_ body: (inout QueueSettings) -> Void) {
        modify { state, _, effects in
            let limit = self.limit(in: state)
            var settings = QueueSettings(of: state.core, limit)
            body(&settings)
            state.core.apply(settings)
            state.upkeep.environment.rateSwitch.isOn.store(state.core.rates.isInUse, ordering: .relaxed)
            state.settingsDidChange()
            guard limit.bytesPerSecond != settings.maxBytesPerSecond else { return }
            // A shared limit is left unchanged for the other queues; this queue switches to its own.
            bandwidth.bytesPerSecond = settings.maxBytesPerSecond
            if limit !== bandwidth { use(bandwidth, in: &state, into: &effects) }
        }
    }

    func changeDefaults(_ body: (inout RequestDefaults) -> Void) {
        modify { state, _, effects in
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
            maxConcurrentRequestCount: core.scheduler.maximumRunning,
            duplicatePolicy: core.looksForDuplicates ? .cancelEarlier : .allow)
        maxConcurrentRequestCountPerHost = core.scheduler.maximumRunningPerHost
        mode = core.scheduler.mode
        maxBytesPerSecond = bandwidth.bytesPerSecond
        requestRate = core.rates.rate
        requestRatePerHost = core.rates.ratePerHost
    }
}

extension QueueCore {
    /// Applies the settings that belong to the core.
    mutating func apply(_ settings: QueueSettings) {
        scheduler.maximumRunning = settings.maxConcurrentRequestCount
        scheduler.maximumRunningPerHost = settings.maxConcurrentRequestCountPerHost
        setRates(settings.requestRate, perHost: settings.requestRatePerHost)
        if settings.mode != scheduler.mode { setMode(settings.mode) }
        looksForDuplicates = settings.duplicatePolicy == .cancelEarlier
    }
}
