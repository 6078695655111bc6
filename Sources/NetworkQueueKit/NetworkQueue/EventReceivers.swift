import Foundation

/// The delegate and the event streams of a queue, from one reset to the next.
///
/// Unchecked: the delegate is only called on `delegateQueue`, which its owner has chosen.
final class EventReceivers: @unchecked Sendable {
    private struct State {
        weak var delegate: (any NetworkQueueDelegate)?
        /// Identifies the delegate, also after it has been released.
        var delegateID: ObjectIdentifier?
        /// Whether the delegate is known to be callable on `delegateQueue`.
        var isVetted = false
        var streams: [EventBuffer] = []
        /// Whether a reset has ended their time.
        var hasEnded = false
    }

    /// A reference that is released outside the lock, because it may be the last one.
    ///
    /// Unchecked, as above.
    private struct Reference: @unchecked Sendable {
        let delegate: (any NetworkQueueDelegate)?
        var isVetted = true
    }

    private let state: Guarded<State>

    init(_ streams: [EventBuffer] = []) {
        state = Guarded(State(streams: streams))
    }

    /// Whether no reset has ended their time.
    var areCurrent: Bool { state.withLock { !$0.hasEnded } }

    /// Ends their time: nothing is told any more. Returns the open streams.
    func end() -> [EventBuffer] {
        state.withLock { state in
            state.hasEnded = true
            return state.streams
        }
    }

    /// Whether there may be a delegate or a stream. Does not load the delegate: that reference might turn out to be the
    /// last one.
    var exist: Bool { state.withLock { $0.delegateID != nil || !$0.streams.isEmpty } }

    var delegate: (any NetworkQueueDelegate)? {
        get { state.withLock { Reference(delegate: $0.delegate) }.delegate }
        set {
            let new = Reference(delegate: newValue)
            state.withLock { state in
                state.delegate = new.delegate
                state.delegateID = new.delegate.map { ObjectIdentifier($0) }
                state.isVetted = false
            }
        }
    }

    // MARK: Streams

    var haveStreams: Bool { state.withLock { !$0.streams.isEmpty } }
    var allStreams: [EventBuffer] { state.withLock { $0.streams } }

    func add(_ stream: EventBuffer) { state.withLock { $0.streams.append(stream) } }

    /// Removes a stream, which the caller retains: its events may own anything, and must not be released under a lock.
    func remove(_ stream: EventBuffer) { state.withLock { $0.streams.removeAll { $0 === stream } } }

    /// Removes the streams that end with a run.
    func endRun() { state.withLock { $0.streams.removeAll { !$0.isAcrossRuns } } }

    // MARK: Reporting, on the delegate's queue

    /// Returns the delegate for a call, unless a reset has ended its time. Must be called on `delegateQueue`.
    func delegate(of queue: NetworkQueue) -> (any NetworkQueueDelegate)? {
        let reference = state.withLock { state in
            state.hasEnded
                ? Reference(delegate: nil) : Reference(delegate: state.delegate, isVetted: state.isVetted)
        }
        if let delegate = reference.delegate, !reference.isVetted {
            queue.vet(delegate)
            let id = ObjectIdentifier(delegate)
            state.withLock { if $0.delegateID == id { $0.isVetted = true } }
        }
        return reference.delegate
    }

    /// Reports an event to the delegate and to the streams, or to `drained` instead of these. Does nothing once a reset
    /// has ended their time.
    func tell(_ event: NetworkQueue.Event, of queue: NetworkQueue, _ drained: [EventBuffer]? = nil) {
        // Decided before the delegate is called, because a reset may come meanwhile: the streams get what it has got.
        let streams = state.withLock { state in
            state.hasEnded ? [] : drained ?? state.streams
        }
        delegate(of: queue)?.networkQueue(queue, tellsOf: event)
        for stream in streams { stream.yield(event) }
    }

    func yield(_ event: NetworkQueue.Event) {
        for stream in state.withLock({ $0.hasEnded ? [] : $0.streams }) { stream.yield(event) }
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
    /// Asks the delegate about a plan.
    indirect case plan(PlanSurvey)
    /// Reports the queue's progress.
    case update
    indirect case groupEnd(GroupEnd)
    indirect case drain(Drain)

    /// Completes what waits for a callback that a reset has discarded.
    func discard() {
        switch self {
        case .event, .redirect, .challenge, .handlerProgress, .plan, .update, .groupEnd: break
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
        case .groupDidFinish(let group, let summary):
            networkQueue(queue, groupDidFinish: group, summary: summary)
        case .queueDidFinish(let summary): networkQueueDidFinish(queue, summary: summary)
        }
    }
}
