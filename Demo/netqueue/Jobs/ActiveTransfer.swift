import Dashboard
import NetworkQueueKit

/// A running transfer: its progress, and what it is waiting for.
struct ActiveTransfer: Sendable {
    /// The duration from which a silence is shown.
    static let patience = Duration.seconds(3)

    /// The transfer's progress.
    private(set) var item: ActiveItem
    private let tellsOfSilence: Bool
    private var latestMove: ContinuousClock.Instant
    /// The reason for a pending retry, and its time.
    private var retry: (reason: String, time: ContinuousClock.Instant)?

    init(_ item: ActiveItem, tellsOfSilence: Bool, now: ContinuousClock.Instant) {
        self.item = item
        self.tellsOfSilence = tellsOfSilence
        latestMove = now
    }

    /// Records the transferred bytes and the rate.
    mutating func note(_ content: NetworkQueue.Progress.Bytes, rate: Double?, now: ContinuousClock.Instant) {
        item.bytesPerSecond = rate
        // During a wait, keep showing the bytes of the failed attempt.
        guard retry == nil, content.transferred != item.transferred else { return }
        latestMove = now
        item.transferred = content.transferred
        item.expected = content.expected
    }

    /// Records that the transfer waits for a retry.
    mutating func wait(because reason: String, for delay: Duration, now: ContinuousClock.Instant) {
        retry = (reason, now + delay)
    }

    /// Records that an attempt has started.
    mutating func goOn(now: ContinuousClock.Instant) {
        retry = nil
        latestMove = now
    }

    /// The item to show.
    func item(_ now: ContinuousClock.Instant) -> ActiveItem {
        var item = item
        if let retry {
            let rest = now.duration(to: retry.time)
            // The retry may have to wait until other transfers end.
            item.wait = rest > .zero ? rest : nil
            item.remark = "\(retry.reason); retrying " + (rest > .zero ? "in \(TimeText.countdown(rest))" : "soon")
        } else if tellsOfSilence, case let silence = latestMove.duration(to: now), silence >= Self.patience {
            item.remark = "stalled for \(TimeText.countdown(.seconds(silence.components.seconds)))"
        }
        return item
    }
}
