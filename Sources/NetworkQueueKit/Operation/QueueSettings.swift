/// Which requests run, in which order and how fast: settings that both queues and their configurations have.
///
/// They are written as if they were the queue's own, `queue.mode = .lastInFirstOut`. All may be changed while the queue runs, and apply at
/// once to what waits. Where 0 means no limit, less is kept as 0.
public struct QueueSettings: Sendable {
    /// See ``RequestQueueing/maxConcurrentRequestCount``.
    public var maxConcurrentRequestCount: Int {
        didSet { maxConcurrentRequestCount = max(maxConcurrentRequestCount, 0) }
    }

    /// See ``RequestQueueing/maxConcurrentRequestCountPerHost``.
    public var maxConcurrentRequestCountPerHost: Int? {
        didSet { maxConcurrentRequestCountPerHost = maxConcurrentRequestCountPerHost.map { max($0, 0) } }
    }

    /// See ``RequestQueueing/mode``.
    public var mode = QueueMode.firstInFirstOut

    /// See ``RequestQueueing/allowsDuplicateRequests``.
    public var allowsDuplicateRequests: Bool

    /// See ``RequestQueueing/maxBytesPerSecond``.
    public var maxBytesPerSecond: Int? {
        didSet { maxBytesPerSecond = maxBytesPerSecond.map { max($0, 0) } }
    }

    /// Creates the settings of a kind of queue, which differ in these two.
    init(maxConcurrentRequestCount: Int, allowsDuplicateRequests: Bool) {
        self.maxConcurrentRequestCount = maxConcurrentRequestCount
        self.allowsDuplicateRequests = allowsDuplicateRequests
    }
}
