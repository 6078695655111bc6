extension ProgressLedger {
    /// The largest fraction of a run that is not over. Both rounding down to whole percents and a bar of less than a
    /// thousand pixels show that it is not full.
    static let fractionLimit = 0.999

    /// The run as it stands at `now`, which is a time since any fixed moment. O(1).
    ///
    /// It changes the ledger because what has been shown binds what will be shown: the fraction never goes back, and
    /// the rate is measured from one snapshot to the next.
    mutating func snapshot(now: Duration) -> QueueProgress {
        rate.record(moved, at: now)
        switch phase {
        case .idle, .sizing: break
        case .transferring: shownFraction = max(shownFraction, min(fraction, Self.fractionLimit))
        case .finished: shownFraction = 1
        }
        return QueueProgress(
            phase: phase,
            counts: counts,
            download: download.snapshot,
            upload: upload.snapshot,
            fractionCompleted: shownFraction,
            bytesPerSecond: rate.bytesPerSecond(at: now),
            estimatedTimeRemaining: timeRemaining(now: now),
            sizing: sizing)
    }

    /// The true fraction, which may go back.
    private var fraction: Double {
        if isAccurate, let bytes, bytes.expected > 0 { return bytes.transferred / bytes.expected }
        // What failed or was cancelled is not work that remains, nor work that is done.
        let wanted = counts.total - counts.failed - counts.cancelled
        return wanted > 0 ? Double(counts.finished) / Double(wanted) : 0
    }

    /// The bytes of both directions.
    ///
    /// Nil while something in flight can be neither told nor estimated: the rest alone would reach its end long before
    /// the run.
    private var bytes: (transferred: Double, expected: Double)? {
        guard download.isMeasurable, upload.isMeasurable else { return nil }
        var sum = (transferred: 0.0, expected: 0.0)
        for tally in [download, upload] {
            guard let expected = tally.expected else { continue }
            sum.transferred += Double(tally.transferred)
            sum.expected += Double(expected)
        }
        return sum
    }

    private func timeRemaining(now: Duration) -> Duration? {
        guard phase != .finished, let bytes else { return nil }
        return rate.timeRemaining(for: bytes.expected - bytes.transferred, at: now)
    }
}
