import Dashboard

/// A transfer under way: how far it is, and what it waits for.
struct ActiveTransfer: Sendable {
    /// A silence is told of from here on.
    static let patience = Duration.seconds(3)

    /// How far it is.
    private(set) var item: ActiveItem
    private var meter = SpeedMeter()
    private let tellsOfSilence: Bool
    private var latestMove: ContinuousClock.Instant
    /// Why it is tried again, and when.
    private var retry: (reason: String, time: ContinuousClock.Instant)?

    init(_ item: ActiveItem, tellsOfSilence: Bool, now: ContinuousClock.Instant) {
        self.item = item
        self.tellsOfSilence = tellsOfSilence
        latestMove = now
    }

    /// It has so many bytes now.
    mutating func note(_ bytes: Int64, of total: Int64?, now: ContinuousClock.Instant) {
        // While it waits, those of the attempt that has failed are shown.
        guard retry == nil, bytes != item.transferred else { return }
        latestMove = now
        item.transferred = bytes
        item.expected = total
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
    mutating func item(_ now: ContinuousClock.Instant) -> ActiveItem {
        var item = item
        item.bytesPerSecond = meter.rate(bytes: item.transferred, now: now)
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
