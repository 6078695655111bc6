import Dispatch
import NetworkQueueKit

/// A clock that stands still until a test advances it, for queues whose waits must not take real time.
///
/// ```swift
/// let clock = ManualClock()
/// let queue = RequestQueue(transport: transport, clock: clock)
/// queue.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(5)))
/// let operation = queue.add(request)
/// await clock.waitForScheduledCalls(1)  // the first attempt has failed
/// clock.advance(by: .seconds(5))  // the second begins
/// ```
///
/// A queue takes all time from this clock: retry delays, rates, durations and, in a `NetworkQueue`, the sizing timeout
/// and progress intervals. Calls are scheduled for retry delays, holds after `Retry-After`, total timeouts, the sizing
/// timeout, progress intervals, delayed progress handlers (4 ms) and `progressUpdates`.
public final class ManualClock: Timekeeper {
    private struct State {
        var now = Duration.zero
        var latest = 0
        var calls: [Int: (due: Duration, body: @Sendable () -> Void)] = [:]
        /// The number of calls that were due when they were scheduled, and of those of them that have been made.
        var dueCount = 0
        var madeCount = 0
    }

    private final class Call: ScheduledCall {
        let number: Int
        let owner: ManualClock

        init(number: Int, owner: ManualClock) {
            self.number = number
            self.owner = owner
        }

        func cancel() {
            owner.state.withLock { $0.calls[number] = nil }
        }
    }

    private let state = Guarded(State())
    private let waiters = WaiterList()
    private let queue = DispatchQueue(label: "ManualClock")

    /// Creates a clock whose time is zero.
    public init() {}

    /// The total duration by which the clock has been advanced.
    public var now: Duration { state.withLock { $0.now } }

    /// The number of calls that are waiting for their time.
    public var scheduledCount: Int { state.withLock { $0.calls.count } }

    /// Waits until at least `count` calls are scheduled or the task is canceled.
    public func waitForScheduledCalls(_ count: Int) async {
        await waiters.wait { [self] in scheduledCount >= count }
    }

    /// Whether no call that was due when it was scheduled is being made or about to be, and none has been since before
    /// `isAtWork` was called; see `ScriptedTransport.isQuiet(besides:)`.
    package func isQuiet(besides isAtWork: () -> Bool) -> Bool {
        let madeCount = state.withLock { $0.madeCount }
        return !isAtWork() && state.withLock { $0.dueCount } == madeCount
    }

    /// Schedules a call. A call without a delay is made immediately, because it is already due.
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        schedule(body) { $0 + delay.bounded }
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
        if waiters.hasWaiters { waiters.check() }
        if isDue {
            state.withLock { $0.dueCount += 1 }
            queue.async {
                self.advance(by: .zero)
                self.state.withLock { $0.madeCount += 1 }
            }
        }
        return Call(number: number, owner: self)
    }

    /// Advances the time, by about 30 years at most, and makes the calls that become due, in order, on the calling
    /// thread.
    public func advance(by duration: Duration) {
        let end = now + duration.bounded
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
