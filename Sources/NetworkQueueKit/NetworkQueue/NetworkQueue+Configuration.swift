extension NetworkQueue {
    /// The settings that a queue starts with; each is also a property of the queue.
    ///
    /// Those of ``BatchSettings`` and ``RequestDefaults`` are written as if they were its own:
    /// `configuration.cancelsAllOnFailure = false`.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        /// How many requests run at a time; 0 means no limit. Default 4.
        public var maxConcurrentRequestCount = 4
        /// How many requests for sizes run at a time; 0 means no limit. Default 16. Where `maxConcurrentRequestCount` is more, that
        /// many do.
        public var maxConcurrentSizingCount = 16
        /// How many requests to one host run at a time; `nil`, the default, and 0 mean no limit.
        public var maxConcurrentRequestCountPerHost: Int?
        /// Which waiting request starts next. Default `.firstInFirstOut`.
        public var mode = QueueMode.firstInFirstOut
        /// Whether equal requests may be in the queue at a time. Default `true`.
        public var allowsDuplicateRequests = true
        /// How many bytes of content may move per second in all; `nil`, the default, and 0 mean no limit.
        public var maximumBytesPerSecond: Int?
        /// How the requests belong together.
        public var batchSettings = BatchSettings()
        /// What applies to requests that do not say themselves.
        public var requestDefaults = RequestDefaults()

        /// Creates the default configuration.
        public init() {}

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
            inner.maxConcurrentRequestCount = maxConcurrentRequestCount
            inner.maxConcurrentRequestCountPerHost = maxConcurrentRequestCountPerHost
            inner.mode = mode
            inner.allowsDuplicateRequests = allowsDuplicateRequests
            inner.maximumBytesPerSecond = maximumBytesPerSecond
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
        /// How long the transfers wait for the sizes. Default 10 s. What is not known then is asked for beside them. A change takes
        /// effect with the next `go()`.
        public var sizingTimeout: Duration = .seconds(10)
        /// The shortest time between two progress updates. Default 100 ms. A change takes effect after the next update.
        public var progressInterval: Duration = .milliseconds(100)

        /// Creates the defaults.
        public init() {}
    }
}
