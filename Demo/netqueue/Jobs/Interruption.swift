import NetworkQueueKit

/// What the user does to a run from outside: pauses it, and ends it with a signal. The first signal cancels, a second one
/// leaves at once.
///
/// Within a fifth of a second both are one: `timeout` sends its signal to the program and to the group that it is in.
final class Interruption: Sendable {
    private static let sameTime = Duration.milliseconds(200)

    private struct State {
        var signal: Int32?
        var time: ContinuousClock.Instant?
        var cancel: (@Sendable () -> Void)?
        var leave: (@Sendable () -> Void)?
        var pause: (@Sendable (Bool) -> Void)?
        var isPaused = false
    }

    private let state = Locked(State())

    /// The first signal; `nil` while none has come.
    var signal: Int32? { state.withLock { $0.signal } }

    /// Sets what the first signal does. If it has come already, this happens at once.
    func onFirstSignal(_ cancel: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.cancel = cancel
            return state.signal != nil
        }
        if hasCome { cancel() }
    }

    /// Sets what a pause and its end do.
    func onPause(_ pause: @escaping @Sendable (_ isPaused: Bool) -> Void) {
        state.withLock { $0.pause = pause }
    }

    /// Whether the run is paused.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Pauses the run, or lets it go on.
    func setPaused(_ isPaused: Bool) {
        let pause = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            guard let pause = state.pause, state.isPaused != isPaused else { return nil }
            state.isPaused = isPaused
            return pause
        }
        pause?(isPaused)
    }

    /// Sets what is still to be done when a second signal comes.
    func onLeaving(_ leave: @escaping @Sendable () -> Void) {
        state.withLock { $0.leave = leave }
    }

    /// Does what is still to be done before the program leaves.
    func leave() {
        state.withLock { $0.leave }?()
    }

    /// Takes a signal. Returns whether it was the first one, or the same again.
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
