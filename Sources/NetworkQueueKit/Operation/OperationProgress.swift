/// How far one operation has come: a snapshot.
///
/// Bytes are those that cross the network. A value that is not known is `nil`, never 0, -1 or NaN.
public struct OperationProgress: Sendable, Hashable {
    /// The content of the response; what was there from before counts as transferred.
    public var download: QueueProgress.Bytes
    /// The content of the request.
    public var upload: QueueProgress.Bytes
    /// The bytes transferred ÷ the bytes expected, both ways together, 0 to 1; `nil` as long as the size of the download is
    /// not known, unless content is sent. Goes back when an attempt fails. 1 after a success.
    public var fractionCompleted: Double?
    /// The speed of both ways together, smoothed over about 10 s as ``QueueProgress/bytesPerSecond`` is; `nil` while it
    /// cannot be told, after the end, and in the first half second after it was first asked for.
    public var bytesPerSecond: Double?
    /// The bytes that are missing ÷ ``bytesPerSecond``; `nil` if either is unknown.
    public var estimatedTimeRemaining: Duration?

    /// Creates a snapshot by hand, for a preview or a test.
    public init(
        download: QueueProgress.Bytes = .init(), upload: QueueProgress.Bytes = .init(),
        fractionCompleted: Double? = nil, bytesPerSecond: Double? = nil, estimatedTimeRemaining: Duration? = nil
    ) {
        self.download = download
        self.upload = upload
        self.fractionCompleted = fractionCompleted
        self.bytesPerSecond = bytesPerSecond
        self.estimatedTimeRemaining = estimatedTimeRemaining
    }
}

extension RequestOperation {
    /// How far the operation has come.
    ///
    /// The speed is measured from the first time on that this is read, or ``progressUpdates`` is.
    public var progress: OperationProgress {
        let now = withMeter { meter, _ in meter.timekeeper }?.now
        return state.withLock { $0.progress(at: now) }
    }

    /// The progress a tenth of a second after it has changed, by the clock of the queue; the last one comes at the end.
    ///
    /// Of what is not read, the newest is kept. Any number of streams may be read.
    public var progressUpdates: AsyncStream<OperationProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: OperationProgress.self, bufferingPolicy: .bufferingNewest(1))
        let hasEnded = withMeter { meter, status in
            if !status.isTerminal { meter.listeners.append(continuation) }
            return status.isTerminal
        }
        if hasEnded {
            continuation.yield(progress)
            continuation.finish()
        }
        return stream
    }

    /// Measures the speed of one operation, and has its progress told. Belongs to the lock of the operation's state.
    final class Meter: @unchecked Sendable {  // Unchecked: see above.
        fileprivate var rate = RateEstimator()
        /// The bytes that have crossed the network since it is measured.
        fileprivate var moved: Int64 = 0
        fileprivate var listeners: [AsyncStream<OperationProgress>.Continuation] = []
        /// Whether the queue is told as well.
        fileprivate var tellsQueue = false
        fileprivate var isScheduled = false
        fileprivate var timekeeper: (any Timekeeper)?

        fileprivate var hasListeners: Bool { tellsQueue || !listeners.isEmpty }
    }

    private struct Update: Sendable {
        let progress: OperationProgress
        let listeners: [AsyncStream<OperationProgress>.Continuation]
        let tellsQueue: Bool
    }

    /// How long after a change an update is told. What is over before has none.
    private static let updateInterval = Duration.milliseconds(100)

    /// Has the queue told of the progress.
    func meterForQueue() {
        withMeter { meter, _ in meter.tellsQueue = true }
    }

    /// Calls `body`, under the lock, with the meter, which most operations never have.
    private func withMeter<Result: Sendable>(_ body: (Meter, Status) -> Result) -> Result {
        state.withLock { state in
            let meter = state.meter ?? Meter()
            state.meter = meter
            if meter.timekeeper == nil { meter.timekeeper = state.run?.environment.timekeeper }
            return body(meter, state.status)
        }
    }

    /// Counts the bytes of an event, and has an update told where somebody listens; returns whether the progress handlers
    /// have to be called for it.
    func count(_ event: RequestEvent) -> Bool {
        let (mustReport, tick) = state.withLock { state -> (Bool, (due: Duration, timekeeper: any Timekeeper)?) in
            let former = state.received.bytes + state.sent.bytes
            guard state.count(event) else { return (false, nil) }
            let mustReport = state.handlers?.mustReport(event) == true
            guard let meter = state.meter, let timekeeper = state.run?.environment.timekeeper else {
                return (mustReport, nil)
            }
            meter.timekeeper = timekeeper
            let now = timekeeper.now
            // What a response goes on behind was there before.
            if event.movesBytes { meter.moved += max(0, state.received.bytes + state.sent.bytes - former) }
            meter.rate.record(meter.moved, at: now)
            guard meter.hasListeners, !meter.isScheduled else { return (mustReport, nil) }
            meter.isScheduled = true
            return (mustReport, (now + Self.updateInterval, timekeeper))
        }
        if let tick {
            _ = tick.timekeeper.schedule(at: tick.due) { [weak self] in self?.tellProgress(at: tick.timekeeper.now) }
        }
        return mustReport
    }

    private func tellProgress(at now: Duration) {
        let update = state.withLock { state -> Update? in
            guard let meter = state.meter, !state.status.isTerminal else { return nil }
            meter.isScheduled = false
            return Update(progress: state.progress(at: now), listeners: meter.listeners, tellsQueue: meter.tellsQueue)
        }
        guard let update else { return }
        for listener in update.listeners { listener.yield(update.progress) }
        if update.tellsQueue { queue?.operation(self, has: update.progress) }
    }

    /// Tells the last update. Called under no lock, when the operation has ended.
    func endProgress(_ meter: Meter) {
        let listeners = state.withLock { _ in
            defer { meter.listeners = [] }
            return meter.listeners
        }
        guard !listeners.isEmpty else { return }
        let progress = progress
        for listener in listeners {
            listener.yield(progress)
            listener.finish()
        }
    }
}

extension RequestEvent {
    /// Whether bytes of content have crossed the network.
    fileprivate var movesBytes: Bool {
        switch self {
        case .didSend, .didReceive: true
        default: false
        }
    }
}

extension RequestOperation.State {
    /// Counts the bytes of an event; returns whether there were any.
    fileprivate mutating func count(_ event: RequestEvent) -> Bool {
        switch event {
        case .willSend(let length): sent = RequestOperation.TransferCount(bytes: 0, total: length)
        case .didSend(let bytes, let length): (sent.bytes, sent.total) = (bytes, length)
        case .willReceive(_, let resumed, let length):
            received = RequestOperation.TransferCount(bytes: resumed, total: length.map { resumed + $0 })
        case .didReceive(let byteCount): if !status.isTerminal { received.bytes += Int64(byteCount) }
        case .willRetry:
            sent.bytes = 0
            received.bytes = 0
        case .started, .didReject, .restarted, .paused, .resumed, .continued, .ended: return false
        }
        return true
    }

    /// - Parameter now: `nil` where no speed can have been measured.
    fileprivate func progress(at now: Duration?) -> OperationProgress {
        var progress = OperationProgress(
            download: .init(transferred: received.bytes, expected: received.total),
            upload: .init(transferred: sent.bytes, expected: sent.total))
        let expected = (sent.total ?? 0) + (received.total ?? 0)
        // Of the response to an upload little is known, and little comes.
        let isKnown = received.total != nil || (sent.total ?? 0) > 0
        if status == .finished {
            progress.fractionCompleted = 1
        } else if isKnown, expected > 0 {
            progress.fractionCompleted = min(Double(sent.bytes + received.bytes) / Double(expected), 1)
        }
        guard let meter, let now, !status.isTerminal, status != .paused else { return progress }
        progress.bytesPerSecond = meter.rate.bytesPerSecond(at: now)
        if isKnown {
            progress.estimatedTimeRemaining = meter.rate.timeRemaining(
                for: Double(expected - sent.bytes - received.bytes), at: now)
        }
        return progress
    }
}
