import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RetryDeciderTests {
    private func rig(
        policy: RetryPolicy = .never, script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer,
        decider: any RetryDecider
    ) -> QueueRig<NetworkQueue> {
        QueueRig(ScriptedTransport(script: script)) {
            $0.retryPolicy = policy
            $0.retryDecider = decider
        }
    }

    @Test
    func `A decider is told the error, the head and the attempts, and may give up before the policy does`()
        async throws
    {
        let calls = Gathering<String>()
        let rig = rig(
            policy: .immediate(5),
            script: { _ in .text("b", status: 503, ["X-Why": "busy"]) },
            decider: .decider { error, context in
                let response = error.response
                let text = "\(response?.head.headers["X-Why"] ?? "none") \(response?.data?.count ?? 0)"
                calls.add("\(error.code) \(error.attempts) \(context.attempt) \(text)")
                return context.attempt == 3 ? .fail : .usePolicy
            })
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .httpStatus(503) && operation.error?.response?.data == Data("b".utf8))
        await rig.run(try #require(URL(string: "file:///etc/passwd")))
        // The last one was not sent.
        #expect(
            calls.values
                == (1...3).map { "httpStatus(503) \($0) \($0) busy 1" } + ["unsupportedScheme 0 1 none 0"])
    }

    @Test func `A decider may go on if the policy would not, as often as it likes`() async {
        let rig = rig(
            script: { _ in .fail(.badServerResponse) },
            decider: .decider { error, context in
                error.response == nil && context.attempt < 30 ? .retry(after: .zero) : .usePolicy
            })
        let operation = await rig.run(
            .test("a") {
                $0.method = "POST"
            })
        #expect(operation.attempts == 30 && operation.error?.code == .badServerResponse)
    }

    @Test func `A decider may send another request in that attempt alone, which the adapters see`() async {
        let rig = QueueRig(ScriptedTransport { _ in .fail(.timedOut) }) {
            $0.adapters = [.adapter { request, _ in request.adding("adapted", to: "X-Trail") }]
            $0.retryDecider = .decider { _, context in
                switch context.attempt {
                case 1:
                    .retry(after: .zero, request: URLRequest(url: .test("mirror")).adding("decided", to: "X-Trail"))
                case 2: .retry(after: .zero)
                default: .fail
                }
            }
        }
        await rig.run(.test("a"))
        #expect(
            rig.transport.exchanges.map { "\($0.path) \($0.exchange.headers["X-Trail"] ?? "")" }
                == ["/a adapted", "/mirror decided,adapted", "/a adapted"])
    }

    @Test func `A decider sets the delay itself`() async {
        let rig = rig(
            script: { _ in .hold },
            decider: .decider { _, context in context.attempt == 1 ? .retry(after: .seconds(100)) : .fail })
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        await rig.transport.exchange(0).end(.timedOut)
        await rig.waitForRetries(1)
        rig.advance(by: .milliseconds(99_999))
        #expect(rig.transport.exchanges.count == 1)
        rig.advance(by: .milliseconds(1))
        await rig.transport.exchange(1).end(.timedOut)
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.story(of: operation) == ["start", "retry timedOut", "fail timedOut"])
    }

    @Test func `A request's own decider replaces the queue's`() async {
        let rig = rig(script: { _ in .fail(.timedOut) }, decider: .decider { _, _ in .fail })
        var request = NetworkRequest(.test("a"))
        request.retryDecider = .decider { _, context in context.attempt < 3 ? .retry(after: .seconds(-5)) : .fail
        }
        let operation = await rig.run(request)
        #expect(operation.attempts == 3)
    }

    @Test func `A decider is not asked after a cancellation`() async {
        let calls = Gathering<Void>()
        let rig = rig(
            script: { _ in .hold },
            decider: .decider { _, _ in
                calls.add(())
                return .retry(after: .zero)
            })
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        operation.cancel()
        await rig.recorder.waitForDrain()
        #expect(calls.values.isEmpty && rig.recorder.story(of: operation) == ["start", "fail cancelled"])
    }

    @Test func `A decider is not asked about sizing requests`() async {
        let calls = Gathering<String>()
        let rig = QueueRig(ScriptedTransport { $0.method == "HEAD" ? .fail(.timedOut) : .ok() }) {
            $0.showsAccurateProgress = true
            $0.retryDecider = .decider { _, context in
                calls.add(context.request.urlRequest.httpMethod ?? "")
                return .fail
            }
        }
        let operation = await rig.run(.test("a"))
        #expect(calls.values.isEmpty && operation.status == .finished)
    }
}
