extension ProgressLedger {
    /// The largest fraction of an unfinished run. It looks unfinished both when rounded down to whole percents and in a
    /// bar of less than a thousand pixels.
    static let fractionLimit = 0.999

    /// Returns the progress at `now`, a time since any fixed moment. O(1).
    ///
    /// It is mutating because a snapshot constrains later ones: the fraction never decreases, and the rate is measured
    /// from one snapshot to the next.
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

    /// The true fraction, which may decrease.
    private var fraction: Double {
        if isAccurate, let bytes, case let expected = bytes.expected - former.bytes, expected > 0 {
            return max(bytes.transferred - former.bytes, 0) / expected
        }
        // Failed and canceled requests are neither remaining nor completed work.
        let wanted = counts.total - counts.failed - counts.cancelled - former.counts.finished
        return wanted > 0 ? Double(counts.finished - former.counts.finished) / Double(wanted) : 0
    }

    /// The bytes of both directions.
    ///
    /// `nil` while the size of a transfer is neither known nor estimable: the other transfers would reach their total
    /// long before the run ends.
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

    /// The bytes that finished requests have received and sent in this run, and those of requests under way.
    var bytesReceived: Int64 { download.transferred - resumed }
    var bytesSent: Int64 { upload.transferred - resumedUpload }

    /// The bytes and counts of the passes that have ended.
    struct Former {
        var bytes = 0.0
        var counts = QueueProgress.Counts()
        var received: Int64 = 0
        var sent: Int64 = 0

        init() {}

        init(_ ledger: ProgressLedger) {
            counts = ledger.counts
            (received, sent) = (ledger.bytesReceived, ledger.bytesSent)
            bytes = Double(ledger.download.transferred) + Double(ledger.upload.transferred)
        }
    }

    /// The time that the bytes take, or the time until the last exchange may start, if that is longer.
    private func timeRemaining(now: Duration) -> Duration? {
        guard phase != .finished else { return nil }
        let transfer = bytes.flatMap { rate.timeRemaining(for: $0.expected - $0.transferred, at: now) }
        let exchangeCount = counts.waiting + counts.retrying
        guard phase == .transferring, exchangeCount > 0, let starts = requestRate?.limit?.time(for: exchangeCount),
            starts <= RateEstimator.longestRemaining
        else { return transfer }
        return max(starts, transfer ?? .zero)
    }
}
