/// Fires when the machine's network has come back, or has changed so that it may have.
///
/// On Linux that is a link that has come up, a new address or a new route, as rtnetlink tells; on Apple's systems a network
/// path that is satisfied. The system is listened to only while a wait is being watched.
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
