import Synchronization

/// A speed limit shared by the exchanges of one queue, or of all queues that have it as their `bandwidthLimit`.
///
/// An exchange moves one portion, is charged for it, and then waits for its turn. So the total exceeds the limit by at
/// most about one portion per exchange. A portion is what the limit allows in 10 ms, but at least 1 KiB and at most
/// 64 KiB. Long waits are split into short ones, and the bucket is asked again after each, so a new limit applies to
/// all exchanges within 100 ms.
public final class BandwidthLimit: ExchangePacer {
    private static let longestRest = Duration.milliseconds(100)
    private static let portions = 1024...65_536

    /// Locked under the queue's lock when the limit changes, otherwise on its own. No other lock is taken under it.
    private let bucket = Guarded(TokenBucket())
    /// The limit, readable without the lock, since most queues never have one: 0 means no limit, and a negative value
    /// that none was set.
    private let rate = Atomic(-1)
    private let timekeeper: any Timekeeper

    /// Creates a limit in bytes per second for both directions together. `nil` and 0 mean no limit.
    public convenience init(bytesPerSecond: Int?) {
        self.init(bytesPerSecond, timekeeper: SystemTimekeeper())
    }

    init(_ bytesPerSecond: Int?, timekeeper: any Timekeeper) {
        self.timekeeper = timekeeper
        self.bytesPerSecond = bytesPerSecond
    }

    /// The limit in bytes per second for both directions together.
    ///
    /// `nil` and 0 mean no limit; negative values are treated as 0. A change takes effect within 100 ms, also for
    /// running requests.
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

    /// The limit, or `nil` if there is none.
    private var limit: Int? {
        let rate = rate.load(ordering: .relaxed)
        return rate > 0 ? rate : nil
    }

    /// The maximum number of bytes to move at a time; see ``ExchangePacer``.
    public var portion: Int {
        guard let limit else { return .max }
        return min(max(limit / 100, Self.portions.lowerBound), Self.portions.upperBound)
    }

    /// Charges bytes that were moved and returns the mark to wait for; see ``ExchangePacer``.
    public func charge(_ byteCount: Int) -> Int64 {
        guard limit != nil else { return -1 }
        return bucket.withLock { $0.charge(byteCount, now: timekeeper.now) }
    }

    /// Returns how long to wait before asking again, at most 100 ms; see ``ExchangePacer``.
    public func delay(until mark: Int64) -> Duration {
        guard limit != nil else { return .zero }
        return min(bucket.withLock { $0.delay(until: mark, now: timekeeper.now) }, Self.longestRest)
    }
}
