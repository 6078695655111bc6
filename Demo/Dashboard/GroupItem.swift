import NetworkQueueKit

/// A group of transfers, some of which are in progress.
public struct GroupItem: Sendable, Hashable {
    /// The displayed name.
    public var name: String
    /// The group's progress. Its total may count requests that the queue has not read yet.
    public var progress: NetworkQueue.Progress

    /// Creates a group.
    public init(name: String, progress: NetworkQueue.Progress) {
        self.name = name
        self.progress = progress
    }
}
