import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct BearerAuthenticatorTests {
    private static let refusal = NetworkError(.httpStatus(401))

    private func authorization(
        _ authenticator: BearerAuthenticator, of request: NetworkRequest = NetworkRequest(.test("a"))
    ) async throws -> String? {
        try await authenticator.authorize(request.urlRequest, in: AttemptContext(request: request))
            .value(forHTTPHeaderField: "Authorization")
    }

    /// What is known after a request has been sent with an `Authorization` field.
    private func context(sent value: String?) -> AttemptContext {
        var sent = URLRequest(url: .test("a"))
        sent.setValue(value, forHTTPHeaderField: "Authorization")
        return AttemptContext(request: NetworkRequest(.test("a")), sentRequest: sent)
    }

    // MARK: By itself

    @Test
    func `A bearer authenticator sends its token, if it has one and the request has no credential`() async throws {
        let authenticator = BearerAuthenticator(token: "abc") { _ in "" }
        #expect(authenticator.token == "abc")
        #expect(try await authorization(authenticator) == "Bearer abc")
        #expect(try await authorization(BearerAuthenticator(token: "") { _ in "" }) == nil)
        var request = NetworkRequest(.test("a"), headers: ["authorization": "Key own"])
        #expect(try await authorization(authenticator, of: request) == "Key own")
        #expect(try await !authenticator.refresh(after: Self.refusal, in: AttemptContext(request: request)))
        request = NetworkRequest(.test("a"))
        request.credential = .user("word")
        #expect(try await authorization(authenticator, of: request) == nil)
        request = NetworkRequest(try #require(URL(string: "http://u:p@host.test/")))
        #expect(try await authorization(authenticator, of: request) == nil)
        request = NetworkRequest(try #require(URL(string: "http://host.test/a@b")))
        #expect(try await authorization(authenticator, of: request) == "Bearer abc")
    }

    @Test func `A bearer authenticator takes the queue's header fields for the request's own`() async {
        let seen = Gathering<String?>()
        let rig = QueueRig(
            ScriptedTransport { _ in .status(401) },
            configure: {
                $0.headers = ["Authorization": "Key all", "X-All": "1"]
                $0.authenticator = BearerAuthenticator(token: "abc") { _ in
                    seen.add("renewed")
                    return ""
                }
                $0.adapters = [
                    .adapter { request, context in
                        seen.add(context.request.headers["X-All"])
                        return request
                    }
                ]
            })
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(seen.values == ["1"] && operation.request.headers.isEmpty)
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Authorization"] } == ["Key all"])
        #expect(operation.error?.code == .httpStatus(401))
    }

    @Test(arguments: ["token\n", "two words", "töken"])
    func `A bearer authenticator refuses a token that cannot be sent`(token: String) async throws {
        let authenticator = BearerAuthenticator(token: token) { _ in "" }
        let error = await #expect(throws: NetworkError.self) { try await authorization(authenticator) }
        #expect(error?.code == .malformedRequest && error?.description.contains("bearer token") == true)
        #expect(error?.description.contains(token) == false)
    }

    @Test func `A bearer authenticator does not renew a token that is newer than the refused one`() async throws {
        let calls = Gathering<String>()
        let authenticator = BearerAuthenticator(token: "1") { expired in
            calls.add(expired)
            return expired + "1"
        }
        #expect(try await authenticator.refresh(after: Self.refusal, in: context(sent: "Bearer 0")))
        #expect(try await authenticator.refresh(after: Self.refusal, in: context(sent: nil)))
        #expect(calls.values.isEmpty)
        #expect(try await !authenticator.refresh(after: Self.refusal, in: context(sent: "Basic abc")))
        #expect(calls.values.isEmpty)
        #expect(try await authenticator.refresh(after: Self.refusal, in: context(sent: "Bearer 1")))
        #expect(calls.values == ["1"] && authenticator.token == "11")
    }

    @Test func `A bearer authenticator without a token gets its first one by a renewal`() async throws {
        let authenticator = BearerAuthenticator(token: "") { _ in "first" }
        #expect(try await authenticator.refresh(after: Self.refusal, in: context(sent: nil)))
        #expect(authenticator.token == "first")
    }

    @Test func `A request that is about to be sent waits for the renewal of a token that is under way`() async throws {
        let entered = Gathering<Void>()
        let gate = Gathering<Void>()
        let authenticator = BearerAuthenticator(token: "old") { _ in
            entered.add(())
            _ = await gate.wait(count: 1)
            return "new"
        }
        async let isRenewed = authenticator.refresh(after: Self.refusal, in: context(sent: "Bearer old"))
        _ = await entered.wait(count: 1)
        async let value = authorization(authenticator)
        for _ in 0..<100 { await Task.yield() }
        gate.add(())
        #expect(try await value == "Bearer new")
        #expect(try await isRenewed)
    }

    // MARK: In a queue

    private func rig(
        _ authenticator: BearerAuthenticator, configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            .takingNewToken(),
            configure: {
                $0.authenticator = authenticator
                $0.cancelsAllOnFailure = false
                $0.maxConcurrentRequestCount = 0
                configure(&$0)
            })
    }

    @Test(arguments: [true, false])
    func `A bearer authenticator renews its token once for forty requests`(isSized: Bool) async {
        let calls = Gathering<String>()
        let authenticator = BearerAuthenticator(token: "old") { expired in
            calls.add(expired)
            return "new"
        }
        let rig = rig(authenticator) { $0.showsAccurateProgress = isSized }
        let operations = rig.add(40)
        #expect(await rig.queue.run().counts == .init(finished: 40))
        #expect(calls.values == ["old"] && authenticator.token == "new")
        #expect(operations.allSatisfy { $0.attempts == 1 && $0.data == Data("secret".utf8) })
        // No request is refused more than once.
        #expect(rig.transport.tokens.count { $0 == "old" } <= 40)
    }

    @Test func `A failed renewal fails all requests that wait for it, and later ones go with the old token`() async {
        let calls = Gathering<Void>()
        let gate = Gathering<Void>()
        let authenticator = BearerAuthenticator(token: "old") { _ in
            calls.add(())
            guard calls.values.count == 1 else { return "new" }
            _ = await gate.wait(count: 1)
            throw Refusal()
        }
        let rig = rig(authenticator)
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        _ = await calls.wait(count: 1)
        gate.add(())
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .authenticationRequired && operation.error?.underlying is Refusal)
        #expect(operation.error?.description.hasSuffix(" Thrown by BearerAuthenticator.") == true)
        let later = rig.queue.add(.test("b"))
        await rig.recorder.waitForDrain(2)
        #expect(later.data == Data("secret".utf8) && calls.values.count == 2)
        #expect(rig.transport.tokens == ["old", "old", "new"])
    }

    @Test func `A renewal goes on for the others when the request that began it is canceled`() async {
        let gate = Gathering<Void>()
        let entered = Gathering<Void>()
        let authenticator = BearerAuthenticator(token: "old") { _ in
            entered.add(())
            _ = await gate.wait(count: 1)
            try Task.checkCancellation()
            return "new"
        }
        let rig = rig(authenticator)
        // One that was not sent yet when the renewal began would wait for it.
        rig.transport.setScript { _ in .hold }
        let operations = rig.add(10)
        rig.queue.go()
        await rig.transport.waitForExchanges(10)
        rig.transport.setScript { $0.headers["Authorization"] == "Bearer new" ? .ok() : .refusal() }
        for exchange in rig.transport.exchanges { exchange.answer(.refusal()) }
        _ = await entered.wait(count: 1)
        await rig.transport.wait { $0.completed == 10 }
        for operation in operations.prefix(9) { operation.cancel() }
        gate.add(())
        await rig.recorder.waitForDrain()
        #expect(operations.map(\.status) == Array(repeating: .cancelled, count: 9) + [.finished])
        #expect(entered.values.count == 1 && rig.transport.exchanges.count == 11)
    }
}
