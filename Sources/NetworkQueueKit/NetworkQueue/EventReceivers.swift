import Foundation

/// Who is told what happens: the delegate and the streams of events.
///
/// Unchecked: the delegate is only ever called on `delegateQueue`, which its owner has chosen for it.
struct EventReceivers: @unchecked Sendable {
    private weak var weakDelegate: (any NetworkQueueDelegate)?
    /// Which delegate it is, or was.
    private(set) var delegateID: ObjectIdentifier?
    /// Whether it has been found that the delegate may be called on `delegateQueue`.
    private var isVetted = false
    var streams: [Int: EventBuffer] = [:]
    private var latestStream = 0

    /// Whether there may be anybody to tell. Without a look at the delegate: a reference to it may be the last one when
    /// it goes.
    var exist: Bool { delegateID != nil || !streams.isEmpty }

    var delegate: (any NetworkQueueDelegate)? {
        get { weakDelegate }
        set {
            weakDelegate = newValue
            delegateID = newValue.map { ObjectIdentifier($0) }
            isVetted = false
        }
    }

    /// Takes over the delegate of `other`, without a reference to it.
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

    /// All streams that are open.
    var allStreams: [EventBuffer] { Array(streams.values) }

    /// Adds a stream that `make` makes of its number.
    mutating func addStream(_ make: (Int) -> EventBuffer) -> EventBuffer {
        latestStream += 1
        let buffer = make(latestStream)
        streams[latestStream] = buffer
        return buffer
    }

    /// Lets go of the streams that end with a run.
    mutating func endRun() {
        streams = streams.filter(\.value.isAcrossRuns)
    }

    /// The delegate with other streams: those that were open when something happened.
    func with(_ streams: [EventBuffer]) -> EventReceivers {
        var receivers = self
        receivers.streams = Dictionary(uniqueKeysWithValues: streams.enumerated().map { ($0, $1) })
        return receivers
    }

    // MARK: Telling, on the delegate's queue

    /// The delegate, for a call on `delegateQueue`, which this is called on.
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

/// What is to be called on the delegate's queue.
enum Callback: Sendable {
    /// Something has happened to an operation before its end.
    case event(NetworkQueue.Event)
    /// An operation has ended.
    case end(RequestOperation)
    indirect case redirect(RequestOperation, URLRequest, @Sendable (RedirectAnswer) -> Void)
    indirect case challenge(AuthenticationChallenge, RequestOperation, @Sendable (URLCredential?) -> Void)
    /// There is something new for an operation's progress handlers.
    case handlerProgress(RequestOperation)
    /// It is time for an update.
    case update
    indirect case drain(Drain)

    /// Ends what waits for a callback that a reset has discarded.
    func discard() {
        switch self {
        case .event, .redirect, .challenge, .handlerProgress, .update: break
        case .end(let operation): operation.finishUnreported()
        case .drain(let drain):
            for stream in drain.streams where !stream.isAcrossRuns { stream.finish() }
            for waiter in drain.waiters { waiter(drain.summary) }
        }
    }
}

/// The end of a run. Streams and waiters that are added while it is being told belong to the next run.
struct Drain: Sendable {
    let progress: QueueProgress
    let summary: NetworkQueue.Summary
    let streams: [EventBuffer]
    let waiters: [Batch.DrainWaiter]
}

extension NetworkQueueDelegate {
    /// Calls the method for an event. What the delegate is asked, it is asked apart.
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
