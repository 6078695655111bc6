import Dispatch

/// The library's source of time, so that tests can turn the clock themselves.
package protocol Timekeeper: Sendable {
    /// The time since an arbitrary fixed moment; never goes back.
    var now: Duration { get }
    /// Runs `body` once after `delay`, on a thread of the timekeeper's choosing.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall
}

/// A call that was scheduled and can be called off.
package protocol ScheduledCall: Sendable {
    /// Calls it off. A call that has begun goes on.
    func cancel()
}

/// The system's monotonic clock.
package struct SystemTimekeeper: Timekeeper {
    private static let epoch = ContinuousClock.now
    private static let queue = DispatchQueue(label: "NetworkQueueKit.timer", attributes: .concurrent)

    package init() {}

    package var now: Duration { Self.epoch.duration(to: .now) }

    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
        let item = DispatchWorkItem(block: body)
        Self.queue.asyncAfter(deadline: .now() + delay.dispatchInterval, execute: item)
        return DispatchedCall(item: item)
    }

    /// `DispatchWorkItem.cancel()` may be called from any thread; Dispatch does not declare the class `Sendable`.
    private struct DispatchedCall: ScheduledCall, @unchecked Sendable {
        let item: DispatchWorkItem

        func cancel() { item.cancel() }
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration for Dispatch; a very long one becomes `.never`.
    package var dispatchInterval: DispatchTimeInterval {
        guard self < .seconds(1_000_000_000) else { return .never }
        return .nanoseconds(Int(seconds * 1e9))
    }
}
