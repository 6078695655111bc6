import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RequestAuthenticatorTests {
    private func rig(
        _ authenticator: any RequestAuthenticator, _ transport: ScriptedTransport = .takingNewToken(),
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            transport,
            configure: {
                $0.authenticator = authenticator
                $0.cancelsAllOnFailure = false
                configure(&$0)
            })
    }

    @Test func `An authenticator authorizes the request that the adapters have made, in each attempt`() async {
        let authenticator = TestAuthenticator()
        let rig = rig(authenticator, ScriptedTransport { _ in .fail(.timedOut) }) {
            $0.adapters = [.adapter { request, _ in request.adding("queue", to: "X-Trail") }]
            $0.retryPolicy = .immediate(1)
        }
        var request = NetworkRequest(.test("a"))
        request.adapters = [.adapter { request, _ in request.adding("own", to: "X-Trail") }]
        let operation = await rig.run(request)
        #expect(rig.transport.tokens == ["old", "old"])
        let calls = authenticator.authorized.values
        #expect(calls.map { $0.request.value(forHTTPHeaderField: "X-Trail") } == ["queue,own", "queue,own"])
        #expect(calls.map(\.context.attempt) == [1, 2] && calls.allSatisfy { $0.context.sentRequest == nil })
        #expect(calls.allSatisfy { $0.context.operationID == operation.id })
        #expect(authenticator.refreshed.values.isEmpty)
    }

    @Test
    func `An authenticator is told of a 401, and the request goes again at once, in the same attempt`() async throws {
        let authenticator = TestAuthenticator()
        let rig = rig(authenticator)
        let operation = await rig.run(.test("a"))
        #expect(operation.data == Data("secret".utf8) && operation.attempts == 1)
        #expect(rig.transport.tokens == ["old", "new"])
        #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
        let call = try #require(authenticator.refreshed.values.first)
        #expect(call.error.code == .httpStatus(401) && call.error.operationID == operation.id)
        #expect(call.error.response?.head.statusCode == 401 && call.error.response?.data == Data("who?".utf8))
        #expect(call.context.sentRequest?.value(forHTTPHeaderField: "Authorization") == "Bearer old")
        #expect(call.context.attempt == 1)
        // What it had added before is not in the request that it authorizes anew.
        #expect(
            authenticator.authorized.values.map { $0.request.value(forHTTPHeaderField: "Authorization") } == [nil, nil])
    }

    @Test func `A RequestQueue asks its authenticator as a NetworkQueue does`() async {
        let rig = QueueRig.requestQueue(.takingNewToken())
        rig.queue.authenticator = TestAuthenticator()
        rig.add("a")
        #expect(await rig.texts(1) == ["/a ok"])
        #expect(rig.transport.tokens == ["old", "new"])
    }

    /// Its `refresh` is the default one.
    private struct Signer: RequestAuthenticator {
        func authorize(_ request: URLRequest, in context: AttemptContext) -> URLRequest { request }
    }

    @Test(arguments: [TestAuthenticator { nil }, Signer()] as [any RequestAuthenticator])
    func `An authenticator that says no leaves the 401 as the response`(authenticator: any RequestAuthenticator) async {
        let rig = rig(authenticator)
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .httpStatus(401) && operation.error?.response?.data == Data("who?".utf8))
        #expect(rig.recorder.story(of: operation) == ["start", "head 401", "fail httpStatus(401)"])
        #expect(rig.transport.exchanges.count == 1)
        if let asked = authenticator as? TestAuthenticator { #expect(asked.refreshed.values.count == 1) }
    }

    @Test func `A refresh that throws fails the request with authenticationRequired, which no policy repeats`() async {
        let authenticator = TestAuthenticator { throw URLError(.timedOut) }
        let rig = rig(authenticator) { $0.retryPolicy = .immediate(3) }
        let operation = await rig.run(.test("a"))
        let error = operation.error
        #expect(error?.code == .authenticationRequired && (error?.underlying as? URLError)?.code == .timedOut)
        #expect(error?.response?.head.statusCode == 401 && error?.response?.data == Data("who?".utf8))
        #expect(error?.description.hasSuffix(" Thrown by TestAuthenticator.") == true)
        #expect(rig.recorder.story(of: operation) == ["start", "head 401", "fail authenticationRequired"])
        #expect(rig.transport.exchanges.count == 1)
    }

    @Test func `An authenticator that cannot authorize fails the attempt as an adapter does`() async {
        struct Locked: RequestAuthenticator {
            let error: any Error
            func authorize(_ request: URLRequest, in context: AttemptContext) throws -> URLRequest {
                if context.attempt == 1 { throw error }
                return request
            }
        }
        let rig = rig(Locked(error: URLError(.timedOut)), ScriptedTransport { _ in .ok() }) {
            $0.retryPolicy = .immediate(1)
        }
        let operation = await rig.run(.test("a"))
        #expect(rig.recorder.story(of: operation) == ["start", "retry timedOut", "head 200", "finish"])
        rig.queue.authenticator = Locked(error: Refusal())
        let other = await rig.run(.test("b"))
        #expect(other.error?.code == .adapting && other.error?.underlying is Refusal)
        #expect(other.error?.description.hasSuffix(" Thrown by Locked.") == true)
    }

    @Test func `An authenticator is asked once a request, retries included, and a further 401 is the response`() async {
        let authenticator = TestAuthenticator { "other" }
        let rig = rig(authenticator, ScriptedTransport()) { $0.retryPolicy = .immediate(5) }
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        for (number, answer) in [ScriptedTransport.Answer.refusal(), .status(503), .refusal()].enumerated() {
            await rig.transport.exchange(number).answer(answer)
        }
        await rig.recorder.waitForDrain()
        #expect(authenticator.refreshed.values.count == 1 && rig.transport.tokens == ["old", "other", "other"])
        #expect(
            rig.recorder.story(of: operation) == [
                "start", "retry httpStatus(503)", "head 401", "fail httpStatus(401)",
            ])
        #expect(operation.attempts == 2)
    }

    @Test func `An authenticator is asked whatever the validation says of a 401`() async {
        for validation in [ResponseValidation.none, .statusCodes([200, 401]), .custom { _ in }] {
            for token in ["new", nil] {
                let rig = rig(TestAuthenticator { token }) { $0.validation = validation }
                let operation = await rig.run(.test("a"))
                #expect(operation.error == nil && rig.transport.exchanges.count == (token == nil ? 1 : 2))
                #expect(operation.responseHead?.statusCode == (token == nil ? 401 : 200))
                #expect(operation.data == Data((token == nil ? "who?" : "secret").utf8))
            }
        }
        let rig = rig(TestAuthenticator()) { $0.validation = .custom { _ in throw Refusal() } }
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .validation && operation.error?.response?.head.statusCode == 200)
    }

    @Test func `An authenticator has the content sent again, which counts once`() async throws {
        let folder = try TemporaryFolder()
        let content = Data("content".utf8)
        var foundation = URLRequest(url: .test("a"))
        foundation.httpMethod = "POST"
        foundation.httpBody = content
        let requests = [
            NetworkRequest(.test("a"), method: "POST", body: .data(content)),
            NetworkRequest(.test("a"), method: "POST", body: .file(try folder.write(content, to: "content"))),
            NetworkRequest(foundation),
        ]
        for var request in requests {
            let rig = rig(TestAuthenticator(), ScriptedTransport())
            request.headers["Content-Type"] = "text/plain"
            let operation = rig.queue.add(request)
            rig.queue.go()
            for answer in [ScriptedTransport.Answer.refusal(), .ok("secret")] {
                let exchange = await rig.transport.exchange(rig.transport.exchanges.count { $0.isOver })
                exchange.send(Int64(content.count))
                exchange.answer(answer)
            }
            await rig.recorder.waitForDrain()
            #expect(operation.data == Data("secret".utf8) && rig.transport.tokens == ["old", "new"])
            for exchange in rig.transport.exchanges.map(\.exchange) {
                #expect(try exchange.content == content && exchange.method == "POST")
                #expect(exchange.headers["Content-Type"] == "text/plain")
            }
            #expect(rig.queue.progress.upload.transferred == Int64(content.count))
        }
    }

    @Test func `An authenticator authorizes sizing requests and is told of their 401s`() async {
        let authenticator = TestAuthenticator()
        let rig = rig(authenticator, .takingNewToken(then: .ok(Data(count: 10)))) { $0.showsAccurateProgress = true }
        await rig.run(.test("a"))
        #expect(rig.transport.exchanges.map { $0.exchange.method } == ["HEAD", "HEAD", "GET"])
        #expect(rig.transport.tokens == ["old", "new", "new"])
        #expect(authenticator.authorized.values.map(\.request.httpMethod) == ["HEAD", "HEAD", "GET"])
        #expect(authenticator.refreshed.values.map(\.context.sentRequest?.httpMethod) == ["HEAD"])
        #expect(rig.transport.exchanges.prefix(2).allSatisfy { $0.exchange.headers["Accept-Encoding"] == "identity" })
    }

    @Test func `A batch does not fail if its sizing gets no token`() async {
        let calls = Gathering<Void>()
        let authenticator = TestAuthenticator {
            calls.add(())
            if calls.values.count == 1 { throw Refusal() }
            return "new"
        }
        let rig = rig(authenticator) { $0.showsAccurateProgress = true }
        let operation = rig.queue.add(.test("a"))
        #expect(await rig.queue.run().isSuccess && operation.data == Data("secret".utf8))
        #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
    }

    @Test func `An authenticator has the rest of a file asked for again`() async throws {
        let rig = QueueRig.started { $0.authenticator = TestAuthenticator() }
        let operation = await rig.resume(answers: [.refusal(), .rest()])
        #expect(operation.error == nil && rig.transport.tokens == ["old", "old", "new"])
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Range"] } == [nil, "bytes=5-", "bytes=5-"])
        #expect(try rig.folder.read("file") == "0123456789")
    }

    // MARK: With names and passwords

    @Test func `An authenticator is told neither of a 401 that a credential answers nor of a 407`() async {
        let authenticator = TestAuthenticator()
        let rig = rig(
            authenticator,
            ScriptedTransport { exchange in
                if exchange.path == "/proxy" { return .status(407, ["Proxy-Authenticate": "Bearer"]) }
                return exchange.headers["Authorization"] == .basic("right") ? .ok() : .refusal("Basic realm=\"r\"")
            })
        let operation = rig.queue.add(.test("a") { $0.credential = .user("right") })
        let proxied = await rig.run(.test("proxy"))
        #expect(operation.error == nil && proxied.error?.code == .httpStatus(407))
        #expect(authenticator.refreshed.values.isEmpty)
    }

    @Test func `An authenticator is told of a 401 to which there is neither a name nor a password`() async {
        let authenticator = TestAuthenticator()
        let rig = rig(authenticator, .takingNewToken(challenge: "Basic realm=\"r\", Bearer"))
        let operation = await rig.run(.test("a"))
        #expect(operation.data == Data("secret".utf8) && authenticator.refreshed.values.count == 1)
        #expect(rig.recorder.story(of: operation) == ["start", "challenge 0", "head 200", "finish"])
    }

    // MARK: While it works

    @Test func `An authenticator at work during a reset has no say about the old batch and serves the next`() async {
        let gate = Gathering<Void>()
        let authenticator = BearerAuthenticator(token: "old") { _ in
            gate.add(())
            _ = await gate.wait(count: 2)
            return "new"
        }
        let rig = rig(authenticator)
        let operations = rig.add(3)
        rig.queue.go()
        _ = await gate.wait(count: 1)
        rig.queue.reset()
        // An exchange under way ends a moment after it has been cancelled.
        for operation in operations { _ = try? await operation.response() }
        #expect(operations.allSatisfy { $0.status == .cancelled })
        let count = rig.recorder.events.count
        let exchangeCount = rig.transport.exchanges.count
        rig.queue.delegate = rig.recorder
        let next = rig.queue.add(.test("next"))
        gate.add(())
        await rig.queue.run()
        #expect(next.data == Data("secret".utf8) && gate.values.count == 2)
        #expect(
            rig.recorder.events.dropFirst(count).allSatisfy { event in
                if case .didFail = event { false } else { true }
            })
        #expect(rig.transport.exchanges.dropFirst(exchangeCount).allSatisfy { $0.path == "/next" })
    }
}
