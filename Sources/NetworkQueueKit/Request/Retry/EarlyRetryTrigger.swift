import Synchronization

/// Ends the wait before a retry early, when another attempt is likely to succeed.
///
/// The library provides ``HostRecoveryObserver`` and ``NetworkReachabilityObserver``. Conform a class of your own for
/// other signs, such as a new token or a push message. It must support any number of concurrent waits, from any thread.
public protocol EarlyRetryTrigger: AnyObject, Sendable {
    /// Starts watching for one wait, until the returned token is canceled.
    ///
    /// Call `fire` from any thread when the attempt should be made; further calls have no effect. The attempt then
    /// starts at a random moment within 3 s, so that requests that failed together do not all return together, and
    /// never later than planned.
    func watch(_ wait: RetryWaitContext, fire: @escaping @Sendable () -> Void) -> any EarlyRetryToken
}

/// A token that ends the watching started by ``EarlyRetryTrigger/watch(_:fire:)``.
public protocol EarlyRetryToken: Sendable {
    /// Stops watching. Called once, when the wait has ended for any reason; from then on, `fire` has no effect.
    func cancel()
}

/// The information that a trigger receives about a wait for a retry.
public struct RetryWaitContext: Sendable {
    /// The host of the request, in lower case; empty if its URL has none.
    public let host: String
    /// Why the attempt failed.
    public let error: NetworkError

    /// Creates a context.
    public init(host: String, error: NetworkError) {
        self.host = host
        self.error = error
    }
}

/// Ends a wait early when another request to the same host has succeeded.
public final class HostRecoveryObserver: EarlyRetryTrigger {
    /// The observer that the library notifies of every success in this process.
    public static let shared = HostRecoveryObserver()

    private struct State {
        var latest = 0
        var watches: [String: [Int: @Sendable () -> Void]] = [:]
    }

    private let state = Guarded(State())
    /// Read on each success, so reading it must be cheap.
    private let isWatched = Atomic(false)

    /// Creates an observer that only your calls to ``noteSuccess(host:)`` notify.
    public init() {}

    /// The number of waits being watched.
    public var watchCount: Int { state.withLock { $0.watches.values.reduce(0) { $0 + $1.count } } }

    /// Ends the waits for `host`, to which a request has succeeded.
    public func noteSuccess(host: String) {
        guard isWatching else { return }
        let calls = withState { state in
            Array(state.watches.removeValue(forKey: host.lowercased())?.values ?? [:].values)
        }
        for call in calls { call() }
    }

    /// Whether any wait is being watched.
    var isWatching: Bool { isWatched.load(ordering: .acquiring) }

    private func withState<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        state.withLock { state in
            defer { isWatched.store(!state.watches.isEmpty, ordering: .releasing) }
            return body(&state)
        }
    }

    /// Starts watching for one wait; see ``EarlyRetryTrigger/watch(_:fire:)``.
    public func watch(_ wait: RetryWaitContext, fire: @escaping @Sendable () -> Void) -> any EarlyRetryToken {
        let number = withState { state in
            state.latest += 1
            state.watches[wait.host, default: [:]][state.latest] = fire
            return state.latest
        }
        return Token(observer: self, host: wait.host, number: number)
    }

    private struct Token: EarlyRetryToken {
        let observer: HostRecoveryObserver
        let host: String
        let number: Int

        func cancel() {
            // Release the closure outside the lock, because its captures may run any code.
            let fire = observer.withState { state in
                let fire = state.watches[host]?.removeValue(forKey: number)
                if state.watches[host]?.isEmpty == true { state.watches[host] = nil }
                return fire
            }
            withExtendedLifetime(fire) {}
        }
    }
}

/// Ends a wait early when the network may be available again.
///
/// On Linux, the signs are a link that comes up, a new address or a new route, as reported by rtnetlink; on Apple
/// platforms, a satisfied network path. The system is observed only while a wait is being watched.
public final class NetworkReachabilityObserver: EarlyRetryTrigger {
    /// The observer for the whole process.
    public static let shared = NetworkReachabilityObserver()

    private struct State {
        var latest = 0
        var watches: [Int: @Sendable () -> Void] = [:]
        var source: ReachabilitySource?
    }

    private let state = Guarded(State())

    /// Creates an observer.
    public init() {}

    /// The number of waits being watched.
    public var watchCount: Int { state.withLock { $0.watches.count } }

    /// Starts watching for one wait; see ``EarlyRetryTrigger/watch(_:fire:)``.
    public func watch(_ wait: RetryWaitContext, fire: @escaping @Sendable () -> Void) -> any EarlyRetryToken {
        let number = state.withLock { state in
            state.latest += 1
            state.watches[state.latest] = fire
            // Opened under the lock, so that there is never a second source; it takes only two system calls.
            if state.source == nil { state.source = ReachabilitySource { [weak self] in self?.noteRecovery() } }
            return state.latest
        }
        return Token(observer: self, number: number)
    }

    private func noteRecovery() {
        let (calls, source) = state.withLock { state in
            defer {
                state.watches = [:]
                state.source = nil
            }
            return (Array(state.watches.values), state.source)
        }
        source?.cancel()
        for call in calls { call() }
    }

    private struct Token: EarlyRetryToken {
        let observer: NetworkReachabilityObserver
        let number: Int

        func cancel() {
            let (fire, source) = observer.state.withLock { state -> ((@Sendable () -> Void)?, ReachabilitySource?) in
                let fire = state.watches.removeValue(forKey: number)
                guard state.watches.isEmpty else { return (fire, nil) }
                defer { state.source = nil }
                return (fire, state.source)
            }
            source?.cancel()
            // Release the closure outside the lock, because its captures may run any code.
            withExtendedLifetime(fire) {}
        }
    }
}
