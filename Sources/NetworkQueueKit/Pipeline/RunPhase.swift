/// Where a ``RequestRun`` stands.
enum RunPhase: Sendable {
    /// An exchange is under way, or its end is being dealt with.
    case active
    /// Somebody is being asked. A cancellation is only noted: the question must not be told of after the end.
    case asking
    /// Somebody else's answer is awaited: an adapter, a processor, a retry decider, the delegate, or whoever has a
    /// credential. The task, where there is one, is theirs.
    case pending(Task<Void, Never>?)
    /// The next attempt waits for its time.
    case delayed(RetryWait)
    /// The next attempt waits for a slot.
    case queued
    /// The content is whole and being put in its place; nothing can be cancelled any more.
    case finishing
    case ended
}
