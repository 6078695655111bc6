import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// The stages of a request's life, which have to be the same whatever carries it.
@Suite(.timeLimit(.minutes(10)))
struct LifecycleTests {
    /// Adds a token that says which attempt it is for.
    private struct TokenAdapter: RequestAdapter {
        func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest {
            var request = request
            request.setValue("\(context.attempt)", forHTTPHeaderField: "X-Attempt")
            return request
        }
    }

    private struct Capitals: ResponseProcessor {
        func process(_ response: Response, in context: AttemptContext) async throws -> Response {
            var response = response
            response.data = response.data.map { Data(String(decoding: $0, as: UTF8.self).uppercased().utf8) }
            return response
        }
    }

    /// Goes to `/other` after a 409, whatever the policy says.
    private struct Detour: RetryDecider {
        let url: URL

        func decision(after error: NetworkError, in context: AttemptContext) async -> RetryDecision {
            error.response?.head.statusCode == 409 ? .retry(after: .zero, request: URLRequest(url: url)) : .usePolicy
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Cookies are kept, sent back and forgotten`(kind: TransportKind) async throws {
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let rig = try LiveRig(kind) { $0.cookieStorage = storage }
        rig.server.serve("/login", .redirect(to: "/home").header("Set-Cookie", "id=1; Path=/"))
        rig.server.serve(
            "/logout", .text("bye").header("Set-Cookie", "id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/"))
        for path in ["/home", "/again"] { rig.server.serve(path, .text("home")) }
        for path in ["/login", "/again", "/logout", "/again"] { #expect(await rig.get(path).error == nil) }
        #expect(rig.server.requests.map(\.path) == ["/login", "/home", "/again", "/logout", "/again"])
        #expect(rig.server.requests.map { $0.headers["Cookie"] } == [nil, "id=1", "id=1", "id=1", nil])
    }

    @Test(arguments: TransportKind.allCases)
    func `A redirect is followed, replaced or refused as the delegate wants`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let replaced = rig.server.url("/replaced")
        let recorder = DelegateRecorder(redirect: { request in
            switch request.url?.path() {
            case "/replace": URLRequest(url: replaced)
            case "/refuse": nil
            default: request
            }
        })
        rig.queue.delegate = recorder
        for name in ["follow", "replace", "refuse"] {
            rig.server.serve("/to-\(name)", .text("stay").status(302).header("Location", "/\(name)"))
            rig.server.serve("/\(name)", .text(name))
        }
        rig.server.serve("/replaced", .text("replaced"))
        #expect(await rig.get("/to-follow").data == Data("follow".utf8))
        #expect(await rig.get("/to-replace").data == Data("replaced".utf8))
        let refused = await rig.get("/to-refuse")
        #expect(refused.error?.code == .httpStatus(302) && refused.error?.response?.data == Data("stay".utf8))
        #expect(recorder.story(of: refused) == ["start", "redirect /refuse", "head 302", "fail httpStatus(302)"])
        #expect(rig.server.requestCount("/replace") == 0 && rig.server.requestCount("/refuse") == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `Adapters see each attempt, and processors see only the last`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) {
            $0.adapters = [TokenAdapter()]
            $0.processors = [Capitals()]
            $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.zero))
        }
        // On a connection that has been used before, a transport tries again by itself.
        rig.server.serve("/x", sequence: [.text("no", status: 503).closing(), .hangUp, .text("yes")])
        let operation = await rig.get("/x")
        #expect(operation.data == Data("YES".utf8) && operation.attempts == 3)
        let story = rig.recorder.story(of: operation)
        #expect(story == ["start", "retry httpStatus(503)", "retry connectionLost", "head 200", "finish"])
        let attempts = rig.server.requests.compactMap { $0.headers["X-Attempt"] }
        #expect(Set(attempts).count == 3 && attempts == attempts.sorted())
    }

    @Test(arguments: TransportKind.allCases)
    func `A decider overrules the policy for one attempt`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.queue.retryDecider = Detour(url: rig.server.url("/other"))
        rig.server.serve("/x", .status(409))
        rig.server.serve("/other", .text("other"))
        let operation = await rig.get("/x")
        #expect(operation.data == Data("other".utf8) && operation.responseHead?.url.path() == "/other")
        #expect(rig.recorder.story(of: operation) == ["start", "retry httpStatus(409)", "head 200", "finish"])
    }
}
