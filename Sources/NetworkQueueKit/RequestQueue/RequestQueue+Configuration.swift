import Dispatch

extension RequestQueue {
    /// The settings that a queue starts with. Those that are also properties of the queue may change later.
    ///
    /// Those of ``QueueSettings`` and ``RequestDefaults`` are written as if they were its own: `configuration.retryPolicy = .standard`.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        /// Which requests run, in which order and how fast.
        public var queueSettings = QueueSettings(maxConcurrentRequestCount: 2, allowsDuplicateRequests: false)
        /// What applies to requests that do not say themselves.
        public var requestDefaults = RequestDefaults()
        /// Whether the queue starts out suspended. Default `false`.
        public var isSuspended = false
        /// The queue that handlers run on, one after the other and in order, whatever kind of queue it is; `nil`, the default, means one
        /// of the queue's own.
        public var callbackQueue: DispatchQueue?

        /// Creates the default configuration.
        public init() {}

        /// A setting of ``QueueSettings``.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<QueueSettings, Value>) -> Value {
            get { queueSettings[keyPath: setting] }
            set { queueSettings[keyPath: setting] = newValue }
        }

        /// A setting of ``RequestDefaults``.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<RequestDefaults, Value>) -> Value {
            get { requestDefaults[keyPath: setting] }
            set { requestDefaults[keyPath: setting] = newValue }
        }
    }
}
