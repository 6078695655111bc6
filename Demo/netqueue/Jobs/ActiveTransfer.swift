import Dashboard
import NetworkQueueKit

/// A transfer under way: how far it is, and what it waits for.
struct ActiveTransfer: Sendable {
    /// A silence is told of from here on.
    static let patience = Duration.seconds(3)

    /// How far it is.
    private(set) var item: ActiveItem
    private let tellsOfSilence: Bool
    private var latestMove: ContinuousClock.Instant
    /// Why it is tried again, and when.
    private var retry: (reason: String, time: ContinuousClock.Instant)?

    init(_ item: ActiveItem, tellsOfSilence: Bool, now: ContinuousClock.Instant) {
        self.item = item
        self.tellsOfSilence = tellsOfSilence
        latestMove = now
    }

    /// How far its content is now, and how fast it moves.
    mutating func note(_ content: NetworkQueue.Progress.Bytes, rate: Double?, now: ContinuousClock.Instant) {
        item.bytesPerSecond = rate
        // While it waits, the bytes of the attempt that has failed are shown.
        guard retry == nil, content.transferred != item.transferred else { return }
        latestMove = now
        item.transferred = content.transferred
        item.expected = content.expected
    }

    /// It waits, and is tried again.
    mutating func wait(because reason: String, for delay: Duration, now: ContinuousClock.Instant) {
        retry = (reason, now + delay)
    }

    /// An attempt begins.
    mutating func goOn(now: ContinuousClock.Instant) {
        retry = nil
        latestMove = now
    }

    /// What there is to show.
    func item(_ now: ContinuousClock.Instant) -> ActiveItem {
        var item = item
        if let retry {
            let rest = now.duration(to: retry.time)
            // Others may have to end before it is its turn.
            item.wait = rest > .zero ? rest : nil
            item.remark = "\(retry.reason); retrying " + (rest > .zero ? "in \(TimeText.countdown(rest))" : "soon")
        } else if tellsOfSilence, case let silence = latestMove.duration(to: now), silence >= Self.patience {
            item.remark = "silent for \(TimeText.countdown(.seconds(silence.components.seconds)))"
        }
        return item
    }
}
