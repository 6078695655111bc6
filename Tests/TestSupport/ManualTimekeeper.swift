import Dispatch
import NetworkQueueKit

/// A clock that stands still until a test advances it.
package final class ManualTimekeeper: Timekeeper {
    private struct State {
        var now = Duration.zero
        var latest = 0
        var calls: [Int: (due: Duration, body: @Sendable () -> Void)] = [:]
    }

    private final class Call: ScheduledCall {
        let number: Int
        let owner: ManualTimekeeper

        init(number: Int, owner: ManualTimekeeper) {
            self.number = number
            self.owner = owner
        }

        func cancel() {
            owner.state.withLock { $0.calls[number] = nil }
        }
    }

    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "ManualTimekeeper")

    package init() {}

    package var now: Duration { state.withLock { $0.now } }

    /// How many calls wait for their time.
    package var scheduledCount: Int { state.withLock { $0.calls.count } }

    /// A call without a delay is made at once: its time has come, even on a clock that stands still.
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        schedule(body) { $0 + delay }
    }

    package func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        schedule(body) { _ in time }
    }

    private func schedule(_ body: @escaping @Sendable () -> Void, due: (_ now: Duration) -> Duration)
        -> any ScheduledCall
    {
        let (number, isDue) = state.withLock { state in
            let due = due(state.now)
            state.latest += 1
            state.calls[state.latest] = (due, body)
            return (state.latest, due <= state.now)
        }
        if isDue { queue.async { self.advance(by: .zero) } }
        return Call(number: number, owner: self)
    }

    /// Moves the time on and makes the calls that fall due, in order, on the calling thread.
    package func advance(by duration: Duration) {
        let end = now + duration
        while let body = nextCall(until: end) { body() }
        state.withLock { $0.now = max($0.now, end) }
    }

    private func nextCall(until end: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.calls.filter { $0.value.due <= end }
            guard let next = due.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }) else { return nil }
            state.calls[next.key] = nil
            state.now = max(state.now, next.value.due)
            return next.value.body
        }
    }
}
