extension NetworkQueue {
    /// Told what happens, on `delegateQueue`. Weak; may be changed at any time.
    ///
    /// A `@MainActor` delegate needs a `delegateQueue` that runs on the main actor, such as `.main`; with another one
    /// the first call of the delegate traps, or on systems before macOS 26 and iOS 26 its methods run off their actor.
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

    /// Suspends the queue and pauses every operation that runs, see ``RequestOperation/pause()``: no traffic is left.
    public func pauseAll() { pauseCore() }

    /// Resumes the queue and every operation that ``pauseAll()`` has paused; not those that were paused singly.
    public func resumeAll() { resumeCore() }

    /// Whatever you want to keep with the queue. The library only carries it.
    public var userInfo: [String: any Sendable] {
        get { loop.access { $0.userInfo } }
        set {
            // What was there may come back here when it goes: not under the lock.
            var info = newValue
            loop.access { swap(&$0.userInfo, &info) }
        }
    }

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

    // MARK: How the requests belong together

    /// Whether the first failure that is not a cancellation cancels all others. Default `true`. Applies to failures
    /// from then on.
    public var cancelsAllOnFailure: Bool {
        get { loop.access { $0.settings.cancelsAllOnFailure } }
        set { changeBatchSettings { $0.cancelsAllOnFailure = newValue } }
    }

    /// Whether `go()` asks for sizes first, and progress counts bytes rather than requests. Default `true`. A change
    /// takes effect with the next run.
    public var showsAccurateProgress: Bool {
        get { loop.access { $0.settings.showsAccurateProgress } }
        set { changeBatchSettings { $0.showsAccurateProgress = newValue } }
    }

    /// How many requests for sizes run at a time; 0 means no limit, and less is kept as 0. Where
    /// ``RequestQueueing/maxConcurrentRequestCount`` is more, that many do. A limit for each host covers them and the
    /// transfers together. A change takes effect at once.
    ///
    /// Default 16. Unless you set it, the number grows to 32 when the only origin that is asked has answered 16 times
    /// without trouble, and is halved for the rest of the sizing by each connection that is refused or lost, and each
    /// 429 or 503.
    public var maxConcurrentSizingCount: Int {
        get { loop.access { $0.settings.maxConcurrentSizingCount } }
        set { changeBatchSettings { $0.maxConcurrentSizingCount = newValue } }
    }

    /// How long the transfers wait for the sizes. Default 10 s. What is not known then is asked for beside them. A
    /// change takes effect with the next `go()`.
    public var sizingTimeout: Duration {
        get { loop.access { $0.settings.sizingTimeout } }
        set { changeBatchSettings { $0.sizingTimeout = newValue } }
    }

    /// The shortest time between two progress updates. Default 100 ms. A change takes effect after the next update.
    public var progressInterval: Duration {
        get { loop.access { $0.settings.progressInterval } }
        set { changeBatchSettings { $0.progressInterval = newValue } }
    }

    private func changeBatchSettings(_ body: (inout BatchSettings) -> Void) {
        modify { batch, _ in
            body(&batch.settings)
            batch.applySettings()
        }
    }
}

extension NetworkQueue {
    /// The settings that a queue starts with; each is also a property of the queue.
    public struct Configuration: QueueConfiguration {
        /// Which requests run, in which order and how fast.
        public var queueSettings = QueueSettings(maxConcurrentRequestCount: 4, allowsDuplicateRequests: true)
        var batchSettings = BatchSettings()
        /// What applies to requests that do not say themselves.
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

    /// How the requests of a ``NetworkQueue`` belong together.
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
    }
}
