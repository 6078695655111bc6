import Foundation
import Testing

@testable import NetworkQueueKit

/// The delegate as Apple's sessions call it.
@Suite(.timeLimit(.minutes(10)))
struct SessionRouterTests {
    @Test(arguments: ["NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate"])
    func `Certificates are left to the system`(method: String) async throws {
        let session = AppleSession()
        #expect(session.challenge(method) == .performDefaultHandling)
        try session.respond()
        session.end()
        let events = await session.receiver.end()
        #expect(events.error == nil && events.head?.statusCode == 200)
    }

    @Test(arguments: [
        (401, "NSURLAuthenticationMethodHTTPBasic"), (401, "NSURLAuthenticationMethodHTTPDigest"),
        (401, "NSURLAuthenticationMethodNTLM"), (407, "NSURLAuthenticationMethodHTTPBasic"),
    ])
    func `A 401 or 407 arrives with its content`(statusCode: Int, method: String) async throws {
        let session = AppleSession()
        #expect(session.challenge(method, statusCode: statusCode) == .rejectProtectionSpace)
        try session.respond(statusCode, ["X-Real": "yes"])
        session.send(Data("denied".utf8))
        session.end()
        let events = await session.receiver.end()
        #expect(events.head?.statusCode == statusCode && events.head?.headers["X-Real"] == "yes")
        #expect(events.body == Data("denied".utf8) && events.error == nil)
    }

    @Test func `On Linux a 401 is the response of the challenge`() {
        #expect(
            SessionPolicy.linux.answer(toChallenge: "NSURLAuthenticationMethodHTTPBasic")
                == .cancelAuthenticationChallenge)
        #expect(
            SessionPolicy.linux.answer(toChallenge: "NSURLAuthenticationMethodClientCertificate")
                == .performDefaultHandling)
    }

    @Test func `A redirect is declined once and its response arrives with its content`() async throws {
        let session = AppleSession()
        #expect(try session.redirect() == 1)
        try session.respond(302, ["Location": "/other"])
        session.send(Data("moved".utf8))
        session.end()
        let events = await session.receiver.end()
        #expect(events.head?.statusCode == 302 && events.body == Data("moved".utf8) && events.error == nil)
    }

    @Test func `A task is cancelled after a declined redirect`() async throws {
        let session = AppleSession()
        #expect(try session.redirect() == 1)
        session.transfer.cancel()
        #expect(session.task.calls == ["resume", "cancel"])
        #expect(await session.receiver.end().error?.code == .cancelled)
    }

    @Test(arguments: [URLError.Code.cancelled, .networkConnectionLost])
    func `Handlers are called for a transfer that has been cancelled or has ended`(code: URLError.Code) async throws {
        let session = AppleSession()
        if code == .cancelled { session.transfer.cancel() } else { session.end(URLError(code)) }
        #expect(await session.receiver.end().error?.code == code)
        #expect(try session.redirect() == 1)
        #expect(session.challenge("NSURLAuthenticationMethodHTTPBasic", statusCode: 401) == .rejectProtectionSpace)
        #expect(session.challenge("NSURLAuthenticationMethodServerTrust") == .performDefaultHandling)
        let response = try #require(AppleSession.response(200, [:]))
        let count = Guarded(0)
        session.router.urlSession(session.session, dataTask: session.sessionTask, didReceive: response) { _ in
            count.withLock { $0 += 1 }
        }
        session.router.urlSession(
            session.session, task: session.sessionTask,
            needNewBodyStream: { stream in
                #expect(stream == nil)
                count.withLock { $0 += 1 }
            })
        #expect(count.withLock { $0 } == 2)
    }
}
