import Foundation

/// Estimates the speed of a transfer: an exponentially weighted mean that starts without bias, decays during a stall
/// and is `nil`, not 0, while unknown.
///
/// Record the running total at any time, and ask for the speed at any time.
///
/// | | |
/// |---|---|
/// | after an interval of `t` s with `n` bytes | `value = value × d + n/t × (1 − d)`, `weight = weight × d + (1 − d)`, `d = exp(−t/10)` |
/// | rate, `t` s after the last sample | `value × d ÷ (weight × d + (1 − d))` |
/// | nil | before the first byte, in the first ``minimumSpan``, below 1 byte/s, ``stallLimit`` after the last byte |
///
/// Dividing by the weight removes the bias: from the first interval on, the rate is a weighted mean of the
/// measurements. The wait for the first byte is not measured. After a stall of ``stallLimit``, the next byte starts the
/// measurement anew.
struct RateEstimator {
    /// The age in seconds at which a measurement counts 1/e of a new one.
    static let timeConstant = 10.0
    /// The shortest measurement that gives a rate.
    static let minimumSpan = Duration.milliseconds(500)
    /// The stall after which the rate is unknown.
    static let stallLimit = Duration.seconds(60)
    /// The stall after which the rate predicts nothing.
    static let quietLimit = Duration.seconds(3)
    /// The longest remaining time worth reporting.
    static let longestRemaining = Duration.seconds(100 * 86_400)
    /// Shorter intervals are not evaluated: their bytes count in the next one.
    private static let shortestInterval = Duration.milliseconds(1)

    private struct Sample {
        var now: Duration
        var total: Int64
    }

    private struct Mean {
        let start: Duration
        var lastByte: Duration
        var value = 0.0
        var weight = 0.0

        mutating func fold(bytes: Int64, elapsed: Double) {
            let decay = exp(-elapsed / timeConstant)
            value = value * decay + Double(bytes) / elapsed * (1 - decay)
            weight = weight * decay + (1 - decay)
        }
    }

    private var last: Sample?
    private var mean: Mean?

    /// Records the total of bytes transferred so far at `now`, a time since any fixed moment.
    ///
    /// A total below the last one (bytes were subtracted) counts as an interval without bytes. The first total is only
    /// a base.
    mutating func record(_ total: Int64, at now: Duration) {
        let total = max(0, total)
        guard let previous = last else {
            last = Sample(now: now, total: total)
            return
        }
        let elapsed = now - previous.now
        guard elapsed >= Self.shortestInterval else {
            last?.total = min(previous.total, total)
            return
        }
        last = Sample(now: now, total: total)
        let bytes = total - previous.total
        if bytes > 0 {
            var mean = self.mean ?? Mean(start: previous.now, lastByte: now)
            mean.fold(bytes: bytes, elapsed: elapsed.seconds)
            mean.lastByte = now
            self.mean = mean
        } else if let lastByte = mean?.lastByte, now - lastByte >= Self.stallLimit {
            mean = nil
        } else {
            mean?.fold(bytes: 0, elapsed: elapsed.seconds)
        }
    }

    /// The speed at `now` in bytes per second, at least 1; `nil` while unknown.
    func bytesPerSecond(at now: Duration) -> Double? {
        guard let mean, let last, now - mean.start >= Self.minimumSpan, now - mean.lastByte < Self.stallLimit else {
            return nil
        }
        let decay = exp(-max(0, (now - last.now).seconds) / Self.timeConstant)
        let rate = mean.value * decay / (mean.weight * decay + (1 - decay))
        return rate >= 1 ? rate : nil
    }

    /// The time that `bytes` more take at the speed at `now`.
    ///
    /// `nil` if the speed is unknown, without bytes, after a stall of ``quietLimit``, and above ``longestRemaining``,
    /// which also keeps the value within `Duration`.
    func timeRemaining(for bytes: Double, at now: Duration) -> Duration? {
        guard bytes > 0, let mean, now - mean.lastByte < Self.quietLimit, let rate = bytesPerSecond(at: now) else {
            return nil
        }
        let seconds = bytes / rate
        return seconds <= Self.longestRemaining.seconds ? .seconds(seconds) : nil
    }
}
