import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Authentication and cookies".
@Suite(.timeLimit(.minutes(10)))
struct AuthenticationAndCookiesTests {
    /// A server that takes one `Authorization` alone.
    private func server(taking authorization: String, _ challenge: String) throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.serve("*") { request in
            request.headers["Authorization"] == authorization
                ? .text("welcome") : .status(401, headers: ["WWW-Authenticate": challenge])
        }
        return server
    }

    @Test func `A delegate, a handler and a request answer a challenge`() async throws {
        let server = try server(taking: "Basic bWU6c2VjcmV0", #"Basic realm="files""#)
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        let login = AuthenticationAndCookiesSnippets.Login()
        queue.delegate = login
        queue.add(contentsOf: [.get(server.url("/a")), .get(server.url("/b"))])
        #expect(await queue.run().isSuccess)
        let handled = RequestOperation(.get(server.url("/c")))
        AuthenticationAndCookiesSnippets.handled(handled)
        RequestQueue().add(handled)
        #expect(try await handled.response().data == Data("welcome".utf8))
        let request = AuthenticationAndCookiesSnippets.credential(server.url("/d"))
        #expect(try await RequestQueue().data(for: request) == Data("welcome".utf8))
        #expect(server.requestCount("/d") == 2)
    }

    @Test func `A token is renewed once`() async throws {
        let server = try server(taking: "Bearer fresh", "Bearer")
        server.serve("/token", .json(#"{"token":"fresh"}"#))
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        AuthenticationAndCookiesSnippets.bearer("expired", server.url("/token"), queue)
        queue.add(contentsOf: (0..<10).map { .get(server.url("/\($0)")) })
        #expect(await queue.run().isSuccess)
        #expect(server.requestCount("/token") == 1)
        let cookies = RequestQueue()
        AuthenticationAndCookiesSnippets.cookies(cookies)
        #expect(cookies.cookieStorage != nil)
    }

    @Test func `Cookies of one run are not those of the process, nor of the next run`() async throws {
        let server = try LoopbackServer(fallback: .text("welcome"))
        server.serve("/login", .text("hello").header("Set-Cookie", "session=1"))
        let queue = RequestQueue()
        for _ in 0..<2 {
            AuthenticationAndCookiesSnippets.ownCookies(queue)
            _ = try await queue.data(for: server.url("/login"))
            #expect(server.requests.last?.headers["Cookie"] == nil)
            _ = try await queue.data(for: server.url("/a"))
            #expect(server.requests.last?.headers["Cookie"] == "session=1")
        }
        #expect(HTTPCookieStorage.shared.cookies(for: server.url("/a"))?.isEmpty != false)
    }
}
