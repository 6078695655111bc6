import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestQueue {
    /// The settings that a queue starts with. Those that are also properties of the queue may change later.
    public struct Configuration: Sendable {
        /// How many requests run at a time; 0 means no limit. Default 2.
        public var maxConcurrentRequestCount = 2
        /// How many requests to one host run at a time; `nil`, the default, means no limit.
        public var maxConcurrentRequestCountPerHost: Int?
        /// Which waiting request starts next. Default `.firstInFirstOut`.
        public var mode = QueueMode.firstInFirstOut
        /// Whether equal requests may be in the queue at a time. Default `false`.
        public var allowsDuplicateRequests = false
        /// Whether the queue starts out suspended. Default `false`.
        public var isSuspended = false
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
        /// How many bytes of content may move per second in all; `nil`, the default, means no limit.
        public var maximumBytesPerSecond: Int?
        /// The serial queue that handlers run on; `nil`, the default, means one of the queue's own.
        public var callbackQueue: DispatchQueue?

        /// Creates the default configuration.
        public init() {}

        var runSettings: RunSettings {
            RunSettings(
                validation: validation, retryPolicy: retryPolicy, retryDecider: retryDecider,
                redirectPolicy: redirectPolicy, adapters: adapters, processors: processors,
                cookieStorage: cookieStorage)
        }
    }
}
