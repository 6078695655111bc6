import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension NetworkQueue {
    /// What a delegate is told, as a value. Order and count are those of ``NetworkQueueDelegate``.
    public enum Event: Sendable {
        /// The operation's request is about to go out.
        case didStart(RequestOperation)
        /// The head of the operation's final response is in.
        case didReceiveHeaders(ResponseHead, RequestOperation)
        /// The operation is being redirected; what the delegate makes of it comes afterwards.
        case willRedirect(RequestOperation, URLRequest)
        /// A server or a proxy asks for credentials. Only the delegate can answer.
        case didReceiveChallenge(AuthenticationChallenge, RequestOperation)
        /// An attempt of the operation has failed; there will be another after the delay.
        case willRetry(RequestOperation, Duration, NetworkError)
        /// The operation has ended with a result.
        case didFinish(RequestOperation)
        /// The operation has ended without a result.
        case didFail(RequestOperation, NetworkError)
        /// The progress has changed.
        case didUpdate(Progress)
        /// Every operation has ended and been reported.
        case queueDidFinish(Summary)
    }
}
