/// Where a ``RequestRun`` stands.
enum RunPhase {
    /// An attempt is under way.
    case attempting
    /// The next attempt waits for its time.
    case delayed((any ScheduledCall)?)
    /// The next attempt waits for a slot.
    case queued
    case ended
}
