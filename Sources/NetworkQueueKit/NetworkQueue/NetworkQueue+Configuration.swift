import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        /// How many bytes of content may move per second in all; `nil`, the default, means no limit.
        public var maximumBytesPerSecond: Int?
        /// Which responses count as a success, for requests that do not say. Default `.successStatus`.
        public var validation = ResponseValidation.successStatus
        /// Which failures are worth another attempt, for requests that do not say. Default `.never`.
        public var retryPolicy = RetryPolicy.never
        /// Decides about retries in place of the policy, for requests that have no decider of their own. Default `nil`.
        public var retryDecider: (any RetryDecider)?
        /// Which redirects are followed. Default `.standard`: up to 20, never from https to http.
        public var redirectPolicy = RedirectPolicy.standard
        /// What changes each request before each attempt, in this order. Default none.
        public var adapters: [any RequestAdapter] = []
        /// What works on the content of each response, in this order. Default none.
        public var processors: [any ResponseProcessor] = []
        /// Where cookies (RFC 6265) are kept and taken from. Default `nil`: there are none. <doc:HostileServers> has their limits.
        public var cookieStorage: HTTPCookieStorage?

        /// Creates the default configuration.
        public init() {}
    }
}
