import Foundation

/// Sends a bearer token (RFC 6750) and refreshes it once for all requests that a server refuses with it.
///
/// ```swift
/// queue.authenticator = BearerAuthenticator(token: stored) { expired in
///     try await session.newToken(inPlaceOf: expired)
/// }
/// ```
///
/// Each request gets `Authorization: Bearer <token>`, unless it has an `Authorization` field (its own or from the
/// queue's ``RequestQueueing/headers``), a ``NetworkRequest/credential``, or a user name in its URL. The token is sent
/// to every server that the queue contacts; use a separate queue for requests to other servers.
///
/// A 401 refreshes the token. Requests refused meanwhile, and requests about to be sent, wait for the new token. A
/// request refused with an outdated token is sent again with the current one. If the refresh fails, all refused
/// requests that wait for it fail, and the next 401 tries again.
public final class BearerAuthenticator: RequestAuthenticator {
    private struct State {
        var token: String
        /// The refresh in progress.
        var renewal: Task<Void, any Error>?
    }

    private let state: Guarded<State>
    private let renew: @Sendable (_ expired: String) async throws -> String

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - token: the initial token. An empty token is not sent.
    ///   - refresh: returns a new token for an expired one. Only one refresh runs at a time, in a task of its own,
    ///     which is not canceled with the requests. It must not use the queue that the authenticator is set on: its
    ///     request could wait for a slot held by a request that waits for the refresh.
    public init(token: String, refresh: @escaping @Sendable (String) async throws -> String) {
        state = Guarded(State(token: token))
        renew = refresh
    }

    /// The current token.
    public var token: String { state.withLock { $0.token } }

    /// Returns the request with the token, after waiting for a refresh in progress.
    ///
    /// - Throws: ``NetworkError`` with `.malformedRequest` if the token contains a space, a control character or a
    ///   non-ASCII character.
    public func authorize(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest {
        guard request.value(forHTTPHeaderField: Self.field) == nil, !context.request.hasOwnCredential else {
            return request
        }
        // Only the requests that caused the refresh report its failure; this request may not even need a token.
        if let renewal = state.withLock({ $0.renewal }) { _ = await renewal.result }
        let token = token
        guard !token.isEmpty else { return request }
        try check(token)
        var request = request
        request.setValue(Self.scheme + token, forHTTPHeaderField: Self.field)
        return request
    }

    /// Refreshes the token and returns `true`.
    ///
    /// If the token has changed since the request was sent, it is not refreshed again. Returns `false` for a request
    /// with credentials of its own.
    ///
    /// - Throws: the error of the `refresh` closure.
    public func refresh(after error: NetworkError, in context: AttemptContext) async throws -> Bool {
        guard !context.request.hasOwnCredential else { return false }
        var refused: String?
        if let value = context.sentRequest?.value(forHTTPHeaderField: Self.field) {
            guard value.hasPrefix(Self.scheme) else { return false }
            refused = String(value.dropFirst(Self.scheme.count))
        } else if context.sentRequest != nil {
            refused = ""
        }
        // Awaits a separate task, so that canceling one request does not cancel the refresh for the others.
        if let renewal = renewal(of: refused) { try await renewal.value }
        return true
    }

    /// Returns the refresh to wait for, or `nil` if the refused token is no longer the current one.
    private func renewal(of refused: String?) -> Task<Void, any Error>? {
        state.withLock { state in
            let expired = state.token
            if let refused, refused != expired { return nil }
            if let renewal = state.renewal { return renewal }
            // Detached: the refresh serves every waiting request, not only the first.
            let renewal = Task.detached { [self] in
                do {
                    let token = try await renew(expired)
                    self.state.withLock { $0 = State(token: token) }
                } catch {
                    self.state.withLock { $0.renewal = nil }
                    throw error
                }
            }
            state.renewal = renewal
            return renewal
        }
    }

    // MARK: The field

    private static let field = "Authorization"
    private static let scheme = "Bearer "

    private func check(_ token: String) throws(NetworkError) {
        // Foundation silently drops a field with a line break; the server would then refuse the request.
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            let text =
                "The bearer token contains a space, a line break or another character that tokens must not contain."
            throw NetworkError(
                .malformedRequest,
                underlying: URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: text]))
        }
    }
}

extension BearerAuthenticator: CustomStringConvertible {
    /// The name of the type; the token is not shown.
    public var description: String { "BearerAuthenticator" }
}

extension NetworkRequest {
    /// Whether the request carries credentials of its own.
    fileprivate var hasOwnCredential: Bool {
        headers.contains("Authorization") || credential != nil
            || url.mayHaveUserInformation && url.user(percentEncoded: false) != nil
    }
}
