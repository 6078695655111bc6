import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct ChallengeTests {
    private let delegate = QuestionDelegate()

    /// A queue over a server whose doors open to the given passwords.
    private func rig(
        _ passwords: @escaping @Sendable (HTTPExchange) -> [String] = { _ in ["right"] }
    ) -> QueueRig<NetworkQueue> {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                passwords(exchange).map(String.basic).contains(exchange.headers["Authorization"] ?? "")
                    ? .ok("secret")
                    : .text("who?", status: 401, ["WWW-Authenticate": "Basic realm=\"r\""])
            },
            configure: {
                $0.cancelsAllOnFailure = false
                $0.maxConcurrentRequestCount = 0
            })
        rig.queue.delegate = delegate
        return rig
    }

    private func question(_ number: Int) async -> QuestionDelegate.Question {
        await delegate.questions.wait(count: number + 1)[number]
    }

    private func sent(_ rig: QueueRig<NetworkQueue>, _ path: String) -> [String?] {
        rig.transport.exchanges.filter { $0.path == path }.map { $0.exchange.headers["Authorization"] }
    }

    @Test func `A challenge describes the question, and its answer opens the door`() async {
        let rig = rig()
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        let question = await question(0)
        let challenge = question.challenge
        #expect(challenge.scheme == .basic && challenge.realm == "r" && challenge.url == .test("a"))
        #expect(!challenge.isProxy && challenge.previousFailureCount == 0 && challenge.rejectedCredential == nil)
        #expect(challenge.response.statusCode == 401 && question.operation === operation)
        #expect(operation.status == .running && operation.responseHead == nil)
        question.answer(.user("right"))
        _ = await delegate.drains.wait(count: 1)
        #expect(operation.data == Data("secret".utf8) && operation.attempts == 1)
        #expect(delegate.heads.values == ["/a 200"])
    }

    @Test func `A challenge is put once for all requests that go to the same realm`() async {
        let rig = rig()
        rig.add(5)
        rig.queue.go()
        await rig.transport.wait { $0.completed == 5 }
        await question(0).answer(.user("right"))
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.questions.values.count == 1 && delegate.ends.values.allSatisfy { $0.hasSuffix("ok") })
        #expect(rig.transport.exchanges.count == 10)
        // A later request sends it without having been asked.
        rig.queue.add(.test("later"))
        _ = await delegate.drains.wait(count: 2)
        #expect(sent(rig, "/later") == [.basic("right")])
    }

    @Test func `A challenge is put again while the answers are wrong, with their number`() async {
        let rig = rig()
        rig.add(5)
        rig.queue.go()
        for count in 0..<4 {
            let question = await question(count)
            #expect(question.challenge.previousFailureCount == count)
            #expect(question.challenge.rejectedCredential?.password == (count == 0 ? nil : "wrong \(count - 1)"))
            question.answer(.user(count == 3 ? "right" : "wrong \(count)"))
        }
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.questions.values.count == 4 && delegate.ends.values.allSatisfy { $0.hasSuffix("ok") })
        #expect(delegate.heads.values.allSatisfy { $0.hasSuffix("200") })
    }

    @Test
    func `A nil answer makes the 401 the response for the whole batch, and the next batch is asked again`() async {
        let rig = rig()
        let operations = rig.add(3)
        rig.queue.go()
        await rig.transport.wait { $0.completed == 3 }
        // One that waits until the others have ended is of the same batch.
        rig.queue.isSuspended = true
        rig.queue.add(.test("later"))
        await question(0).answer(nil)
        _ = await delegate.ends.wait(count: 3)
        rig.queue.isSuspended = false
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.questions.values.count == 1)
        #expect(
            operations.allSatisfy {
                $0.error?.code == .httpStatus(401) && $0.error?.response?.data == Data("who?".utf8)
            })
        #expect(delegate.heads.values.sorted() == ["/0 401", "/1 401", "/2 401", "/later 401"])

        let next = rig.queue.add(.test("next"))
        let question = await question(1)
        #expect(question.challenge.previousFailureCount == 0)
        question.answer(.user("right"))
        _ = await delegate.drains.wait(count: 2)
        #expect(next.error == nil)
    }

    @Test func `A challenge whose answer closure is released is answered with nothing`() async {
        final class Deaf: NetworkQueueDelegate, Sendable {
            func networkQueue(
                _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
                answer: @escaping @Sendable (URLCredential?) -> Void
            ) {}
        }
        let rig = rig()
        let deaf = Deaf()
        rig.queue.delegate = deaf
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .httpStatus(401))
        // The operation's own handler is asked then, as after an answer without a credential.
        let other = RequestOperation(NetworkRequest(.test("b")))
        other.challengeHandler = { _ in .user("right") }
        rig.queue.add(other)
        await rig.queue.run()
        #expect(other.error == nil)
        withExtendedLifetime(deaf) {}
    }

    @Test func `A challenge takes the first answer, from any thread, however many there are`() async {
        let rig = rig()
        rig.queue.add(.test("a"))
        rig.queue.go()
        let question = await question(0)
        await onThread { question.answer(.user("right")) }
        for _ in 0..<10 { question.answer(.user("wrong")) }
        question.answer(nil)
        _ = await delegate.drains.wait(count: 1)
        question.answer(.user("wrong"))
        rig.queue.add(.test("b"))
        _ = await delegate.drains.wait(count: 2)
        #expect(delegate.ends.values == ["/a ok", "/b ok"] && sent(rig, "/b") == [.basic("right")])
    }

    @Test func `A challenge serves the others even if the request that it was put for is cancelled`() async {
        let rig = rig()
        rig.add(3)
        rig.queue.go()
        await rig.transport.wait { $0.completed == 3 }
        let question = await question(0)
        question.operation.cancel()
        _ = await delegate.ends.wait(count: 1)
        #expect(question.operation.status == .cancelled)
        question.answer(.user("right"))
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.ends.values.count { $0.hasSuffix("ok") } == 2 && delegate.questions.values.count == 1)
    }

    @Test(arguments: [false, true])
    func `A challenge that never gets an answer holds up neither cancelled operations nor a reset`(isReset: Bool) async
    {
        let rig = rig()
        let operations = rig.add(3)
        rig.queue.go()
        let void = await question(0)
        await rig.transport.wait { $0.completed == 3 }
        if isReset { rig.queue.reset() } else { rig.queue.cancelAll() }
        #expect(await eventually { operations.allSatisfy { $0.status == .cancelled } })
        guard isReset else { return _ = await delegate.drains.wait(count: 1) }
        // Its answer has no say about the next batch.
        rig.queue.delegate = delegate
        rig.queue.add(.test("b"))
        rig.queue.go()
        let question = await question(1)
        void.answer(.user("wrong"))
        question.answer(.user("right"))
        _ = await delegate.drains.wait(count: 1)
        #expect(sent(rig, "/b") == [nil, .basic("right")])
    }

    @Test(arguments: [true, false])
    func `A challenge with an unknown scheme, or without a delegate, is the response`(isUnknown: Bool) async {
        let rig = rig()
        if isUnknown {
            rig.transport.setScript { _ in .status(401, ["WWW-Authenticate": "Negotiate, Bearer realm=\"x\""]) }
        } else {
            rig.queue.delegate = nil
        }
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .httpStatus(401) && delegate.questions.values.isEmpty)
    }

    @Test func `An answered challenge has the content sent again`() async throws {
        let rig = rig()
        rig.queue.add(NetworkRequest(.test("a"), method: "POST", body: .data(Data("content".utf8))))
        rig.queue.go()
        await question(0).answer(.user("right"))
        _ = await delegate.drains.wait(count: 1)
        let exchanges = rig.transport.exchanges.map(\.exchange)
        #expect(try exchanges.map { try $0.content } == [Data("content".utf8), Data("content".utf8)])
        #expect(exchanges.map(\.method) == ["POST", "POST"])
    }

    @Test func `A challenge to a size probe is not put to the delegate`() async {
        let rig = rig()
        rig.queue.showsAccurateProgress = true
        rig.queue.add(.test("a"))
        rig.queue.go()
        let question = await question(0)
        #expect(rig.transport.exchanges.map { $0.exchange.method } == ["HEAD", "GET"])
        question.answer(.user("right"))
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.questions.values.count == 1 && delegate.ends.values == ["/a ok"])
    }

    @Test func `A challenge's answer overrules the request's own field, which goes first`() async {
        let rig = rig()
        rig.queue.add(URLRequest(url: .test("a")).adding("Bearer old", to: "Authorization"))
        rig.queue.go()
        await question(0).answer(.user("right"))
        _ = await delegate.drains.wait(count: 1)
        #expect(sent(rig, "/a") == ["Bearer old", .basic("right")])
    }

    @Test func `A challenge's answer holds for the next attempt of a retried request`() async {
        let rig = rig()
        rig.queue.retryPolicy = .immediate(1)
        rig.queue.add(.test("a"))
        rig.queue.go()
        let question = await question(0)
        rig.transport.setScript { _ in .hold }
        question.answer(.user("right"))
        await rig.transport.exchange(1).end(.networkConnectionLost)
        await rig.transport.exchange(2).answer(.ok())
        _ = await delegate.drains.wait(count: 1)
        #expect(sent(rig, "/a") == [nil, .basic("right"), .basic("right")])
        #expect(delegate.ends.values == ["/a ok"])
    }
}
