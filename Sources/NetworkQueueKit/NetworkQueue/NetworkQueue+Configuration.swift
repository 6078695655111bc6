extension NetworkQueue {
    /// The settings that a queue starts with; each is also a property of the queue.
    public struct Configuration: Sendable {
        /// How many requests run at a time; 0 means no limit. Default 4.
        public var maxConcurrentRequestCount = 4
        /// How many requests to one host run at a time; `nil`, the default, means no limit.
        public var maxConcurrentRequestCountPerHost: Int?
        /// Which waiting request starts next. Default `.firstInFirstOut`.
        public var mode = QueueMode.firstInFirstOut
        /// Whether equal requests may be in the queue at a time. Default `true`.
        public var allowsDuplicateRequests = true
        /// Whether the first failure cancels all others. Default `true`.
        public var cancelsAllOnFailure = true
        /// Whether `go()` asks for sizes first, and progress counts bytes. Default `true`.
        public var showsAccurateProgress = true
        /// How long sizing may take in all. Default 10 s.
        public var sizingTimeout: Duration = .seconds(10)
        /// The shortest time between two progress updates. Default 100 ms.
        public var progressInterval: Duration = .milliseconds(100)
        /// Which responses count as a success, for requests that do not say. Default `.successStatus`.
        public var validation = ResponseValidation.successStatus
        /// Which failures are worth another attempt, for requests that do not say. Default `.never`.
        public var retryPolicy = RetryPolicy.never

        /// Creates the default configuration.
        public init() {}
    }
}
