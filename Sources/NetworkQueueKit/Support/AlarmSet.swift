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
