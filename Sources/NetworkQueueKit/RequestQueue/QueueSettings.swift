/// Which requests run, in which order and how fast: settings that both queues and their configurations have.
///
/// They are written as if they were the queue's own, `queue.mode = .lastInFirstOut`. All may be changed while the queue runs, and apply at
/// once to what waits. Where 0 means no limit, less is kept as 0.
public struct QueueSettings: Sendable {
    /// How many requests run at a time; 0 means no limit. Default 2 in a ``RequestQueue``, 4 in a ``NetworkQueue``. Raising it starts more
    /// at once, lowering it lets the running ones end.
    public var maxConcurrentRequestCount: Int {
        didSet { maxConcurrentRequestCount = max(maxConcurrentRequestCount, 0) }
    }

    /// How many requests to one host run at a time, sizing requests of a ``NetworkQueue`` among them; `nil`, the default, and 0 mean no
    /// limit. Ports are not told apart, and a request that is redirected still counts for the host that was asked first.
    public var maxConcurrentRequestCountPerHost: Int? {
        didSet { maxConcurrentRequestCountPerHost = maxConcurrentRequestCountPerHost.map { max($0, 0) } }
    }

    /// Which waiting request of one priority starts next. Default `.firstInFirstOut`.
    public var mode = QueueMode.firstInFirstOut

    /// Whether equal requests may be in the queue at a time. Default `false` in a ``RequestQueue``, `true` in a ``NetworkQueue``.
    ///
    /// When they may not, adding a request that equals one still in the queue, waiting or running, cancels the earlier one.
    public var allowsDuplicateRequests: Bool

    /// How many bytes of content may move per second, in both directions and all running requests together; `nil`, the default, and 0
    /// mean no limit. A change takes effect within 100 ms, for running requests too.
    ///
    /// Over ten seconds ``CurlTransport`` keeps to the limit within 5 %. What the system buffers for a connection comes on top
    /// at its beginning, and header fields are not counted. ``URLSessionTransport`` cannot slow down a request that runs: there
    /// the next ones wait until the limit has caught up with what was moved.
    public var maxBytesPerSecond: Int? {
        didSet { maxBytesPerSecond = maxBytesPerSecond.map { max($0, 0) } }
    }

    /// Creates the settings of a kind of queue, which differ in these two.
    init(maxConcurrentRequestCount: Int, allowsDuplicateRequests: Bool) {
        self.maxConcurrentRequestCount = maxConcurrentRequestCount
        self.allowsDuplicateRequests = allowsDuplicateRequests
    }
}
