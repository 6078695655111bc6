import Foundation

extension NetworkQueue {
    /// What a delegate is told, as a value. For each operation, in this order:
    ///
    ///     ├─ didPause, didResume                           any number, in this order, from anywhere before the end
    ///     ├─ didStart                                      once
    ///     │  ├─ didProgress                                at most ten a second, of an operation that was started while
    ///     │  │                                             the stream was open and takes longer than a tenth of one
    ///     │  ├─ an attempt
    ///     │  │  ├─ willRedirect, didReceiveChallenge       any number, in any order
    ///     │  │  └─ didReceiveHeaders                       for a response that is accepted or rejected for good:
    ///     │  │                                             once, and once more after a pause
    ///     │  ├─ willRetry, and another attempt             as often as the policy or the decider says
    ///     │  └─ didFinish or didFail                       once, the last
    ///     └─ didFail(.cancelled)                           alone, where it was cancelled before it started
    ///
    /// And for the queue, among those of its operations:
    ///
    ///     ├─ didUpdate                                     at most one for each `progressInterval`
    ///     └─ didUpdate, queueDidFinish                     once per drain, the last
    public enum Event: Sendable {
        /// The operation's request is about to go out.
        case didStart(RequestOperation)
        /// A response of the operation has been accepted, or rejected for good; this is its head.
        indirect case didReceiveHeaders(RequestOperation, head: ResponseHead)
        /// The operation is being redirected; what the delegate makes of it comes afterwards.
        indirect case willRedirect(RequestOperation, to: URLRequest)
        /// A server or a proxy asks for credentials. Only the delegate can answer.
        indirect case didReceiveChallenge(RequestOperation, challenge: AuthenticationChallenge)
        /// An attempt of the operation has failed; there will be another after the delay. Without a delay it may be at one
        /// of the request's ``NetworkRequest/mirrors``: ``RequestOperation/mirror`` is that one then.
        indirect case willRetry(RequestOperation, after: Duration, because: NetworkError)
        /// The operation is paused.
        case didPause(RequestOperation)
        /// A pause of the operation is over; it goes on as soon as it has a slot.
        case didResume(RequestOperation)
        /// Bytes of the operation have moved. The delegate is not told.
        indirect case didProgress(RequestOperation, progress: OperationProgress)
        /// The operation has ended with a result.
        case didFinish(RequestOperation)
        /// The operation has ended without a result.
        indirect case didFail(RequestOperation, error: NetworkError)
        /// The progress has changed.
        indirect case didUpdate(Progress)
        /// Every operation has ended and been reported.
        indirect case queueDidFinish(Summary)
    }
}

extension NetworkQueue.Event {
    /// What is told of something that has happened to an operation before its end; `nil` where that is nothing.
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

    /// What is told of the end of an operation.
    init(endOf operation: RequestOperation) {
        self = operation.error.map { .didFail(operation, error: $0) } ?? .didFinish(operation)
    }
}
