import Foundation

/// Told what happens in a ``NetworkQueue``. Every method has an empty default.
///
/// All calls are made one after the other on the queue's `delegateQueue`, be it a concurrent one, in this order for
/// each operation:
///
///     didStart ─→ attempt ─→ (willRetry ─→ attempt)* ─→ didFinish | didFail
///     attempt: (willRedirect | didReceive challenge)* ─→ didReceiveHeaders?
///     didFail(.cancelled)                              cancelled before it started
///
/// and for the queue:
///
///     didUpdate* ─→ didUpdate(1.0) ─→ networkQueueDidFinish     once per drain, after the last operation's last call
///
/// Any method of the queue may be called from inside any of these. The protocol is not `Sendable`, so a `@MainActor`
/// class can conform with an isolated conformance, as long as `delegateQueue` is the main queue: with another one the
/// first call traps, where the system has the runtime of Swift 6.2 or later (macOS 26, iOS 26, Linux). Earlier ones
/// cannot tell: there the main queue is a precondition that nothing checks. One that is isolated to another global actor traps with the main queue, too. Only on Linux, in a
/// program with an asynchronous `main`, it cannot be told from one of the main actor there, and its methods are called
/// off their actor.
public protocol NetworkQueueDelegate: AnyObject {
    /// The operation's request is about to go out. Once per operation, however often it is redirected.
    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation)

    /// A response has been accepted, and its content follows. At most once per attempt; never for an interim response
    /// (1xx), a redirect that is followed, a challenge that is answered, or a response that is rejected and retried.
    /// One that is rejected for good is told of just before ``networkQueue(_:didFail:with:)``.
    func networkQueue(_ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation)

    /// A response leads elsewhere. Return `request` to follow it, another request to go there instead, or `nil` to stop
    /// here: then the redirect is the response, which the validation judges. The operation waits, with its slot in
    /// hand.
    ///
    /// `request` has the method and the fields of the next request (RFC 9110, section 15.4), without credentials when
    /// its origin is another one, and without the content, which goes along. Default: `request`. Once per redirect that
    /// the ``RedirectPolicy`` allows; not called when there is no delegate.
    func networkQueue(
        _ queue: NetworkQueue, willRedirect operation: RequestOperation, to request: URLRequest
    ) -> URLRequest?

    /// A server or a proxy asks for a name and a password. Call `answer`, now or later and on any thread, with a
    /// credential, or with `nil`: then the 401 or 407 is the response. The operation waits, with its slot in hand.
    ///
    /// Asked once for all operations of the queue that go to the same realm of the same server; the first answer
    /// counts, for all of them, and letting go of `answer` counts as `nil`. Asked again when the credential is refused,
    /// with the number of refusals in `challenge`, and in the next run when there was none. Default: `nil`.
    func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void)

    /// An attempt has failed, and there will be another after `delay`, as soon as there is a slot for it; at
    /// ``RequestOperation/mirror``, where the operation has turned to that.
    func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    )

    /// The operation has ended with a result. Its own completion handler has been called.
    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation)

    /// The operation has ended without a result; after a cancellation `error.code` is `.cancelled`. Its own completion
    /// handler has been called.
    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError)

    /// The progress has changed. Coalesced to `progressInterval`; the last call before `networkQueueDidFinish` has a
    /// fraction of exactly 1.
    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress)

    /// Every operation has ended and been reported. Once per drain, whatever mix of success, failure and cancellation.
    func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary)
}

extension NetworkQueueDelegate {
    /// Does nothing.
    public func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {}
    /// Does nothing.
    public func networkQueue(
        _ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation
    ) {}
    /// Follows the redirect.
    public func networkQueue(
        _ queue: NetworkQueue, willRedirect operation: RequestOperation, to request: URLRequest
    ) -> URLRequest? {
        request
    }
    /// Has no credential.
    public func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        answer(nil)
    }
    /// Does nothing.
    public func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    ) {}
    /// Does nothing.
    public func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {}
    /// Does nothing.
    public func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {}
    /// Does nothing.
    public func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {}
    /// Does nothing.
    public func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {}
}
