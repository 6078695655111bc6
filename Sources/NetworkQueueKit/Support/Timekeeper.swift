import Dispatch
import Foundation

/// The library's source of time, which tests can replace.
package protocol Timekeeper: Sendable {
    /// The time since an arbitrary fixed moment. Never decreases.
    var now: Duration { get }
    /// Runs `body` once after `delay`, on any thread.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall
    /// Runs `body` once when `now` has reached `time`. Time that passes between the caller's reading of `now` and this
    /// call does not lengthen the wait.
    func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall
}

extension Timekeeper {
    package func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        schedule(after: time - now, body)
    }
}

/// A scheduled call, which can be canceled.
package protocol ScheduledCall: AnyObject, Sendable {
    /// Cancels the call. A call that has begun continues.
    func cancel()
}

/// The system's monotonic clock, which by default continues while the system sleeps.
package struct SystemTimekeeper: Timekeeper {
    private static let queue = DispatchQueue(label: "NetworkQueueKit.timer", attributes: .concurrent)

    private let clock: clockid_t

    /// - Parameter stopsInSleep: whether `now` stops while the system sleeps.
    package init(stopsInSleep: Bool = false) {
        clock = stopsInSleep ? SystemClock.awake : SystemClock.continuous
    }

    package var now: Duration { .time(of: clock) }

    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        let call = DispatchedCall(body)
        Self.queue.asyncAfter(deadline: .now() + delay.dispatchInterval) { call.run() }
        return call
    }

    /// Dispatch keeps a block until its time, even if it is canceled, perhaps for hours. So the block holds only this
    /// object.
    private final class DispatchedCall: ScheduledCall {
        private let body: Guarded<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = Guarded(body)
        }

        func run() { take()?() }

        // Released outside the lock: the closure may own anything.
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
    /// The current time of a system clock.
    ///
    /// `ContinuousClock` takes three times as long, and every request reads the time several times.
    static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The duration in milliseconds, rounded up, at least 1 for a positive one.
    var wholeMilliseconds: Int {
        let milliseconds = (seconds * 1000).rounded(.up)
        return milliseconds < Double(Int32.max) ? Int(milliseconds) : Int(Int32.max)
    }

    /// The duration for Dispatch; a very long one becomes `.never`.
    package var dispatchInterval: DispatchTimeInterval {
        guard self < .longest else { return .never }
        return .nanoseconds(Int(seconds * 1e9))
    }
}

/// A timer. A value: its owner starts and cancels the calls.
struct Alarm: Sendable {
    private(set) var deadline: Duration?
    private var call: (any ScheduledCall)?

    /// Records when the alarm is due, `nil` for never; returns whether that is a change.
    mutating func set(to deadline: Duration?) -> Bool {
        guard self.deadline != deadline else { return false }
        self.deadline = deadline
        return true
    }

    /// Records the scheduled call; returns the former one, which is to be canceled.
    mutating func replaceCall(with call: (any ScheduledCall)?) -> (any ScheduledCall)? {
        defer { self.call = call }
        return self.call
    }

    /// Records that an alarm set for `deadline` rings; returns whether it is still valid.
    mutating func didRing(at deadline: Duration) -> Bool {
        guard self.deadline == deadline else { return false }
        self = Alarm()
        return true
    }
}
