import NetworkQueueKit

/// The user's control over a run: pauses and signals. The first signal cancels the run, and a second one exits at once.
///
/// Signals less than 200 ms after the first count as one with it, because `timeout` signals both the program and its
/// process group.
final class Interruption: Sendable {
    private static let sameTime = Duration.milliseconds(200)

    private struct State {
        var signal: Int32?
        var time: ContinuousClock.Instant?
        var cancel: (@Sendable () -> Void)?
        var leave: (@Sendable () -> Void)?
        var pause: (@Sendable (Bool) -> Void)?
        var isPaused = false
        var changeSpeed: (@Sendable (Bool) -> Void)?
        var stop: (@Sendable () -> Void)?
        var isStopping = false
    }

    private let state = Locked(State())

    /// The first signal; `nil` before it arrives.
    var signal: Int32? { state.withLock { $0.signal } }

    /// Sets the action for the first signal. If it has already arrived, the action is called at once.
    func onFirstSignal(_ cancel: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.cancel = cancel
            return state.signal != nil
        }
        if hasCome { cancel() }
    }

    /// Sets the action for a pause and its end.
    func onPause(_ pause: @escaping @Sendable (_ isPaused: Bool) -> Void) {
        state.withLock { $0.pause = pause }
    }

    /// Whether the run can be paused.
    var canPause: Bool { state.withLock { $0.pause != nil } }

    /// Whether the run is paused.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Pauses or resumes the run.
    func setPaused(_ isPaused: Bool) {
        let pause = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            guard let pause = state.pause, state.isPaused != isPaused else { return nil }
            state.isPaused = isPaused
            return pause
        }
        pause?(isPaused)
    }

    /// Sets the action for a change of the speed.
    func onSpeedChange(_ change: @escaping @Sendable (_ isFaster: Bool) -> Void) {
        state.withLock { $0.changeSpeed = change }
    }

    /// Whether the speed of the run can be changed.
    var canChangeSpeed: Bool { state.withLock { $0.changeSpeed != nil } }

    /// Raises or lowers the speed that the run may have.
    func changeSpeed(isFaster: Bool) { state.withLock { $0.changeSpeed }?(isFaster) }

    /// Sets the action for a graceful stop.
    func onGracefulStop(_ stop: @escaping @Sendable () -> Void) { state.withLock { $0.stop = stop } }

    /// Whether no more transfers start, because the time of `--stop-after` has come.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Lets no more transfers start, while those that run go on.
    func stopGracefully() {
        let stop = state.withLock { state in
            state.isStopping = true
            return state.stop
        }
        stop?()
    }

    /// Sets the cleanup to perform when a second signal arrives.
    func onLeaving(_ leave: @escaping @Sendable () -> Void) {
        state.withLock { $0.leave = leave }
    }

    /// Performs the cleanup before the program exits.
    func leave() {
        state.withLock { $0.leave }?()
    }

    /// Handles a signal. Returns true for the first one and for those that count as one with it.
    func receive(_ signal: Int32, now: ContinuousClock.Instant = .now) -> Bool {
        let (isFirst, cancel) = state.withLock { state in
            if let time = state.time { return (time.duration(to: now) < Self.sameTime, (@Sendable () -> Void)?.none) }
            state.signal = signal
            state.time = now
            return (true, state.cancel)
        }
        cancel?()
        return isFirst
    }
}
