import Foundation
import NetworkQueueKit

enum ComingFromAlamofireSnippets {
    struct Note: Codable, Sendable {
        var id: Int?
        let title: String
    }

    static func notes(
        at url: URL, token: String, renew: @escaping @Sendable (String) async throws -> String
    ) async throws -> (notes: [Note], added: Note) {
        // snippet: client
        let queue = RequestQueue()
        queue.retryPolicy = RetryPolicy(maxRetries: 2)
        queue.authenticator = BearerAuthenticator(token: token) { expired in try await renew(expired) }

        let page = [URLQueryItem(name: "page", value: "1")]
        let notes = try await queue.value(of: [Note].self, for: .get(url, query: page))
        let added: Note = try await queue.value(for: .post(url, body: .json(Note(title: "Milk"))))
        // end
        return (notes, added)
    }
}
