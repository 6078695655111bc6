import Foundation

/// Sends a bearer token (RFC 6750), and renews it once for all requests that a server refuses with it.
///
///     queue.authenticator = BearerAuthenticator(token: stored) { expired in
///         try await session.newToken(inPlaceOf: expired)
///     }
///
/// Each request gets `Authorization: Bearer <token>`, unless it has an `Authorization` field, its own or one of the
/// queue's ``RequestQueueing/headers``, a ``NetworkRequest/credential`` of its own, or a name in its URL. The token
/// goes to all servers that the queue asks: requests to others than those it is meant for belong in another queue.
///
/// A 401 renews the token. Requests that are refused meanwhile, and those about to be sent, wait for the new one; one
/// that was refused with an older token than the present one goes again with that. When the renewal fails, so do all
/// requests that were refused and wait for it, and the next 401 tries again.
public final class BearerAuthenticator: RequestAuthenticator {
    private struct State {
        var token: String
        /// The renewal under way.
        var renewal: Task<Void, any Error>?
    }

    private let state: Guarded<State>
    private let renew: @Sendable (_ expired: String) async throws -> String

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - token: the first token. An empty one is not sent.
    ///   - refresh: returns a new token for one that has expired. Called for one renewal at a time, in a task of its
    ///     own, which the cancellation of requests does not cancel. It must not use the queue that the authenticator is
    ///     set on: its request might wait for a slot that one of those has which wait for it.
    public init(token: String, refresh: @escaping @Sendable (String) async throws -> String) {
        state = Guarded(State(token: token))
        renew = refresh
    }

    /// The token that is sent at present.
    public var token: String { state.withLock { $0.token } }

    /// Returns the request with the token, when a renewal that is under way has ended.
    ///
    /// - Throws: ``NetworkError`` with `.malformedRequest` when the token has a character that no token may have.
    public func authorize(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest {
        guard request.value(forHTTPHeaderField: Self.field) == nil, !context.request.hasOwnCredential else {
            return request
        }
        // Of its failure those are told that have caused it; this one may not even need a token.
        if let renewal = state.withLock({ $0.renewal }) { _ = await renewal.result }
        let token = token
        guard !token.isEmpty else { return request }
        try check(token)
        var request = request
        request.setValue(Self.scheme + token, forHTTPHeaderField: Self.field)
        return request
    }

    /// Renews the token, unless the request was refused with another than the present one, and returns `true`; returns
    /// `false` for a request that has been sent with credentials of its own.
    ///
    /// - Throws: what the closure for the renewal has thrown.
    public func refresh(after error: NetworkError, in context: AttemptContext) async throws -> Bool {
        guard !context.request.hasOwnCredential else { return false }
        var refused: String?
        if let value = context.sentRequest?.value(forHTTPHeaderField: Self.field) {
            guard value.hasPrefix(Self.scheme) else { return false }
            refused = String(value.dropFirst(Self.scheme.count))
        } else if context.sentRequest != nil {
            refused = ""
        }
        // Waited for, not run by this task: its cancellation is not that of the others.
        if let renewal = renewal(of: refused) { try await renewal.value }
        return true
    }

    /// The renewal to wait for; `nil` when there is another token than the one that was refused.
    private func renewal(of refused: String?) -> Task<Void, any Error>? {
        state.withLock { state in
            let expired = state.token
            if let refused, refused != expired { return nil }
            if let renewal = state.renewal { return renewal }
            // Detached: the first of the requests that wait is not the only one that it is for.
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
            let text = "The bearer token has a space, a line break or another character that no token may have."
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
    /// Whether it says by itself who asks.
    fileprivate var hasOwnCredential: Bool {
        headers.contains("Authorization") || credential != nil
            || url.mayHaveUserInformation && url.user(percentEncoded: false) != nil
    }
}
