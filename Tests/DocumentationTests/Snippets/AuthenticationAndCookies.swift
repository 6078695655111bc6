import Foundation
import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum AuthenticationAndCookiesSnippets {
    static func credential(_ url: URL) -> NetworkRequest {
        // snippet: credential
        var request = NetworkRequest(url)
        request.credential = URLCredential(user: "me", password: "secret", persistence: .none)
        request.sendsCredentialUnasked = false  // wait until the server asks
        // end
        return request
    }

    // snippet: delegate
    final class Login: NetworkQueueDelegate {
        func networkQueue(
            _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
            answer: @escaping @Sendable (URLCredential?) -> Void
        ) {
            guard challenge.previousFailureCount < 3 else { return answer(nil) }
            ask(for: challenge.realm, at: challenge.url) { user, password in
                answer(URLCredential(user: user, password: password, persistence: .none))
            }
        }

        /// Shows a window, and calls `completion` now or later.
        func ask(for realm: String, at url: URL, completion: @Sendable (String, String) -> Void) {
            completion("me", "secret")
        }
    }
    // end

    static func handled(_ operation: RequestOperation) {
        // snippet: handler
        operation.challengeHandler = { challenge in
            guard challenge.previousFailureCount == 0 else { return nil }
            return URLCredential(user: "me", password: "secret", persistence: .none)
        }
        // end
    }

    struct Token: Decodable {
        let token: String
    }

    static func bearer(_ stored: String, _ tokenURL: URL, _ queue: NetworkQueue) {
        // snippet: bearer
        let login = RequestQueue()  // not the queue whose requests wait for the token
        queue.authenticator = BearerAuthenticator(token: stored) { expired in
            try await login.value(of: Token.self, for: .post(tokenURL, headers: ["X-Expired": expired])).token
        }
        // end
    }

    static func cookies(_ queue: RequestQueue) {
        // snippet: cookies
        queue.cookieStorage = HTTPCookieStorage.shared
        // end
    }

    static func ownCookies(_ queue: RequestQueue) {
        // snippet: own cookies
        queue.cookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
        // end
    }
}
