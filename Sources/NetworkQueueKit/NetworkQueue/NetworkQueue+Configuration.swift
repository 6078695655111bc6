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
