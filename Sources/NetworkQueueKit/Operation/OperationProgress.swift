/// A snapshot of one operation's progress.
///
/// Bytes are counted as they cross the network. An unknown value is `nil`, never 0, -1 or NaN.
public struct OperationProgress: Sendable, Hashable {
    /// The bytes of the response's content. Content that a download resumed from counts as transferred.
    public var download: QueueProgress.Bytes
    /// The bytes of the request's content. What the server had before counts as transferred.
    public var upload: QueueProgress.Bytes
    /// The bytes transferred ÷ the bytes expected, in both directions together, 0 to 1; `nil` while the size of the
    /// download is unknown, unless content is sent. It decreases when an attempt fails, and is 1 after a success.
    public var fractionCompleted: Double?
    /// The speed in bytes per second, both directions together, smoothed over about 10 s like
    /// ``QueueProgress/bytesPerSecond``; `nil` while it is unknown, after the end, and in the first half second after
    /// it was first requested. It is measured anew after a pause.
    public var bytesPerSecond: Double?
    /// The missing bytes ÷ ``bytesPerSecond``; `nil` if either is unknown, and 3 s after the last byte.
    public var estimatedTimeRemaining: Duration?

    /// Creates a snapshot, for a preview or a test.
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

/// Progress as data, in the form of ``QueueProgress``: unknown values are absent, and a time is a number of seconds.
extension OperationProgress: Codable {
    private enum CodingKeys: CodingKey {
        case download, upload, fractionCompleted, bytesPerSecond, estimatedTimeRemaining
    }

    /// Decodes a snapshot. Throws a `DecodingError` if a value is missing, has another type or is not finite.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        download = try container.decode(QueueProgress.Bytes.self, forKey: .download)
        upload = try container.decode(QueueProgress.Bytes.self, forKey: .upload)
        fractionCompleted = try container.decodeFiniteIfPresent(forKey: .fractionCompleted)
        bytesPerSecond = try container.decodeFiniteIfPresent(forKey: .bytesPerSecond)
        estimatedTimeRemaining = try container.decodeSecondsIfPresent(forKey: .estimatedTimeRemaining)
    }

    /// Encodes the snapshot. Throws an `EncodingError` if a number is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(download, forKey: .download)
        try container.encode(upload, forKey: .upload)
        try container.encodeFinite(fractionCompleted, forKey: .fractionCompleted)
        try container.encodeFinite(bytesPerSecond, forKey: .bytesPerSecond)
        try container.encodeFinite(estimatedTimeRemaining?.seconds, forKey: .estimatedTimeRemaining)
    }
}

extension RequestOperation {
    /// The operation's current progress.
    ///
    /// The speed is measured from the first time that this property or ``progressUpdates`` is read.
    public var progress: OperationProgress {
        let now = withMeter { meter, _ in meter.timekeeper }?.now
        return state.withLock { $0.progress(at: now) }
    }

    /// The bytes that have crossed the network since this or ``progress`` was first read, in all attempts.
    package var bytesMoved: Int64 { withMeter { meter, _ in meter.moved } }

    /// A new stream of the operation's progress: a value 100 ms after a change, by the queue's clock, and a last one at
    /// the end.
    ///
    /// Of unread values only the newest is kept. There may be any number of streams.
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

    /// Measures the speed of one operation and keeps the listeners of its progress. Guarded by the lock of the
    /// operation's state.
    final class Meter: @unchecked Sendable {  // Unchecked: guarded by that lock.
        fileprivate var rate = RateEstimator()
        /// The bytes that have crossed the network since the measurement began.
        fileprivate var moved: Int64 = 0
        fileprivate var listeners: [AsyncStream<OperationProgress>.Continuation] = []
        /// Whether the queue is notified too.
        fileprivate var tellsQueue = false
        fileprivate var isScheduled = false
        fileprivate var timekeeper: (any Timekeeper)?

        /// Starts the measurement of the speed anew, because a pause is not transfer time.
        func restart() { rate = RateEstimator() }

        fileprivate var hasListeners: Bool { tellsQueue || !listeners.isEmpty }
    }

    private struct Update: Sendable {
        let progress: OperationProgress
        let listeners: [AsyncStream<OperationProgress>.Continuation]
        let tellsQueue: Bool
    }

    /// The delay between a change and its update. An operation that ends earlier reports only the last update.
    private static let updateInterval = Duration.milliseconds(100)

    /// Notifies the queue of the operation's progress from now on.
    func meterForQueue() {
        withMeter { meter, _ in meter.tellsQueue = true }
    }

    /// Calls `body` under the lock with the meter. Creates it if necessary: most operations never have one.
    private func withMeter<Result: Sendable>(_ body: (Meter, Status) -> Result) -> Result {
        state.withLock { state in
            let meter = state.meter ?? Meter()
            state.meter = meter
            if meter.timekeeper == nil { meter.timekeeper = state.run?.environment.timekeeper }
            return body(meter, state.status)
        }
    }

    /// Measures what an event has moved, and schedules an update if there are listeners.
    func meter(_ event: RequestEvent, since former: Int64) {
        let tick = state.withLock { state -> (due: Duration, timekeeper: any Timekeeper)? in
            guard let meter = state.meter, let timekeeper = state.run?.environment.timekeeper else { return nil }
            meter.timekeeper = timekeeper
            let now = timekeeper.now
            // Bytes that a response resumes from were there before.
            if event.movesBytes { meter.moved = meter.moved.addingSaturated(max(0, state.movedBytes - former)) }
            meter.rate.record(meter.moved, at: now)
            guard meter.hasListeners, !meter.isScheduled else { return nil }
            meter.isScheduled = true
            return (now + Self.updateInterval, timekeeper)
        }
        if let tick {
            _ = tick.timekeeper.schedule(at: tick.due) { [weak self] in self?.tellProgress(at: tick.timekeeper.now) }
        }
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

    /// Reports the last update. Called without a lock, after the operation has ended.
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
    /// Whether content has crossed the network.
    fileprivate var movesBytes: Bool {
        switch self {
        case .didSend, .didReceive: true
        default: false
        }
    }
}

extension RequestOperation.State {
    /// The bytes that the current attempt has sent and received.
    var movedBytes: Int64 { max(sent.bytes, 0).addingSaturated(max(received.bytes, 0)) }

    /// - Parameter now: `nil` if no speed can have been measured.
    fileprivate func progress(at now: Duration?) -> OperationProgress {
        var progress = OperationProgress(
            download: .init(transferred: received.bytes, expected: received.total),
            upload: .init(transferred: sent.bytes, expected: sent.total))
        let expected = (sent.total ?? 0).addingSaturated(received.total ?? 0)
        // The response to an upload is usually small and of unknown size: then the upload alone decides.
        let isKnown = received.total != nil || (sent.total ?? 0) > 0
        if status == .finished {
            progress.fractionCompleted = 1
        } else if isKnown, expected > 0 {
            progress.fractionCompleted = min(Double(movedBytes) / Double(expected), 1)
        }
        guard let meter, let now, !status.isTerminal, status != .paused else { return progress }
        progress.bytesPerSecond = meter.rate.bytesPerSecond(at: now)
        if isKnown {
            progress.estimatedTimeRemaining = meter.rate.timeRemaining(
                for: Double(expected) - Double(movedBytes), at: now)
        }
        return progress
    }
}
