import Synchronization

/// A speed that exchanges share: those of one queue, or of all queues that are given the same limit as their
/// `bandwidthLimit`.
///
/// An exchange moves a portion, is charged for it and rests until its turn comes again; a portion is what the limit
/// allows in 10 ms, so that the sum keeps to it from one second to the next however many exchanges there are. Rests are
/// cut into short ones, after each of which the bucket is asked again, so that a new limit holds for all exchanges at
/// once.
public final class BandwidthLimit: ExchangePacer {
    private static let longestRest = Duration.milliseconds(100)
    private static let portions = 1024...65_536

    /// Taken under the lock of the queue when the limit changes, otherwise alone. No other is taken under it.
    private let bucket = Guarded(TokenBucket())
    /// The limit, as far as it can be read without the lock; 0 means none, and less that none was given. Most queues
    /// never have one.
    private let rate = Atomic(-1)
    private let timekeeper: any Timekeeper

    /// Creates a limit of so many bytes per second in both directions together; `nil` and 0 mean none.
    public convenience init(bytesPerSecond: Int?) {
        self.init(bytesPerSecond, timekeeper: SystemTimekeeper())
    }

    init(_ bytesPerSecond: Int?, timekeeper: any Timekeeper) {
        self.timekeeper = timekeeper
        self.bytesPerSecond = bytesPerSecond
    }

    /// Bytes per second in both directions together; `nil` and 0 mean no limit, and less counts as 0. A change takes
    /// effect within 100 ms, for running requests too.
    public var bytesPerSecond: Int? {
        get {
            let rate = rate.load(ordering: .relaxed)
            return rate < 0 ? nil : rate
        }
        set {
            let newRate = newValue.map { max($0, 0) }
            bucket.withLock { bucket in
                bucket.setRate(newRate == 0 ? nil : newRate, now: timekeeper.now)
                rate.store(newRate ?? -1, ordering: .relaxed)
            }
        }
    }

    /// The limit, where there is one.
    private var limit: Int? {
        let rate = rate.load(ordering: .relaxed)
        return rate > 0 ? rate : nil
    }

    /// See ``ExchangePacer``.
    public var portion: Int {
        guard let limit else { return .max }
        return min(max(limit / 100, Self.portions.lowerBound), Self.portions.upperBound)
    }

    /// See ``ExchangePacer``.
    public func charge(_ byteCount: Int) -> Int64 {
        guard limit != nil else { return -1 }
        return bucket.withLock { $0.charge(byteCount, now: timekeeper.now) }
    }

    /// See ``ExchangePacer``.
    public func delay(until mark: Int64) -> Duration {
        guard limit != nil else { return .zero }
        return min(bucket.withLock { $0.delay(until: mark, now: timekeeper.now) }, Self.longestRest)
    }
}
