import Dashboard
import NetworkQueueKit

/// A running transfer: its progress, and what it is waiting for.
struct ActiveTransfer: Sendable {
    /// The duration from which a silence is shown.
    static let patience = Duration.seconds(3)
    /// The duration from which the last step is shown.
    private static let lastStepPatience = Duration.milliseconds(500)
    /// The measurement from which the time remaining can be predicted: servers and connections start slowly.
    private static let steadyTime = Duration.seconds(10)

    /// The transfer's progress.
    private(set) var item: ActiveItem
    private let tellsOfSilence: Bool
    /// What is still to be done after the last byte; `nil` if that is up to the server or the reader.
    private let lastStep: String?
    private var latestMove: ContinuousClock.Instant
    /// The first move since the start, a retry or a pause.
    private var firstMove: ContinuousClock.Instant?
    private var meter = SpeedMeter()
    private var isPaused = false
    /// The reason for a pending retry, and its time.
    private var retry: (reason: String, time: ContinuousClock.Instant)?

    init(_ item: ActiveItem, tellsOfSilence: Bool, lastStep: String? = nil, now: ContinuousClock.Instant) {
        self.item = item
        self.tellsOfSilence = tellsOfSilence
        self.lastStep = lastStep
        latestMove = now
    }

    /// Records the transferred bytes.
    ///
    /// - Parameter moved: The bytes that have crossed the network in all attempts.
    mutating func note(
        _ content: NetworkQueue.Progress.Bytes, moved: Int64, isPaused: Bool = false, now: ContinuousClock.Instant
    ) {
        self.isPaused = isPaused
        if isPaused {
            meter = SpeedMeter()
            (latestMove, firstMove) = (now, nil)
        }
        item.bytesPerSecond = meter.rate(bytes: moved, now: now)
        // During a wait, keep showing the bytes of the failed attempt.
        guard retry == nil, content.transferred != item.transferred else { return }
        latestMove = now
        firstMove = firstMove ?? now
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
        meter = SpeedMeter()
        (latestMove, firstMove) = (now, nil)
    }

    /// The item to show.
    func item(_ now: ContinuousClock.Instant) -> ActiveItem {
        var item = item
        item.isSteady = firstMove.map { $0.duration(to: now) >= Self.steadyTime } ?? false
        let silence = latestMove.duration(to: now)
        if isPaused {
            item.remark = "paused"
        } else if let retry {
            let rest = now.duration(to: retry.time)
            // The retry may have to wait until other transfers end.
            item.wait = rest > .zero ? rest : nil
            item.remark = "\(retry.reason); retrying " + (rest > .zero ? "in \(TimeText.countdown(rest))" : "soon")
        } else if let lastStep, item.transferred > 0, item.transferred == item.expected,
            silence >= Self.lastStepPatience
        {
            item.remark = lastStep
        } else if tellsOfSilence, silence >= Self.patience {
            item.remark = "stalled for \(TimeText.countdown(.seconds(silence.components.seconds)))"
        }
        return item
    }
}
