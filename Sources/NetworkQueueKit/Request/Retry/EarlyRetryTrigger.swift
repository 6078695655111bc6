/// Knows when a request that waits for a retry is worth another attempt before its time.
///
/// The library brings ``HostRecoveryObserver`` and ``NetworkReachabilityObserver``; conform a class of your own for other
/// signs, such as a new token or a push message. Any number of waits may be watched at a time, from any thread.
public protocol EarlyRetryTrigger: AnyObject, Sendable {
    /// Watches on behalf of one wait, until the token that is returned is cancelled.
    ///
    /// Call `fire` when the time has come, from any thread; more calls than one count as one. The attempt follows within
    /// 3 s, at a random moment, so that those who failed together do not come back together, and never later than planned.
    func watch(_ wait: RetryWaitContext, fire: @escaping @Sendable () -> Void) -> any EarlyRetryToken
}

/// Ends what ``EarlyRetryTrigger/watch(_:fire:)`` has begun.
public protocol EarlyRetryToken: Sendable {
    /// Ends it. Called once, when the wait is over in whatever way; `fire` has no effect from then on.
    func cancel()
}

/// What a trigger is told about a wait for a retry.
public struct RetryWaitContext: Sendable {
    /// The host of the request, in lower case; empty when its URL has none.
    public let host: String
    /// Why the attempt failed.
    public let error: NetworkError

    /// Creates a context.
    public init(host: String, error: NetworkError) {
        self.host = host
        self.error = error
    }
}
