@testable import NetworkQueueKit

/// What tests of races have to see of an operation and no user can: the only place in which they look inside.
extension RequestOperation {
    /// Whether a task waits for the operation's response.
    var isAwaited: Bool { state.withLock { $0.handlers?.waiters.isEmpty == false } }

    /// Whether a thread waits in `waitUntilFinished()`.
    var blocksThread: Bool { state.withLock { $0.handlers?.finishWaiters.isEmpty == false } }

    /// The run under way.
    var currentRun: RequestRun? { state.withLock { $0.run } }

    /// Gives an operation that is in no queue its surroundings.
    func setStandalone(_ environment: RunEnvironment) {
        state.withLock { $0.home = .none(StandaloneEnvironment(environment)) }
    }
}
