import Foundation
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct ServerCheckTests {
    private let chain = [Data("server".utf8), Data("authority".utf8)]

    private func answer(_ session: AppleSession) async -> URLSession.AuthChallengeDisposition {
        await withCheckedContinuation { continuation in
            session.router.urlSession(
                session.session, task: session.sessionTask,
                didReceive: AppleSession.makeChallenge("NSURLAuthenticationMethodServerTrust")
            ) { disposition, _ in continuation.resume(returning: disposition) }
        }
    }

    @Test func `A server that the user's code refuses fails the exchange`() async {
        let chain = chain
        let session = AppleSession(
            serverCheck: ServerCheck(acceptedChain: { _ in chain }) { host, certificates in
                #expect(host == "server.test" && certificates == chain)
                return false
            })
        #expect(await answer(session) == .cancelAuthenticationChallenge)
        session.end(URLError(.cancelled))
        let failure = await session.receiver.end().error.map { NetworkError($0) }
        #expect(failure?.code == .tlsFailure)
        #expect(failure?.description.contains("own check rejected") == true)
    }

    @Test func `A server that the user's code accepts is left to the system`() async {
        let chain = chain
        let session = AppleSession(serverCheck: ServerCheck(acceptedChain: { _ in chain }, accepts: { _, _ in true }))
        #expect(await answer(session) == .performDefaultHandling)
    }

    @Test func `The user's code cannot accept a server that the system refuses`() async {
        let session = AppleSession(
            serverCheck: ServerCheck(acceptedChain: { _ in nil }) { _, _ in
                Issue.record("asked about a server that is refused already")
                return true
            })
        // The system then refuses it.
        #expect(await answer(session) == .performDefaultHandling)
    }
}
