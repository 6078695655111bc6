import Foundation

/// The delegate and the event streams of a queue.
///
/// Unchecked: the delegate is only called on `delegateQueue`, which its owner has chosen.
struct EventReceivers: @unchecked Sendable {
    private weak var weakDelegate: (any NetworkQueueDelegate)?
    /// Identifies the delegate, also after it has been released.
    private(set) var delegateID: ObjectIdentifier?
    /// Whether the delegate is known to be callable on `delegateQueue`.
    private var isVetted = false
    var streams: [Int: EventBuffer] = [:]
    private var latestStream = 0

    /// Whether there may be a delegate or a stream. Does not load the delegate: that reference might turn out to be the
    /// last one.
    var exist: Bool { delegateID != nil || !streams.isEmpty }

    var delegate: (any NetworkQueueDelegate)? {
        get { weakDelegate }
        set {
            weakDelegate = newValue
            delegateID = newValue.map { ObjectIdentifier($0) }
            isVetted = false
        }
    }

    /// Takes the delegate of `other` without retaining it. The streams stay.
    mutating func setDelegate(of other: EventReceivers) {
        let streams = streams
        let latestStream = latestStream
        self = other
        self.streams = streams
        self.latestStream = latestStream
    }

    mutating func noteVetted(_ id: ObjectIdentifier) {
        if delegateID == id { isVetted = true }
    }

    /// The open streams.
    var allStreams: [EventBuffer] { Array(streams.values) }

    /// Adds the stream that `make` creates from a new number.
    mutating func addStream(_ make: (Int) -> EventBuffer) -> EventBuffer {
        latestStream += 1
        let buffer = make(latestStream)
        streams[latestStream] = buffer
        return buffer
    }

    /// Removes the streams that end with a run.
    mutating func endRun() {
        streams = streams.filter(\.value.isAcrossRuns)
    }

    /// A copy with the same delegate and with other streams: those that were open when the run ended.
    func with(_ streams: [EventBuffer]) -> EventReceivers {
        var receivers = self
        receivers.streams = Dictionary(uniqueKeysWithValues: streams.enumerated().map { ($0, $1) })
        return receivers
    }

    // MARK: Reporting, on the delegate's queue

    /// Returns the delegate for a call. Must be called on `delegateQueue`.
    func delegate(of queue: NetworkQueue) -> (any NetworkQueueDelegate)? {
        let delegate = weakDelegate
        if let delegate, !isVetted { queue.vet(delegate) }
        return delegate
    }

    func tell(_ event: NetworkQueue.Event, of queue: NetworkQueue) {
        delegate(of: queue)?.networkQueue(queue, tellsOf: event)
        yield(event)
    }

    func yield(_ event: NetworkQueue.Event) {
        for stream in streams.values { stream.yield(event) }
    }
}

/// A call to make on `delegateQueue`.
enum Callback: Sendable {
    /// Reports an event of an operation, other than its end.
    case event(NetworkQueue.Event)
    /// Reports the end of an operation.
    case end(RequestOperation)
    indirect case redirect(RequestOperation, URLRequest, @Sendable (RedirectAnswer) -> Void)
    indirect case challenge(AuthenticationChallenge, RequestOperation, @Sendable (URLCredential?) -> Void)
    /// Calls the progress handlers of an operation.
    case handlerProgress(RequestOperation)
    /// Reports the queue's progress.
    case update
    indirect case drain(Drain)

    /// Completes what waits for a callback that a reset has discarded.
    func discard() {
        switch self {
        case .event, .redirect, .challenge, .handlerProgress, .update: break
        case .end(let operation): operation.finishUnreported()
        case .drain(let drain):
            for stream in drain.streams where !stream.isAcrossRuns { stream.finish() }
            for waiter in drain.waiters { waiter.resume(drain.summary) }
        }
    }
}

/// The end of a run. Streams and waiters added while it is being reported belong to the next run.
struct Drain: Sendable {
    let progress: QueueProgress
    let summary: NetworkQueue.Summary
    let streams: [EventBuffer]
    let waiters: [Batch.DrainWaiter]
    /// The object of the run that has ended.
    let foundationProgress: Foundation.Progress?
}

extension NetworkQueueDelegate {
    /// Calls the delegate method for an event. Redirects and challenges need an answer, so they are posted separately.
    func networkQueue(_ queue: NetworkQueue, tellsOf event: NetworkQueue.Event) {
        switch event {
        case .didStart(let operation): networkQueue(queue, didStart: operation)
        case .didReceiveHeaders(let operation, let head): networkQueue(queue, didReceiveHeaders: head, for: operation)
        case .willRedirect, .didReceiveChallenge, .didPause, .didResume, .didProgress: break
        case .willRetry(let operation, let delay, let error):
            networkQueue(queue, willRetry: operation, after: delay, because: error)
        case .didFinish(let operation): networkQueue(queue, didFinish: operation)
        case .didFail(let operation, let error): networkQueue(queue, didFail: operation, with: error)
        case .didUpdate(let progress): networkQueue(queue, didUpdate: progress)
        case .queueDidFinish(let summary): networkQueueDidFinish(queue, summary: summary)
        }
    }
}
