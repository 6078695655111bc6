extension NetworkQueue {
    /// The delegate, whose methods are called on `delegateQueue`. The reference is weak and may change at any time.
    ///
    /// A `@MainActor` delegate needs a `delegateQueue` that runs on the main actor, such as `.main`. With any other
    /// queue, the first call of the delegate traps; on systems before macOS 26 and iOS 26, its methods run off their
    /// actor instead.
    public var delegate: (any NetworkQueueDelegate)? {
        get { loop.access { $0.receivers }.delegate }
        set { loop.access { $0.receivers }.delegate = newValue }
    }

    /// Whether queued requests, including size requests, are kept from starting. Running requests continue. Setting
    /// `false` starts the next ones at once.
    public var isSuspended: Bool {
        get { isCoreSuspended }
        set { setCoreSuspended(newValue) }
    }

    /// Suspends the queue and pauses every running operation, like ``RequestOperation/pause()``. No traffic remains.
    public func pauseAll() { pauseCore() }

    /// Waits until nothing runs in the suspended queue; see ``RequestQueueing/waitUntilPaused()``.
    @discardableResult
    public func waitUntilPaused() async -> Bool { await waitUntilCoreIsPaused() }

    /// Resumes the queue and every operation that ``pauseAll()`` paused. Operations that were paused individually stay
    /// paused.
    public func resumeAll() { resumeCore() }

    /// Values of your own to keep with the queue. The library does not use them.
    public var userInfo: [String: any Sendable] {
        get { loop.access { $0.userInfo } }
        set {
            // Releases the former values outside the lock: their deinitializers may use the queue.
            var info = newValue
            loop.access { swap(&$0.userInfo, &info) }
        }
    }

    /// The bandwidth limit shared by the content of all running requests; `nil`, the default, means no limit.
    ///
    /// Several queues may share a limit. ``RequestQueueing/maxBytesPerSecond`` creates one for this queue alone, and
    /// returns the rate of this one. A new limit applies to requests that start from then on; changing the rate of a
    /// limit also affects running requests.
    public var bandwidthLimit: BandwidthLimit? {
        get { coreBandwidthLimit }
        set { setBandwidthLimit(newValue) }
    }

    // Declared in each queue, because members of the internal protocol `CoreQueue` cannot be public.

    /// A snapshot of the settings that decide which requests run, in which order and how fast.
    public var queueSettings: QueueSettings { coreSettings }
    /// A snapshot of the defaults for requests that do not set a value.
    public var requestDefaults: RequestDefaults { loop.access { $0.upkeep.environment }.defaults }

    /// Changes a setting, like the property of the same name.
    public func change<Value: Sendable>(_ setting: WritableKeyPath<QueueSettings, Value> & Sendable, to value: Value) {
        changeSettings { $0[keyPath: setting] = value }
    }

    /// Changes a default, like the property of the same name.
    public func change<Value: Sendable>(_ setting: WritableKeyPath<RequestDefaults, Value> & Sendable, to value: Value)
    {
        changeDefaults { $0[keyPath: setting] = value }
    }

    // MARK: The batch

    /// Whether the first failure that is not a cancellation cancels all other operations. Default `true`. A change
    /// applies to later failures.
    public var cancelsAllOnFailure: Bool {
        get { loop.access { $0.settings.cancelsAllOnFailure } }
        set { changeBatchSettings { $0.cancelsAllOnFailure = newValue } }
    }

    /// Whether `go()` first requests sizes, and progress counts bytes rather than requests. Default `true`. A change
    /// takes effect with the next run.
    public var showsAccurateProgress: Bool {
        get { loop.access { $0.settings.showsAccurateProgress } }
        set { changeBatchSettings { $0.showsAccurateProgress = newValue } }
    }

    /// The maximum number of concurrent size requests; 0 means no limit, and negative values are treated as 0. If
    /// ``RequestQueueing/maxConcurrentRequestCount`` is larger, or 0, it applies instead. A limit for each host covers
    /// size requests and transfers together. A change takes effect at once.
    ///
    /// Default 16. Unless you set it, the number grows to 32 once the only origin being asked has answered 16 times
    /// without trouble. Each refused or lost connection, and each 503, halves it for the rest of the sizing; a 429 ends
    /// the sizing.
    public var maxConcurrentSizingCount: Int {
        get { loop.access { $0.settings.maxConcurrentSizingCount } }
        set { changeBatchSettings { $0.maxConcurrentSizingCount = newValue } }
    }

    /// The longest time that transfers wait for sizes. Default 10 s. Sizes unknown by then are requested beside the
    /// transfers. A change takes effect with the next `go()`.
    public var sizingTimeout: Duration {
        get { loop.access { $0.settings.sizingTimeout } }
        set { changeBatchSettings { $0.sizingTimeout = newValue } }
    }

    /// The shortest time between two progress updates, at least 1 ms. Default 100 ms. A change takes effect after the
    /// next update.
    public var progressInterval: Duration {
        get { loop.access { $0.settings.progressInterval } }
        set { changeBatchSettings { $0.progressInterval = newValue } }
    }

    func changeBatchSettings(_ body: (inout BatchSettings) -> Void) {
        modify { batch, _, _ in
            body(&batch.settings)
            batch.applySettings()
        }
    }
}

extension NetworkQueue {
    /// The settings of a new queue. Each is also a property of the queue.
    public struct Configuration: QueueConfiguration {
        /// The settings that decide which requests run, in which order and how fast.
        public var queueSettings = QueueSettings(maxConcurrentRequestCount: 4, duplicatePolicy: .allow)
        var batchSettings = BatchSettings()
        /// The defaults for requests that do not set a value.
        public var requestDefaults = RequestDefaults()

        /// Creates the default configuration.
        public init() {}

        /// See ``NetworkQueue/cancelsAllOnFailure``.
        public var cancelsAllOnFailure: Bool {
            get { batchSettings.cancelsAllOnFailure }
            set { batchSettings.cancelsAllOnFailure = newValue }
        }

        /// See ``NetworkQueue/showsAccurateProgress``.
        public var showsAccurateProgress: Bool {
            get { batchSettings.showsAccurateProgress }
            set { batchSettings.showsAccurateProgress = newValue }
        }

        /// See ``NetworkQueue/maxConcurrentSizingCount``.
        public var maxConcurrentSizingCount: Int {
            get { batchSettings.maxConcurrentSizingCount }
            set { batchSettings.maxConcurrentSizingCount = newValue }
        }

        /// See ``NetworkQueue/sizingTimeout``.
        public var sizingTimeout: Duration {
            get { batchSettings.sizingTimeout }
            set { batchSettings.sizingTimeout = newValue }
        }

        /// See ``NetworkQueue/progressInterval``.
        public var progressInterval: Duration {
            get { batchSettings.progressInterval }
            set { batchSettings.progressInterval = newValue }
        }
    }

    /// The settings that only a ``NetworkQueue`` has.
    struct BatchSettings: Sendable {
        var cancelsAllOnFailure = true
        var showsAccurateProgress = true
        var maxConcurrentSizingCount: Int {
            get { chosenSizingCount ?? SizingWidth.first }
            set { chosenSizingCount = max(newValue, 0) }
        }
        var chosenSizingCount: Int?
        var sizingTimeout: Duration = .seconds(10)
        var progressInterval: Duration = .milliseconds(100)
        var planHandler: (@Sendable (Plan) async -> PlanDecision)?
        var asksBeforeStart = false
        var requiresSpace = false

        /// Whether something must be known about a run before its first transfer.
        var asksForPlan: Bool { planHandler != nil || asksBeforeStart || requiresSpace }
    }
}

extension Batch {
    /// The rate of the queue bounds the time that is left.
    mutating func settingsDidChange() { ledger.requestRate = core.rates.rate }
}
