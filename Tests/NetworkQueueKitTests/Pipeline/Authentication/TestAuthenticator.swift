import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport

/// An authenticator that writes down what it is asked, and does as the test says.
final class TestAuthenticator: RequestAuthenticator {
    /// What ``authorize(_:in:)`` was given.
    let authorized = Gathering<(request: URLRequest, context: AttemptContext)>()
    /// What ``refresh(after:in:)`` was given.
    let refreshed = Gathering<(error: NetworkError, context: AttemptContext)>()
    private let token = Guarded("old")
    private let field: String
    private let onRefresh: @Sendable () async throws -> String?

    /// - Parameters:
    ///   - field: the header field that gets the token, at first `old`.
    ///   - onRefresh: returns a new token, or `nil` when it has no other.
    init(field: String = "Authorization", onRefresh: @escaping @Sendable () async throws -> String? = { "new" }) {
        self.field = field
        self.onRefresh = onRefresh
    }

    func authorize(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest {
        authorized.add((request, context))
        var request = request
        request.setValue("Bearer " + token.withLock { $0 }, forHTTPHeaderField: field)
        return request
    }

    func refresh(after error: NetworkError, in context: AttemptContext) async throws -> Bool {
        refreshed.add((error, context))
        guard let fresh = try await onRefresh() else { return false }
        token.withLock { $0 = fresh }
        return true
    }
}

extension ScriptedTransport {
    /// A server that opens to the bearer token `new`.
    static func takingNewToken(challenge: String = "Bearer", then answer: Answer = .ok("secret"))
        -> ScriptedTransport
    {
        ScriptedTransport { exchange in
            exchange.headers["Authorization"] == "Bearer new" ? answer : .refusal(challenge)
        }
    }

    /// The `Authorization` fields of all exchanges so far, without the scheme.
    var tokens: [String?] {
        exchanges.map { $0.exchange.headers["Authorization"]?.replacing("Bearer ", with: "") }
    }
}

extension ScriptedTransport.Answer {
    /// A 401 with a page.
    static func refusal(_ challenge: String = "Bearer") -> ScriptedTransport.Answer {
        .text("who?", status: 401, ["WWW-Authenticate": challenge])
    }
}
