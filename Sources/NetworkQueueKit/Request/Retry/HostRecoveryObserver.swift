/// Fires when another request to the same host has succeeded.
public final class HostRecoveryObserver: EarlyRetryTrigger {
    /// The observer that is told of every success of this process.
    public static let shared = HostRecoveryObserver()

    private struct State {
        var latest = 0
        var watches: [String: [Int: @Sendable () -> Void]] = [:]
    }

    private let state = Guarded(State())

    /// Creates an observer that is told by you, with ``noteSuccess(host:)``.
    public init() {}

    /// How many waits are being watched.
    public var watchCount: Int { state.withLock { $0.watches.values.reduce(0) { $0 + $1.count } } }

    /// Notes that a request to `host` has succeeded, which ends the waits for it.
    public func noteSuccess(host: String) {
        let calls = state.withLock { state in
            state.watches.isEmpty
                ? [] : Array(state.watches.removeValue(forKey: host.lowercased())?.values ?? [:].values)
        }
        for call in calls { call() }
    }

    /// Whether somebody wants to hear of successes; asked for each of them, so it must cost nothing.
    var isWatching: Bool { state.withLock { !$0.watches.isEmpty } }

    /// See ``EarlyRetryTrigger/watch(_:fire:)``.
    public func watch(_ wait: RetryWaitContext, fire: @escaping @Sendable () -> Void) -> any EarlyRetryToken {
        let number = state.withLock { state in
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
            let fire = observer.state.withLock { state in
                let fire = state.watches[host]?.removeValue(forKey: number)
                if state.watches[host]?.isEmpty == true { state.watches[host] = nil }
                return fire
            }
            withExtendedLifetime(fire) {}
        }
    }
}
