/// A consistent snapshot of a run's progress: its requests, its bytes, its speed and the remaining time.
///
/// All members were read at the same moment, so that they fit each other. An unknown value is `nil`, never 0, -1 or
/// NaN.
///
/// | Member | Use |
/// |---|---|
/// | ``fractionCompleted`` | The progress bar. Never decreases within a run; 1 only when the run is over. |
/// | ``download``, ``upload`` | The label under the bar. They decrease when an attempt fails. |
/// | ``bytesPerSecond``, ``estimatedTimeRemaining`` | Speed and remaining time. Smoothed; `nil` until meaningful. |
/// | ``counts`` | "37 of 400 files". Never mixed with bytes. |
public struct QueueProgress: Sendable, Hashable {
    /// The phase of the queue.
    public var phase: Phase
    /// The progress of sizing; `nil` if no sizes are being requested.
    ///
    /// Sizes are requested in the phase ``Phase/sizing(completed:total:)``. Those that are late are requested beside
    /// the transfers.
    public var sizing: Sizing?
    /// The number of requests in each state.
    public var counts: Counts
    /// The bytes of the response bodies.
    public var download: Bytes
    /// The bytes of the request bodies.
    public var upload: Bytes
    /// The completed fraction of the run, 0 to 1, for display.
    ///
    /// It is the bytes transferred ÷ the bytes expected, in both directions together. With `showsAccurateProgress` off,
    /// while the size of a transfer is neither known nor estimable, or if all bodies are empty, it is the requests
    /// finished ÷ the requests that have not failed or been canceled.
    ///
    /// It never decreases within a run: if a retry, a late request or a new size would decrease it, it stands still. It
    /// is 0 until the first transfer, at most 0.999 while the run continues (a label that truncates shows 99 %), and
    /// exactly 1 once the run has finished, however its requests ended.
    public var fractionCompleted: Double
    /// The speed in bytes per second, both directions together, at least 1; `nil` while unknown.
    ///
    /// Bytes that cross the network count, including those of an attempt that fails later; resumed bytes do not. The
    /// value is smoothed exponentially over about 10 s. It is `nil` in the first half second and below one byte per
    /// second. When nothing arrives it decays, and after 60 s it is `nil` again. It is measured anew once all requests
    /// that ran have been paused.
    public var bytesPerSecond: Double?
    /// The missing bytes ÷ ``bytesPerSecond``. With a ``RequestQueueing/requestRate``, at least the time in which the
    /// waiting requests start.
    ///
    /// It is `nil` if either is unknown, if no bytes are missing, if none has moved for 3 s, and above 100 days.
    public var estimatedTimeRemaining: Duration?

    /// Creates a snapshot, for a preview or a test.
    public init(
        phase: Phase = .idle,
        counts: Counts = Counts(),
        download: Bytes = Bytes(),
        upload: Bytes = Bytes(),
        fractionCompleted: Double = 0,
        bytesPerSecond: Double? = nil,
        estimatedTimeRemaining: Duration? = nil,
        sizing: Sizing? = nil
    ) {
        self.phase = phase
        self.counts = counts
        self.download = download
        self.upload = upload
        self.fractionCompleted = fractionCompleted
        self.bytesPerSecond = bytesPerSecond
        self.estimatedTimeRemaining = estimatedTimeRemaining
        self.sizing = sizing
    }
}

extension QueueProgress {
    /// The phases of a queue. A run passes through them in this order and may skip `sizing`.
    public enum Phase: Sendable, Hashable {
        /// The queue waits for `go()`.
        case idle
        /// The queue requests sizes before the first request starts; `completed` of `total` are settled.
        case sizing(completed: Int, total: Int)
        /// Requests run. Late sizes may still arrive.
        case transferring
        /// Every request has ended.
        case finished
    }

    /// The progress of sizing.
    public struct Sizing: Sendable, Hashable, Codable {
        /// The number of sizes that were answered, could not be determined or are no longer needed.
        public var completed: Int
        /// The number of all sizes. Requests with the same URL, header fields, credential and adapters count once, but
        /// each counts in ``NetworkQueue/run(adding:expectedCount:isolation:)``.
        public var total: Int

        /// Creates counts, for a preview or a test.
        public init(completed: Int = 0, total: Int = 0) {
            self.completed = completed
            self.total = total
        }
    }

    /// The number of requests of a run in each state. `total` is the sum of the other seven.
    public struct Counts: Sendable, Hashable, Codable {
        /// All requests of the run, including ended ones.
        public var total: Int
        /// Requests that wait for a slot.
        public var waiting: Int
        /// Requests with an attempt under way.
        public var running: Int
        /// Requests that are paused.
        public var paused: Int
        /// Requests that wait for another attempt after a failed one.
        public var retrying: Int
        /// Requests that succeeded.
        public var finished: Int
        /// Requests that failed for good.
        public var failed: Int
        /// Requests that were canceled.
        public var cancelled: Int

        /// Creates counts, for a preview or a test; `total` is computed.
        public init(
            waiting: Int = 0, running: Int = 0, paused: Int = 0, retrying: Int = 0,
            finished: Int = 0, failed: Int = 0, cancelled: Int = 0
        ) {
            self.total = waiting + running + paused + retrying + finished + failed + cancelled
            self.waiting = waiting
            self.running = running
            self.paused = paused
            self.retrying = retrying
            self.finished = finished
            self.failed = failed
            self.cancelled = cancelled
        }
    }

    /// The bytes of one direction, as they cross the network: a compressed body counts compressed, and headers do not
    /// count.
    public struct Bytes: Sendable, Hashable, Codable {
        /// The bytes transferred by finished requests and by attempts under way, including those from which they
        /// resumed.
        ///
        /// It shows how much of the content exists, not how much this run has received;
        /// ``NetworkQueue/Summary/bytesReceived`` leaves out resumed bytes. When an attempt fails, its bytes are
        /// subtracted again, and so are those of a request that fails or is canceled.
        public var transferred: Int64
        /// The expected total, never below ``transferred``; `nil` if it is neither known nor estimable.
        ///
        /// A finished request counts the bytes it transferred, a failed or canceled one none. The response to a
        /// request with a body is included once its length is known.
        public var expected: Int64?
        /// Whether ``expected`` includes unknown sizes, which are taken to be the mean of the known ones.
        public var isEstimated: Bool

        /// Creates byte counts, for a preview or a test.
        public init(transferred: Int64 = 0, expected: Int64? = nil, isEstimated: Bool = false) {
            self.transferred = transferred
            self.expected = expected
            self.isEstimated = isEstimated
        }
    }
}
