import Foundation
import NetworkQueueKit

private struct Token: Decodable {
    let token: String
}

enum TokenRefresh: Example {
    static let subject = "a token that has expired is renewed once for all that wait"

    static func run(_ site: Site) async throws {
        // A separate queue requests the token, because requests in the main queue wait for it.
        let login = RequestQueue()
        let authenticator = BearerAuthenticator(token: "expired") { _ in
            try await login.value(of: Token.self, for: site.url("/token")).token
        }
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "private"))
        queue.authenticator = authenticator
        queue.maxConcurrentRequestCount = 40
        queue.add(contentsOf: (0..<40).map { .get(site.url("/private/\($0)")) })
        let summary = await queue.run()
        if let failure = summary.firstFailure { throw failure.error }
        try check(authenticator.token == "fresh", "there is another token")
        try check(site.server.requests.count { $0.path == "/token" } == 1, "it was asked for once")
    }
}
