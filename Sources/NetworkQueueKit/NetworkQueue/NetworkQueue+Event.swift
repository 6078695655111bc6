import Foundation

extension NetworkQueue {
    /// An event of a queue or of one of its operations. The events of each operation come in this order:
    ///
    /// ```text
    /// ├─ didPause, didResume                           any number, in this order, from anywhere before the end
    /// ├─ didStart                                      once
    /// │  ├─ didProgress                                at most ten a second, of an operation that was started while
    /// │  │                                             the stream was open and takes longer than a tenth of one
    /// │  ├─ an attempt
    /// │  │  ├─ willRedirect, didReceiveChallenge       any number, in any order
    /// │  │  └─ didReceiveHeaders                       for a response that is accepted or rejected for good:
    /// │  │                                             once, and once more after a pause
    /// │  ├─ willRetry, and another attempt             as often as the policy or the decider says
    /// │  └─ didFinish or didFail                       once, the last
    /// └─ didFail(.cancelled)                           alone, where it was cancelled before it started
    /// ```
    ///
    /// The events of the queue come among those of its operations:
    ///
    /// ```text
    /// ├─ didUpdate                                     at most one for each `progressInterval`
    /// ├─ groupDidFinish                                after the last event of a member of the group
    /// └─ didUpdate, queueDidFinish                     once per drain, the last
    /// ```
    public enum Event: Sendable {
        /// The operation has its slot and starts.
        case didStart(RequestOperation)
        /// The head of a response that has been accepted, or rejected for good.
        indirect case didReceiveHeaders(RequestOperation, head: ResponseHead)
        /// A response redirects the operation. The delegate decides afterwards whether to follow it.
        indirect case willRedirect(RequestOperation, to: URLRequest)
        /// A server or a proxy requires credentials. Only the delegate, or the operation's handler, can answer.
        indirect case didReceiveChallenge(RequestOperation, challenge: AuthenticationChallenge)
        /// An attempt of the operation has failed, and another follows after the delay. If the delay is zero, the next
        /// attempt may use one of the request's ``NetworkRequest/mirrors``; ``RequestOperation/mirror`` then names it.
        /// Also before ``NetworkRequest/freshURL`` is called; without a fresh URL no attempt follows.
        indirect case willRetry(RequestOperation, after: Duration, because: NetworkError)
        /// The operation was paused.
        case didPause(RequestOperation)
        /// The operation was resumed. It continues as soon as it has a slot.
        case didResume(RequestOperation)
        /// The operation has transferred bytes. The delegate has no method for this event.
        indirect case didProgress(RequestOperation, progress: OperationProgress)
        /// The operation has finished successfully.
        case didFinish(RequestOperation)
        /// The operation has failed or was canceled.
        indirect case didFail(RequestOperation, error: NetworkError)
        /// The queue's progress has changed.
        indirect case didUpdate(Progress)
        /// Every member of a group has ended and been reported.
        indirect case groupDidFinish(NetworkQueue.Group, Summary)
        /// The queue has drained: every operation has ended and been reported.
        indirect case queueDidFinish(Summary)
    }
}

extension NetworkQueue.Event {
    /// Creates the event that reports something before an operation's end; `nil` if it is not reported.
    init?(_ event: RequestEvent, of operation: RequestOperation) {
        switch event {
        case .started: self = .didStart(operation)
        case .willReceive(let head, _, _), .didReject(let head): self = .didReceiveHeaders(operation, head: head)
        case .willRetry(let delay, let error, _): self = .willRetry(operation, after: delay, because: error)
        case .paused: self = .didPause(operation)
        case .resumed: self = .didResume(operation)
        case .willSend, .didSend, .didReceive, .restarted, .continued, .ended: return nil
        }
    }

    /// Creates the event that reports the end of an operation.
    init(endOf operation: RequestOperation) {
        self = operation.error.map { .didFail(operation, error: $0) } ?? .didFinish(operation)
    }
}
