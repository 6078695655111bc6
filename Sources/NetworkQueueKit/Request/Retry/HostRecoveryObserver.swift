import Synchronization

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
