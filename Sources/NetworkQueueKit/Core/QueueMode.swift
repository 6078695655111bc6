/// Which waiting request of one priority starts next.
public enum QueueMode: Sendable, Hashable, CaseIterable {
    /// The one that was added first.
    case firstInFirstOut
    /// The one that was added last. Running requests go on.
    case lastInFirstOut
}
