import Synchronization

/// Knows when a request that waits for a retry is worth another attempt before its time.
///
/// The library brings ``HostRecoveryObserver`` and ``NetworkReachabilityObserver``; conform a class of your own for
/// other signs, such as a new token or a push message. Any number of waits may be watched at a time, from any thread.
public protocol EarlyRetryTrigger: AnyObject, Sendable {
    /// Watches on behalf of one wait, until the token that is returned is cancelled.
    ///
    /// Call `fire` when the time has come, from any thread; more calls than one count as one. The attempt follows
    /// within 3 s, at a random moment, so that those who failed together do not come back together, and never later
    /// than planned.
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

/// Fires when another request to the same host has succeeded.
public final class HostRecoveryObserver: EarlyRetryTrigger {
    /// The observer that is told of every success of this process.
    public static let shared = HostRecoveryObserver()

    private struct State {
        var latest = 0
        var watches: [String: [Int: @Sendable () -> Void]] = [:]
    }

    private let state = Guarded(State())
    /// Asked for each success, so it must cost nothing.
    private let isWatched = Atomic(false)

    /// Creates an observer that is told by you, with ``noteSuccess(host:)``.
    public init() {}

    /// How many waits are being watched.
    public var watchCount: Int { state.withLock { $0.watches.values.reduce(0) { $0 + $1.count } } }

    /// Notes that a request to `host` has succeeded, which ends the waits for it.
    public func noteSuccess(host: String) {
        guard isWatching else { return }
        let calls = withState { state in
            Array(state.watches.removeValue(forKey: host.lowercased())?.values ?? [:].values)
        }
        for call in calls { call() }
    }

    /// Whether any wait watches for successes.
    var isWatching: Bool { isWatched.load(ordering: .acquiring) }

    private func withState<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        state.withLock { state in
            defer { isWatched.store(!state.watches.isEmpty, ordering: .releasing) }
            return body(&state)
        }
    }

    /// See ``EarlyRetryTrigger/watch(_:fire:)``.
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
            // The closure is let go of outside the lock: it may own anything.
            let fire = observer.withState { state in
                let fire = state.watches[host]?.removeValue(forKey: number)
                if state.watches[host]?.isEmpty == true { state.watches[host] = nil }
                return fire
            }
            withExtendedLifetime(fire) {}
        }
    }
}

/// Fires when the machine's network has come back, or has changed so that it may have.
///
/// On Linux that is a link that has come up, a new address or a new route, as rtnetlink tells; on Apple's systems a
/// network path that is satisfied. The system is listened to only while a wait is being watched.
public final class NetworkReachabilityObserver: EarlyRetryTrigger {
    /// An observer for the whole process.
    public static let shared = NetworkReachabilityObserver()

    private struct State {
        var latest = 0
        var watches: [Int: @Sendable () -> Void] = [:]
        var source: ReachabilitySource?
    }

    private let state = Guarded(State())

    /// Creates an observer.
    public init() {}

    /// How many waits are being watched.
    public var watchCount: Int { state.withLock { $0.watches.count } }

    /// See ``EarlyRetryTrigger/watch(_:fire:)``.
    public func watch(_ wait: RetryWaitContext, fire: @escaping @Sendable () -> Void) -> any EarlyRetryToken {
        let number = state.withLock { state in
            state.latest += 1
            state.watches[state.latest] = fire
            // Opening it is two system calls; under the lock, so that there is never a second one.
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
            // The closure is let go of outside the lock: it may own anything.
            withExtendedLifetime(fire) {}
        }
    }
}
