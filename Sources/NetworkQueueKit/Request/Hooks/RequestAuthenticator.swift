import Foundation

/// Gives requests an authorization that expires, such as a token, and renews it when a server refuses it.
///
///     adapters → authorize → exchange ─ 401 → refresh ─ true → authorize → exchange
///                                                ├─ false: the 401 is the response
///                                                └─ throws: the request fails
///
/// A queue has one for all its requests: `queue.authenticator`. ``BearerAuthenticator`` is one for bearer tokens. Names
/// and passwords (Basic and Digest) need none; see ``NetworkQueueDelegate`` and ``NetworkRequest/credential``.
///
/// The calls are asynchronous and made off the transport's threads, several at a time for several requests; an
/// operation keeps its slot meanwhile. When an operation is cancelled the task that calls for it is, and the operation
/// does not wait for it. What is asked here must therefore not wait for another request in the same queue: that may
/// need the slot.
public protocol RequestAuthenticator: Sendable {
    /// Returns `request` with its authorization.
    ///
    /// Called for each attempt after the adapters, for a ``NetworkQueue``'s sizing requests, too, and once more after
    /// ``refresh(after:in:)`` has returned `true`. Header fields and the URL may be changed, method and content not.
    ///
    /// It is not called for ``NetworkRequest/mirrors`` of another origin than the request's own URL, nor for redirects. Those within the origin keep what was added; on the way to another origin each
    /// header field gets back the value that it had before, and `Authorization` is removed in any case. What it throws
    /// is the failure of the attempt, which the retry policy or decider may repeat: a `URLError` or ``NetworkError`` as
    /// such, anything else as `.adapting`.
    func authorize(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest

    /// Renews the authorization; returns whether the request is to be sent once more.
    ///
    /// Called after a 401 of the request's own origin that no name and password answers, whatever the validation says
    /// of it, and at most once for each request, retries included: a further 401 is the response. With `true` the
    /// request is authorized anew and sent again at once, content included, which does not count as a retry; with
    /// `false`, which the default implementation returns, the 401 is the response. What it throws fails the request
    /// with `.authenticationRequired` and the error beneath, which no retry policy repeats.
    ///
    /// - Parameters:
    ///   - error: `.httpStatus(401)`; `error.response` has the head, and the first 64 KiB of the content.
    ///   - context: `context.sentRequest` is what was refused, as ``authorize(_:in:)`` has left it.
    func refresh(after error: NetworkError, in context: AttemptContext) async throws -> Bool
}

extension RequestAuthenticator {
    /// Returns `false`: the 401 is the response.
    public func refresh(after error: NetworkError, in context: AttemptContext) async throws -> Bool { false }
}
