import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct DigestChallengeTests {
    private func rig(
        _ server: DigestServer, limit: Int = 0, password: String = "right"
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport { server.answer($0) },
            configure: {
                $0.cancelsAllOnFailure = false
                $0.maxConcurrentRequestCount = limit
            }, credential: { $0.previousFailureCount > 2 ? nil : .user(password) })
    }

    private func questions(_ rig: QueueRig<NetworkQueue>) -> Int {
        rig.recorder.events.count { $0.kind == .didReceiveChallenge }
    }

    @Test(arguments: ["a", "a%20b/c;d=e", "a?x=1&y=%2F%20", "", "ü", "a//b/"])
    func `A Digest challenge is answered for method and target as they are sent`(path: String) async {
        let server = DigestServer()
        let rig = rig(server)
        let operation = await rig.run(.test(path))
        #expect(operation.data == Data("secret".utf8) && questions(rig) == 1)
    }

    @Test(arguments: [1, 0])
    func `A Digest challenge is put once, and each request after that counts one use more`(limit: Int) async {
        let server = DigestServer()
        let rig = rig(server, limit: limit)
        rig.add(20)
        await rig.queue.run()
        #expect(questions(rig) == 1 && rig.recorder.summaries[0].counts.finished == 20)
        #expect(server.uses.map(\.count).sorted() == (1...20).map { String(format: "%08x", $0) })
        if limit == 1 { #expect(rig.transport.exchanges.count == 21) }
    }

    @Test func `A Digest challenge with a stale nonce is answered without asking again`() async {
        let server = DigestServer(maximumUseCount: 2)
        let rig = rig(server, limit: 1)
        rig.add(7)
        await rig.queue.run()
        #expect(questions(rig) == 1 && rig.recorder.summaries[0].counts.finished == 7)
        #expect(
            server.uses.map { "\($0.nonce) \($0.count)" } == [
                "n1 00000001", "n1 00000002", "n2 00000001", "n2 00000002", "n3 00000001", "n3 00000002", "n4 00000001",
            ])
    }

    @Test func `A Digest challenge of a server that calls every nonce stale ends as the response`() async {
        let rig = rig(DigestServer(isEverStale: true))
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .httpStatus(401) && questions(rig) == 1)
        #expect(rig.transport.exchanges.count == 5)
    }

    @Test func `A Digest challenge is put again for a wrong password, however fresh its nonce is`() async {
        let rig = rig(DigestServer(), password: "wrong")
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .httpStatus(401))
        #expect(
            rig.recorder.story(of: operation) == [
                "start", "challenge 0", "challenge 1", "challenge 2", "challenge 3", "head 401", "fail httpStatus(401)",
            ])
    }

    @Test func `A Digest challenge is answered by the request's own credential without asking the delegate`() async {
        let server = DigestServer()
        let rig = rig(server, limit: 1)
        for path in ["a", "b"] {
            var request = NetworkRequest(.test(path))
            request.credential = .user("right")
            rig.queue.add(request)
        }
        await rig.queue.run()
        #expect(questions(rig) == 0 && rig.recorder.summaries[0].counts.finished == 2)
        // Basic, Digest when that was asked for, and from then on Digest at once.
        let schemes = rig.transport.exchanges.map { $0.exchange.headers["Authorization"]?.prefix(6) }
        #expect(schemes == ["Basic ", "Digest", "Digest"] && server.uses.map(\.count) == ["00000001", "00000002"])
    }

    @Test func `A Digest challenge that refuses the request's own credential is put as a second question`() async {
        let server = DigestServer()
        let rig = rig(server)
        let operation = await rig.run(.test("a") { $0.credential = .user("wrong") })
        #expect(rig.recorder.story(of: operation) == ["start", "challenge 1", "head 200", "finish"])
    }
}
