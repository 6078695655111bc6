/// Waits for a retry. Ends once: at its time, earlier if a trigger fires, or when it is canceled. Instead of a time it
/// may wait for an answer.
final class RetryWait: Sendable {
    /// Waits that one event ends early spread their attempts over this many seconds.
    private static let earlyRange = 0.0..<3.0

    private struct State {
        var isOver = false
        var isEarly = false
        var timers: [any ScheduledCall] = []
        var tokens: [any EarlyRetryToken] = []
        /// Works on the answer.
        var task: Task<Void, Never>?
    }

    private let due: Duration
    /// The earliest time at which a trigger may end the wait.
    private let earliest: Duration
    private let timekeeper: any Timekeeper
    private let onEnd: @Sendable () -> Void
    private let state = Guarded(State())

    /// - Parameters:
    ///   - minimum: the shortest wait, whatever the triggers do.
    ///   - onEnd: called once, unless the wait is canceled.
    init(
        delay: Duration, minimum: Duration = .zero, timekeeper: any Timekeeper, onEnd: @escaping @Sendable () -> Void
    ) {
        let now = timekeeper.now
        due = now + delay
        earliest = now + minimum
        self.timekeeper = timekeeper
        self.onEnd = onEnd
    }

    /// Starts the wait; call once. `onEnd` may be called before this returns.
    func start(watching triggers: [any EarlyRetryTrigger], _ context: RetryWaitContext) {
        schedule(at: due)
        for trigger in triggers {
            let token = trigger.watch(context) { [weak self] in self?.endEarly() }
            let isOver = state.withLock { state in
                if !state.isOver { state.tokens.append(token) }
                return state.isOver
            }
            if isOver { token.cancel() }
        }
    }

    /// Waits for the answer of `work` in place of a time; call once. `then` is called with it, unless the wait is
    /// canceled, which also cancels the task of `work`.
    func start<Answer: Sendable>(
        for work: @escaping @Sendable () async -> Answer, then: @escaping @Sendable (Answer) -> Void
    ) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.task = Task {
                let answer = await work()
                if close() { then(answer) }
            }
        }
    }

    /// Ends the wait without calling `onEnd`.
    func cancel() {
        _ = close()
    }

    private func schedule(at time: Duration) {
        let timer = timekeeper.schedule(at: time) { [self] in
            if close() { onEnd() }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.timers.append(timer) }
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    private func endEarly() {
        let isFirst = state.withLock { state in
            defer { state.isEarly = true }
            return !state.isOver && !state.isEarly
        }
        guard isFirst else { return }
        let time = max(timekeeper.now + .seconds(Double.random(in: Self.earlyRange)), earliest)
        // Otherwise the timer for the planned time ends the wait.
        if time < due { schedule(at: time) }
    }

    /// Ends the wait and cancels its timers and tokens; returns whether it was still running.
    private func close() -> Bool {
        let (wasOpen, timers, tokens, task) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (!state.isOver, state.timers, state.tokens, state.task)
        }
        task?.cancel()
        for timer in timers { timer.cancel() }
        for token in tokens { token.cancel() }
        return wasOpen
    }
}
