extension NetworkQueue {
    /// The settings that a queue starts with; each is also a property of the queue.
    ///
    /// Those of ``QueueSettings``, ``BatchSettings`` and ``RequestDefaults`` are written as if they were its own:
    /// `configuration.cancelsAllOnFailure = false`.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        /// Which requests run, in which order and how fast.
        public var queueSettings = QueueSettings(maxConcurrentRequestCount: 4, allowsDuplicateRequests: true)
        /// How the requests belong together.
        public var batchSettings = BatchSettings()
        /// What applies to requests that do not say themselves.
        public var requestDefaults = RequestDefaults()

        /// Creates the default configuration.
        public init() {}

        /// A setting of ``QueueSettings``.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<QueueSettings, Value>) -> Value {
            get { queueSettings[keyPath: setting] }
            set { queueSettings[keyPath: setting] = newValue }
        }

        /// A setting of ``BatchSettings``.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<BatchSettings, Value>) -> Value {
            get { batchSettings[keyPath: setting] }
            set { batchSettings[keyPath: setting] = newValue }
        }

        /// A setting of ``RequestDefaults``.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<RequestDefaults, Value>) -> Value {
            get { requestDefaults[keyPath: setting] }
            set { requestDefaults[keyPath: setting] = newValue }
        }

        /// The settings of the queue that runs the requests.
        var requestQueue: RequestQueue.Configuration {
            var inner = RequestQueue.Configuration()
            inner.queueSettings = queueSettings
            inner.requestDefaults = requestDefaults
            return inner
        }
    }

    /// How the requests of a ``NetworkQueue`` belong together.
    public struct BatchSettings: Sendable {
        /// Whether the first failure that is not a cancellation cancels all others. Default `true`. Applies to failures from then on.
        public var cancelsAllOnFailure = true
        /// Whether `go()` asks for sizes first, and progress counts bytes rather than requests. Default `true`. A change takes
        /// effect with the next run.
        public var showsAccurateProgress = true
        /// How many requests for sizes run at a time; 0 means no limit, and less is kept as 0. Where
        /// ``QueueSettings/maxConcurrentRequestCount`` is more, that many do. A limit for each host covers them and the transfers
        /// together. A change takes effect at once.
        ///
        /// Default 16. Unless you set it, the number grows to 32 when the only origin that is asked has answered 16 times without trouble,
        /// and is halved for the rest of the sizing by each connection that is refused or lost, and each 429 or 503.
        public var maxConcurrentSizingCount: Int {
            get { chosenSizingCount ?? SizingWidth.first }
            set { chosenSizingCount = max(newValue, 0) }
        }
        var chosenSizingCount: Int?
        /// How long the transfers wait for the sizes. Default 10 s. What is not known then is asked for beside them. A change takes
        /// effect with the next `go()`.
        public var sizingTimeout: Duration = .seconds(10)
        /// The shortest time between two progress updates. Default 100 ms. A change takes effect after the next update.
        public var progressInterval: Duration = .milliseconds(100)

        /// Creates the defaults.
        public init() {}
    }
}
