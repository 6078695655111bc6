import Dispatch

extension RequestQueue {
    /// The settings that a queue starts with. Those that are also properties of the queue may change later.
    public struct Configuration: QueueConfiguration {
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
    }
}
