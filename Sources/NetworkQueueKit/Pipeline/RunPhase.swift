/// Where a ``RequestRun`` stands.
enum RunPhase {
    /// An attempt is under way.
    case attempting
    /// The next attempt waits for its time.
    case delayed((any ScheduledCall)?)
    /// The next attempt waits for a slot.
    case queued
    /// The content is whole and being put in its place; nothing can be cancelled any more.
    case finishing
    case ended
}
