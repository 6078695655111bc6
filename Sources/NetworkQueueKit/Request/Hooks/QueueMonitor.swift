import Foundation

/// Sees what happens to the requests of a queue, for logs, measurements and indicators; see ``RequestQueueing/monitors``.
///
///     attemptDidStart → (didReceive head → (willRedirect | challenge)?)* → hold? → attemptDidEnd → (willBeRepeated → attemptDidStart …)?
///
/// It changes nothing: for that there are adapters, deciders and processors. Every method has an empty default. The calls for one
/// operation are serial, those for several come at a time; they are made on the library's threads as it happens, so they must not
/// block. An operation that is cancelled before it starts is not told of.
///
/// `context.request` is the request as it was given, with its `tag`, its `userInfo` and the queue's ``RequestQueueing/headers``; a size that a ``NetworkQueue`` asks for is a
/// HEAD of an operation of its own. The default queue of monitors is empty, and then all this costs nothing.
public protocol QueueMonitor: Sendable {
    /// An attempt begins: its request is adapted, authorized and sent.
    func attemptDidStart(in context: AttemptContext)
    /// A response has come, also one that leads elsewhere, asks for credentials or is rejected; interim ones (1xx) are not told of.
    func attempt(didReceive head: ResponseHead, in context: AttemptContext)
    /// A redirect is followed.
    func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext)
    /// A server or a proxy asks for credentials. `previousFailureCount` is how often it has asked before in this attempt.
    func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext)
    /// The attempt has ended: with `context.statusCode`, if a response has come, and with an error, if it was not a success.
    ///
    /// - Parameter metrics: what the request has taken so far; `metrics.exchange` tells about the connection.
    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext)
    /// Another attempt follows the one that has ended.
    func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext)
    /// A server has asked for time (429 or 503 with `Retry-After`): the waiting requests to its host are held back.
    /// Called for the host that was asked first, too, where a redirect has led from that to another.
    func didHold(host: String, for delay: Duration, in context: AttemptContext)
}

extension QueueMonitor {
    /// Does nothing.
    public func attemptDidStart(in context: AttemptContext) {}
    /// Does nothing.
    public func attempt(didReceive head: ResponseHead, in context: AttemptContext) {}
    /// Does nothing.
    public func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {}
    /// Does nothing.
    public func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {}
    /// Does nothing.
    public func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {}
    /// Does nothing.
    public func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {}
    /// Does nothing.
    public func didHold(host: String, for delay: Duration, in context: AttemptContext) {}
}
