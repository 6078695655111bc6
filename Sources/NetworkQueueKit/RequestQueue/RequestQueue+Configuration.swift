import Dispatch

extension RequestQueue {
    /// The settings that a queue starts with. Those that are also properties of the queue may change later.
    ///
    /// Those of ``RequestDefaults`` are written as if they were its own: `configuration.retryPolicy = .standard`.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        /// How many requests run at a time; 0 means no limit. Default 2.
        public var maxConcurrentRequestCount = 2
        /// How many requests to one host run at a time; `nil`, the default, and 0 mean no limit.
        public var maxConcurrentRequestCountPerHost: Int?
        /// Which waiting request starts next. Default `.firstInFirstOut`.
        public var mode = QueueMode.firstInFirstOut
        /// Whether equal requests may be in the queue at a time. Default `false`.
        public var allowsDuplicateRequests = false
        /// Whether the queue starts out suspended. Default `false`.
        public var isSuspended = false
        /// How many bytes of content may move per second in all; `nil`, the default, and 0 mean no limit.
        public var maximumBytesPerSecond: Int?
        /// The queue that handlers run on, one after the other and in order, whatever kind of queue it is; `nil`, the default, means one
        /// of the queue's own.
        public var callbackQueue: DispatchQueue?

        /// What applies to requests that do not say themselves.
        public var requestDefaults = RequestDefaults()

        /// Creates the default configuration.
        public init() {}

        /// A setting of ``RequestDefaults``.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<RequestDefaults, Value>) -> Value {
            get { requestDefaults[keyPath: setting] }
            set { requestDefaults[keyPath: setting] = newValue }
        }
    }
}
