import Foundation

/// Receives the callbacks of a ``NetworkQueue``. Every method has a default.
///
/// All calls are made serially on the queue's `delegateQueue`, even if it is concurrent. For each operation they come
/// in this order:
///
/// ```text
/// didStart ─→ attempt ─→ (willRetry ─→ attempt)* ─→ didFinish | didFail
/// attempt: (willRedirect | didReceive challenge)* ─→ didReceiveHeaders?
/// didFail(.cancelled)                              cancelled before it started
/// ```
///
/// For the queue:
///
/// ```text
/// didUpdate* ─→ didUpdate(1.0) ─→ networkQueueDidFinish     once per drain, after the last operation's last call
/// ```
///
/// You may use any member of the queue in these methods but ``NetworkQueue/waitUntilFinished()``, which traps. The
/// protocol is not `Sendable`, so a `@MainActor` class can conform with an isolated conformance if `delegateQueue` is
/// the main queue. With any other queue the first call traps on a system with the runtime of Swift 6.2 or later (macOS
/// 26, iOS 26, Linux). Earlier runtimes cannot check this: there the main queue is an unchecked precondition.
///
/// A delegate isolated to another global actor traps with the main queue, too. The exception is Linux in a program with
/// an asynchronous `main`: such a delegate looks like one of the main actor there, and its methods run off their actor.
public protocol NetworkQueueDelegate: AnyObject {
    /// Called when the operation has its slot: once per operation, however often it is redirected. Its request is sent
    /// next, unless it fails first or an existing file is kept.
    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation)

    /// Called when a response has been accepted and its content follows. At most once per attempt, and once more after
    /// a pause; never for an interim response (1xx), a redirect that is followed, a challenge that is answered, or a
    /// response that is rejected and retried. A finally rejected response is reported just before
    /// ``networkQueue(_:didFail:with:)``.
    func networkQueue(_ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation)

    /// Called for each redirect that the ``RedirectPolicy`` allows. Return `request` to follow it, another request to
    /// go there instead, or `nil` to stop: then the redirect is the response, which the validation judges. The
    /// operation keeps its slot while it waits for the answer.
    ///
    /// `request` has the method and the fields of the next request (RFC 9110, section 15.4). It has no credentials if
    /// it goes to another origin. It does not include the content, which is sent all the same. Default: `request`.
    func networkQueue(
        _ queue: NetworkQueue, willRedirect operation: RequestOperation, to request: URLRequest
    ) -> URLRequest?

    /// Called when a server or a proxy requires a user name and a password. Call `answer`, now or later and on any
    /// thread, with a credential or with `nil`. With `nil` the operation's ``RequestOperation/challengeHandler`` is
    /// called; if that has no credential either, the 401 or 407 is the response. The operation keeps its slot while it
    /// waits for the answer.
    ///
    /// Called once for all operations of the queue that go to the same realm of the same server. The first answer
    /// counts for all of them; releasing `answer` without calling it counts as `nil`. Called again if the credential is
    /// refused, with the number of refusals in `challenge`, and in the next run if there was no credential. Default:
    /// `nil`.
    func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void)

    /// Called before the first transfer of a run if ``NetworkQueue/asksBeforeStart`` is set. Return `false` to cancel
    /// everything; ``NetworkQueue/planHandler`` is not asked then.
    func networkQueue(_ queue: NetworkQueue, shouldStart plan: NetworkQueue.Plan) -> Bool

    /// Called when an attempt has failed and another follows after `delay`, as soon as there is a slot for it. If the
    /// operation has switched to a mirror, ``RequestOperation/mirror`` names it. Also called before
    /// ``NetworkRequest/freshURL`` is; without a fresh URL no attempt follows.
    func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    )

    /// Called when the operation has finished successfully, after its own completion handler.
    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation)

    /// Called when the operation has failed or was canceled, after its own completion handler. After a cancellation
    /// `error.code` is `.cancelled`.
    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError)

    /// Called when the progress has changed, at most once per `progressInterval`. The last call before
    /// `networkQueueDidFinish` has a fraction of exactly 1.
    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress)

    /// Called when every member of a group has ended and been reported, once for each pass of the group; see
    /// ``NetworkQueue/Group``. Before `networkQueueDidFinish`.
    func networkQueue(_ queue: NetworkQueue, groupDidFinish group: NetworkQueue.Group, summary: NetworkQueue.Summary)

    /// Called once per drain, when every operation has ended and been reported, whatever mix of success, failure and
    /// cancellation there was, and when files have been flushed to the disk (``RequestQueueing/durability``).
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
    /// Answers `nil`.
    public func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        answer(nil)
    }
    /// Returns `true`.
    public func networkQueue(_ queue: NetworkQueue, shouldStart plan: NetworkQueue.Plan) -> Bool { true }
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
    public func networkQueue(
        _ queue: NetworkQueue, groupDidFinish group: NetworkQueue.Group, summary: NetworkQueue.Summary
    ) {}
    /// Does nothing.
    public func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {}
}
