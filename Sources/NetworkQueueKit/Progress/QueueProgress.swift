/// How far a run has come: one consistent snapshot of its requests, its bytes, its speed and the time that is left.
///
/// Every member was read at the same moment, so that the numbers of one value fit each other. A value that is not known
/// is `nil`, never 0, -1 or NaN.
///
/// | Member | What it is for |
/// |---|---|
/// | ``fractionCompleted`` | The bar. Never goes back within a run; 1 only when the run is over. |
/// | ``download``, ``upload`` | The label under the bar. They go back when an attempt fails. |
/// | ``bytesPerSecond``, ``estimatedTimeRemaining`` | The speed and the clock. Smoothed, `nil` until meaningful. |
/// | ``counts`` | "37 of 400 files". Never mixed with bytes. |
public struct QueueProgress: Sendable, Hashable {
    /// What the queue is doing.
    public var phase: Phase
    /// How many of the sizes are known that servers are asked for; `nil` when none is being asked for.
    ///
    /// In the phase ``Phase/sizing(completed:total:)``, and for as long as answers that were late come in beside the
    /// transfers.
    public var sizing: Sizing?
    /// How many requests are in which state.
    public var counts: Counts
    /// The response bodies.
    public var download: Bytes
    /// The request bodies.
    public var upload: Bytes
    /// The part of the run that is done, 0 to 1, for display.
    ///
    /// It is the bytes transferred ÷ the bytes expected, over both directions. With `showsAccurateProgress` off, or
    /// while the size of some transfer can be neither told nor estimated, or when there is nothing but empty bodies, it
    /// is the requests finished ÷ the requests that have not failed or been cancelled.
    ///
    /// It never decreases within a run: where a retry, a late request or a new size would take it back, it waits. It is
    /// 0 until the first transfer, 0.999 at most while the run goes on (a label that truncates says 99 %), and exactly
    /// 1 once the run has finished, however its requests ended.
    public var fractionCompleted: Double
    /// The speed of both directions together in bytes per second, at least 1; `nil` while none can be told.
    ///
    /// Bytes that cross the network count, including those of an attempt that fails later; resumed bytes do not. The
    /// value is smoothed exponentially over about 10 s. It is `nil` in the first half second and below one byte per
    /// second; when nothing arrives it decays, and after 60 s it is `nil` again.
    public var bytesPerSecond: Double?
    /// The expected bytes that are missing ÷ ``bytesPerSecond``.
    ///
    /// It is `nil` when either is unknown, when no bytes are missing, and above 100 days.
    public var estimatedTimeRemaining: Duration?

    /// Creates a snapshot by hand, for a preview or a test.
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
    /// What the queue is doing; a run goes through the phases from top to bottom and may leave `sizing` out.
    public enum Phase: Sendable, Hashable {
        /// Waits for `go()`.
        case idle
        /// Asks servers for sizes, before the first request starts: `completed` of `total` answers are in.
        case sizing(completed: Int, total: Int)
        /// Requests run; sizes that were late may still come in.
        case transferring
        /// Every request has ended.
        case finished
    }

    /// How far asking for sizes is.
    public struct Sizing: Sendable, Hashable {
        /// How many are settled: told, or not to be had, or not wanted any more.
        public var completed: Int
        /// How many there are; requests with the same URL and header fields count once.
        public var total: Int

        /// Creates counts by hand.
        public init(completed: Int = 0, total: Int = 0) {
            self.completed = completed
            self.total = total
        }
    }

    /// How many requests of a run are in which state: `total` is the sum of the seven others.
    public struct Counts: Sendable, Hashable {
        /// All requests of the run, ended ones included.
        public var total: Int
        /// Requests that wait for a slot.
        public var waiting: Int
        /// Requests with an attempt under way.
        public var running: Int
        /// Requests that are paused.
        public var paused: Int
        /// Requests that wait for their next attempt, after one that failed.
        public var retrying: Int
        /// Requests that succeeded.
        public var finished: Int
        /// Requests that failed for good.
        public var failed: Int
        /// Requests that were cancelled.
        public var cancelled: Int

        /// Creates counts by hand; `total` is computed.
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

    /// The bytes of one direction, as they cross the network: a compressed body counts compressed, headers do not
    /// count.
    public struct Bytes: Sendable, Hashable {
        /// The bytes that are there: of finished requests, of attempts under way, and what those resumed from.
        ///
        /// It tells how far the content is, not what the run has cost: that is ``NetworkQueue/Summary/bytesReceived``,
        /// without what was resumed. A failed attempt's bytes leave again, and so do those of a request that fails or
        /// is cancelled.
        public var transferred: Int64
        /// The bytes there will be in all, never below ``transferred``; `nil` when this can be neither told nor
        /// estimated.
        ///
        /// A finished request counts what it transferred, a failed or cancelled one nothing. The response to a request
        /// with a body joins when its length is known.
        public var expected: Int64?
        /// Whether ``expected`` contains sizes that are not known yet, taken to be the mean of the known ones.
        public var isEstimated: Bool

        /// Creates byte counts by hand.
        public init(transferred: Int64 = 0, expected: Int64? = nil, isEstimated: Bool = false) {
            self.transferred = transferred
            self.expected = expected
            self.isEstimated = isEstimated
        }
    }
}
