import Dispatch
import Foundation

/// The library's source of time, so that tests can turn the clock themselves.
package protocol Timekeeper: Sendable {
    /// The time since an arbitrary fixed moment; never goes back.
    var now: Duration { get }
    /// Runs `body` once after `delay`, on a thread of the timekeeper's choosing.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall
    /// Runs `body` once when `now` has come to `time`. Time that passes between the caller's look at `now` and this
    /// call is not added to the wait.
    func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall
}

extension Timekeeper {
    package func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        schedule(after: time - now, body)
    }
}

/// A call that was scheduled and can be called off.
package protocol ScheduledCall: AnyObject, Sendable {
    /// Calls it off. A call that has begun goes on.
    func cancel()
}

/// The system's monotonic clock, which goes on while the system sleeps unless it is asked not to.
package struct SystemTimekeeper: Timekeeper {
    private static let queue = DispatchQueue(label: "NetworkQueueKit.timer", attributes: .concurrent)

    private let clock: clockid_t

    /// - Parameter stopsInSleep: whether `now` stands still while the system sleeps.
    package init(stopsInSleep: Bool = false) {
        clock = stopsInSleep ? SystemClock.awake : SystemClock.continuous
    }

    package var now: Duration { .time(of: clock) }

    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        let call = DispatchedCall(body)
        Self.queue.asyncAfter(deadline: .now() + delay.dispatchInterval) { call.run() }
        return call
    }

    /// Dispatch keeps a block until its time, cancelled or not, which may be hours away: so the block has only this.
    private final class DispatchedCall: ScheduledCall {
        private let body: Guarded<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = Guarded(body)
        }

        func run() { take()?() }

        // What is let go of may own anything: not under the lock.
        func cancel() { withExtendedLifetime(take()) {} }

        private func take() -> (@Sendable () -> Void)? {
            body.withLock { body in
                defer { body = nil }
                return body
            }
        }
    }
}

extension Duration {
    /// What a clock of the system shows.
    ///
    /// `ContinuousClock` takes three times as long for it, and every request asks several times.
    static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration in milliseconds, rounded up, at least 1 for a positive one.
    var wholeMilliseconds: Int {
        let milliseconds = (seconds * 1000).rounded(.up)
        return milliseconds < Double(Int32.max) ? Int(milliseconds) : Int(Int32.max)
    }

    /// The duration for Dispatch; a very long one becomes `.never`.
    package var dispatchInterval: DispatchTimeInterval {
        guard self < .seconds(1_000_000_000) else { return .never }
        return .nanoseconds(Int(seconds * 1e9))
    }
}

/// The timers of a queue, one for each purpose. A value: what sets a timer, and calls one off, is up to the queue.
struct AlarmSet<Purpose: Hashable & Sendable>: Sendable {
    private var deadlines: [Purpose: Duration] = [:]
    private var calls: [Purpose: any ScheduledCall] = [:]

    /// Notes when an alarm is to ring, `nil` for never; returns whether that is a change.
    mutating func set(_ purpose: Purpose, to deadline: Duration?) -> Bool {
        guard deadlines[purpose] != deadline else { return false }
        deadlines[purpose] = deadline
        return true
    }

    /// When an alarm is to ring.
    func deadline(of purpose: Purpose) -> Duration? { deadlines[purpose] }

    /// Notes what will ring; returns what is to be called off.
    mutating func replaceCall(of purpose: Purpose, with call: (any ScheduledCall)?) -> (any ScheduledCall)? {
        defer { calls[purpose] = call }
        return calls[purpose]
    }

    /// Notes that an alarm rings which was set for `deadline`; returns whether it still counts.
    mutating func didRing(_ purpose: Purpose, at deadline: Duration) -> Bool {
        guard deadlines[purpose] == deadline else { return false }
        deadlines[purpose] = nil
        calls[purpose] = nil
        return true
    }
}
