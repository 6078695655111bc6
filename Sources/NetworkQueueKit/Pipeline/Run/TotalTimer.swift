/// Ends a request when its total time is up. Time in which the request is paused does not count.
final class TotalTimer: Sendable {
    private struct State {
        /// The time that was left when it last started to count.
        var rest: Duration
        var isPaused = false
        /// When it last started to count; `nil` while it does not count.
        var start: Duration?
        var call: (any ScheduledCall)?
        var onEnd: (@Sendable () -> Void)?
    }

    private let timekeeper: any Timekeeper
    private let state: Guarded<State>

    /// Creates a timer; fails without a limit.
    init?(_ limit: Duration?, _ timekeeper: any Timekeeper) {
        guard let limit, limit > .zero else { return nil }
        self.timekeeper = timekeeper
        state = Guarded(State(rest: limit.bounded))
    }

    /// Starts to count from `start`, unless paused, and calls `onEnd` once when the time is up.
    func start(from start: Duration, _ onEnd: @escaping @Sendable () -> Void) {
        state.withLock { $0.onEnd = onEnd }
        count(from: start)
    }

    /// Stops counting until ``resume()``.
    func pause() {
        let call = state.withLock { state -> (any ScheduledCall)? in
            state.isPaused = true
            guard let start = state.start.take() else { return nil }
            state.rest -= timekeeper.now - start
            return state.call.take()
        }
        call?.cancel()
    }

    /// Continues counting.
    func resume() {
        state.withLock { $0.isPaused = false }
        count(from: timekeeper.now)
    }

    /// Stops the timer for good, without calling `onEnd`.
    func cancel() {
        let (call, onEnd) = state.withLock { state in
            state.start = nil
            return (state.call.take(), state.onEnd.take())
        }
        call?.cancel()
        withExtendedLifetime(onEnd) {}
    }

    private func count(from start: Duration) {
        let end = state.withLock { state -> Duration? in
            guard state.start == nil, !state.isPaused, state.onEnd != nil else { return nil }
            state.start = start
            return start + state.rest
        }
        guard let end else { return }
        let call = timekeeper.schedule(at: end) { [weak self] in self?.ring(since: start) }
        let isOver = state.withLock { state in
            if state.start == start { state.call = call }
            return state.start != start
        }
        if isOver { call.cancel() }
    }

    private func ring(since start: Duration) {
        let onEnd = state.withLock { $0.start == start ? $0.onEnd.take() : nil }
        onEnd?()
    }
}
