/// Told what happens in a ``NetworkQueue``. Every method has an empty default.
///
/// All calls are made one after the other on the queue's `delegateQueue`, in this order for each operation:
///
///     didStart ─→ willRetry* ─→ didReceiveHeaders ─→ didFinish | didFail
///                     └─────────────────────────────→ didFail
///     didFail(.cancelled)                              cancelled before it started
///
/// and for the queue:
///
///     didUpdate* ─→ didUpdate(1.0) ─→ networkQueueDidFinish     once per drain, after the last operation's last call
///
/// Any method of the queue may be called from inside any of these. The protocol is not `Sendable`, so a `@MainActor`
/// class can conform with an isolated conformance, as long as `delegateQueue` is the main queue.
public protocol NetworkQueueDelegate: AnyObject {
    /// The operation's request is about to go out. Once per operation, however often it is redirected.
    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation)

    /// The head of the final response is in. At most once per operation; never for an interim response (1xx), a redirect
    /// that was followed, or an attempt that is repeated. While its retry policy allows another attempt, nobody can tell
    /// whether a response is the final one: then this is called just before the end.
    func networkQueue(_ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation)

    /// An attempt has failed, and there will be another after `delay`, as soon as there is a slot for it.
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
