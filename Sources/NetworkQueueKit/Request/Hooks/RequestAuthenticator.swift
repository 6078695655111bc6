import Foundation

/// Adds an authorization that expires, such as a token, to requests, and renews it when a server refuses it.
///
/// ```text
/// adapters → authorize → exchange ─ 401 → refresh ─ true → authorize → exchange
///                                            ├─ false: the 401 is the response
///                                            └─ throws: the request fails
/// ```
///
/// A queue has one authenticator for all its requests: `queue.authenticator`. ``BearerAuthenticator`` sends bearer
/// tokens. Basic and Digest authentication need no authenticator; see ``NetworkQueueDelegate`` and
/// ``NetworkRequest/credential``.
///
/// Calls run asynchronously, off the transport's threads, and concurrently for different requests; an operation keeps
/// its slot meanwhile. Canceling the operation cancels the task without waiting for it. An authenticator must not wait
/// for another request in the same queue, which may need the slot.
public protocol RequestAuthenticator: Sendable {
    /// Returns `request` with its authorization.
    ///
    /// Called for each attempt after the adapters, also for a ``NetworkQueue``'s sizing requests, and again after
    /// ``refresh(after:in:)`` has returned `true`. It may change the header fields and the URL, but not the method or
    /// the content.
    ///
    /// It is not called for ``NetworkRequest/mirrors`` of another origin, nor for redirects. A redirect within the
    /// origin keeps the added fields. A redirect to another origin restores each header field's previous value and
    /// always removes `Authorization`. An error fails the attempt, and the retry policy or decider may repeat it: a
    /// `URLError` or ``NetworkError`` is reported unchanged, any other error as `.adapting`.
    func authorize(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest

    /// Renews the authorization, and returns whether to send the request again.
    ///
    /// Called after a 401 from the request's own origin that no user name and password answers, regardless of the
    /// validation, and at most once per request, retries included; a further 401 is the response. After `true` the
    /// request is authorized and sent again at once, with its content; this does not count as a retry. After `false`,
    /// which the default implementation returns, the 401 is the response. An error fails the request with
    /// `.authenticationRequired`, with the thrown error as `underlying`; no retry policy repeats that.
    ///
    /// - Parameters:
    ///   - error: `.httpStatus(401)`; `error.response` has the head and the first 64 KiB of the content.
    ///   - context: `context.sentRequest` is the refused request, as ``authorize(_:in:)`` returned it.
    func refresh(after error: NetworkError, in context: AttemptContext) async throws -> Bool
}

extension RequestAuthenticator {
    /// Returns `false`: the 401 is the response.
    public func refresh(after error: NetworkError, in context: AttemptContext) async throws -> Bool { false }
}
