import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// One realm, in which `/a…` opens to one password and `/b…` to another. `/keep` stays open, so that the run goes on.
@Suite(.timeLimit(.minutes(10)))
struct PartialAcceptanceTests {
    private let delegate = QuestionDelegate()
    private let rig = QueueRig(
        ScriptedTransport { exchange in
            let password = exchange.path.hasPrefix("/a") ? "one" : "two"
            let isOpen = exchange.headers["Authorization"] == .basic(password)
            if exchange.path == "/keep" || isOpen && exchange.path == "/a-slow" { return .hold }
            return isOpen ? .ok() : .status(401, ["WWW-Authenticate": "Basic realm=\"r\""])
        },
        configure: {
            $0.cancelsAllOnFailure = false
            $0.maxConcurrentRequestCount = 0
        })

    /// Starts a run in which `/a` has been accepted and `/b` refused; returns the question about that.
    private func ask(after path: String = "a") async -> QuestionDelegate.Question {
        rig.queue.delegate = delegate
        rig.queue.add(.test("keep"))
        rig.queue.go()
        rig.queue.add(.test(path))
        await delegate.questions.wait(count: 1)[0].answer(.user("one"))
        if path == "a" {
            _ = await delegate.ends.wait(count: 1)
        } else {
            _ = await rig.transport.exchange(2)
        }
        rig.queue.add(.test("b"))
        let question = await delegate.questions.wait(count: 2)[1]
        #expect(
            question.challenge.previousFailureCount == 1 && question.challenge.rejectedCredential?.password == "one")
        return question
    }

    private func add(_ path: String) async -> String? {
        let count = delegate.ends.values.count
        rig.queue.add(.test(path))
        return await delegate.ends.wait(count: count + 1).last
    }

    private func finish() async {
        await rig.transport.exchange(0).answer(.ok())
        _ = await delegate.drains.wait(count: 1)
    }

    @Test func `A partly accepted credential stays in use if there is no better one, without a new question`() async {
        await ask().answer(nil)
        _ = await delegate.ends.wait(count: 2)
        #expect(await add("a2") == "/a2 ok")
        #expect(await add("b2") == "/b2 httpStatus(401)")
        #expect(await add("a3") == "/a3 ok")
        #expect(delegate.questions.values.count == 2)
        #expect(rig.transport.exchanges.filter { $0.path == "/a2" }.count == 1)
        await finish()
    }

    @Test func `A partly accepted credential also serves requests that came while the question was open`() async {
        let question = await ask()
        // The credential is in doubt, so they send none, are refused, and wait for the answer.
        rig.queue.add(.test("a2"))
        rig.queue.add(.test("b2"))
        await rig.transport.wait { $0.completed == $0.started - 1 && $0.started >= 6 }
        question.answer(nil)
        _ = await delegate.ends.wait(count: 4)
        #expect(delegate.ends.values.sorted() == ["/a ok", "/a2 ok", "/b httpStatus(401)", "/b2 httpStatus(401)"])
        #expect(delegate.questions.values.count == 2)
        await finish()
    }

    @Test func `A partly accepted credential stays in use after another was tried in vain`() async {
        await ask().answer(.user("wrong"))
        let question = await delegate.questions.wait(count: 3)[2]
        #expect(question.challenge.previousFailureCount == 2)
        question.answer(nil)
        _ = await delegate.ends.wait(count: 2)
        #expect(await add("a2") == "/a2 ok")
        #expect(await add("b2") == "/b2 httpStatus(401)")
        #expect(delegate.questions.values.count == 3)
        await finish()
    }

    @Test func `A credential is known to be partly accepted even if a door opens after a refusal at another`() async {
        await ask(after: "a-slow").answer(nil)
        _ = await delegate.ends.wait(count: 1)
        rig.transport.exchanges[2].answer(.ok())
        _ = await delegate.ends.wait(count: 2)
        #expect(await add("a2") == "/a2 ok")
        #expect(delegate.questions.values.count == 2)
        await finish()
    }

    @Test func `A partly accepted credential is asked about again in the next run`() async {
        await ask().answer(nil)
        await finish()
        rig.queue.add(.test("b2"))
        let question = await delegate.questions.wait(count: 3)[2]
        question.answer(.user("two"))
        _ = await delegate.drains.wait(count: 2)
        #expect(delegate.ends.values.last == "/b2 ok")
    }
}
