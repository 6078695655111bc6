import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct OwnCredentialTests {
    private func rig(
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .ok() },
        credential: @escaping @Sendable (AuthenticationChallenge) -> URLCredential? = { _ in nil }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(script: script), configure: { $0.cancelsAllOnFailure = false }, credential: credential)
    }

    private func request(_ url: URL, _ password: String = "own") -> NetworkRequest {
        var request = NetworkRequest(url)
        request.credential = .user(password)
        return request
    }

    private func sent(_ rig: QueueRig<NetworkQueue>) -> [String?] {
        rig.transport.exchanges.map { $0.exchange.headers["Authorization"] }
    }

    private static let refusal = ScriptedTransport.Answer.status(401, ["WWW-Authenticate": "Basic realm=\"r\""])

    @Test func `A request's own credential is sent unasked, and each request sends its own`() async {
        let rig = rig()
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.add(request(.test("a"), "1"))
        rig.queue.add(request(.test("b"), "2"))
        await rig.run(.test("c"))
        #expect(sent(rig) == [.basic("1"), .basic("2"), nil])
    }

    @Test(arguments: [false, true])
    func `A credential that is not sent unasked is sent once a server has asked, a HEAD included`(isSizing: Bool) async
    {
        let demand = "Basic realm=\"r\", Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
        let rig = QueueRig(
            ScriptedTransport { exchange in
                exchange.headers["Authorization"]?.hasPrefix("Digest ") == true
                    ? .ok() : .status(401, ["WWW-Authenticate": demand])
            },
            configure: { configuration in
                configuration.showsAccurateProgress = isSizing
                configuration.maxConcurrentRequestCount = 1
                configuration.maxConcurrentSizingCount = 1
            })
        for name in ["a", "b"] {
            var request = request(.test(name))
            request.sendsCredentialUnasked = false
            rig.queue.add(request)
        }
        await rig.queue.run()
        #expect(rig.queue.progress.counts.finished == 2)
        #expect(sent(rig).map { $0?.prefix(6) } == [nil] + Array(repeating: "Digest", count: isSizing ? 4 : 2))
    }

    @Test(arguments: ["Basic realm=", "Digest nonce=\"n\", realm="], [false, true])
    func `A credential does not answer demands in ever new realms more than twenty times`(
        demand: String, isOwn: Bool
    ) async {
        let demands = Guarded(0)
        let rig = rig(
            { _ in
                let number = demands.withLock { demands in
                    demands += 1
                    return demands
                }
                return number > 60 ? .ok() : .status(401, ["WWW-Authenticate": "\(demand)\"\(number)\""])
            }, credential: { _ in .user("asked") })
        let operation = isOwn ? rig.queue.add(request(.test("a"))) : rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(operation.error?.code == .httpStatus(401) && rig.transport.exchanges.count == 21)
    }

    @Test(
        arguments: [
            ("http://u:own@host.test/a", "u:own"), ("http://u%40x:p%3Aq@host.test/a", "u@x:p:q"),
            ("http://u@host.test/a", "u:"), ("http://%C3%BC:%C3%A4@host.test/a", "ü:ä"),
        ])
    func `A request's own credential may stand in the URL, which is sent without it`(url: String, credential: String)
        async throws
    {
        let rig = rig()
        await rig.run(try #require(URL(string: url)))
        #expect(sent(rig) == ["Basic " + Data(credential.utf8).base64EncodedString()])
        #expect(rig.transport.exchanges[0].exchange.url.absoluteString == "http://host.test/a")
    }

    @Test
    func `A request's own credential overrides the one in the URL, and a field of its own overrides both`() async throws
    {
        let rig = rig()
        rig.queue.maxConcurrentRequestCount = 1
        let url = try #require(URL(string: "http://x:y@host.test/a"))
        rig.queue.add(request(url))
        var other = request(url)
        other.urlRequest = other.urlRequest.adding("Bearer t", to: "Authorization")
        await rig.run(other)
        #expect(sent(rig) == [.basic("own"), "Bearer t"])
    }

    @Test(arguments: ["right", nil])
    func `A refused own credential is followed by a question that tells so, and ends the request without an answer`(
        password: String?
    ) async {
        let rig = rig({ $0.headers["Authorization"] == .basic("right") ? .ok() : Self.refusal }) { challenge in
            #expect(challenge.rejectedCredential?.password == "own" && challenge.previousFailureCount == 1)
            return password.map { .user($0) }
        }
        let operation = await rig.run(request(.test("a")))
        #expect(sent(rig) == [.basic("own")] + (password == nil ? [] : [.basic("right")]))
        let end = password == nil ? ["head 401", "fail httpStatus(401)"] : ["head 200", "finish"]
        #expect(rig.recorder.story(of: operation) == ["start", "challenge 1"] + end)
    }

    @Test(
        arguments: [
            "https://host.test/b", "http://other.test/b", "http://host.test:8080/b", "http://www.host.test/b",
        ])
    func `A request's own credential is not sent to another origin, whatever that asks for`(target: String) async {
        for scheme in ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""] {
            let rig = rig { exchange in
                exchange.url == .test("a")
                    ? .status(302, ["Location": target]) : .status(401, ["WWW-Authenticate": scheme])
            }
            let operation = await rig.run(request(.test("a")))
            #expect(sent(rig) == [.basic("own"), nil], "\(target) \(scheme)")
            let name = "redirect /b"
            #expect(
                rig.recorder.story(of: operation) == ["start", name, "challenge 0", "head 401", "fail httpStatus(401)"])
        }
    }

    @Test(arguments: ["http://host.test/b", "http://other.test/a"])
    func `A credential outlasts an adapter that builds the URL anew, unless that leads to another origin`(
        target: String
    )
        async throws
    {
        let rig = rig()
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.adapters = [.changing { $0.url = URL(string: target) }]
        rig.queue.add(try #require(URL(string: "http://u:own@host.test/a")))
        await rig.run(request(.test("a")))
        let isSame = target == "http://host.test/b"
        #expect(sent(rig) == (isSame ? [.basicAuthorization(user: "u", password: "own"), .basic("own")] : [nil, nil]))
        #expect(rig.transport.exchanges.allSatisfy { $0.exchange.url.absoluteString == target })
    }

    @Test
    func `A credential in the URL outlasts a retry with another request after an attempt that sent nothing`()
        async throws
    {
        let rig = rig()
        rig.queue.retryDecider = .decider { _, _ in .retry(after: .zero, request: URLRequest(url: .test("b"))) }
        var request = NetworkRequest(try #require(URL(string: "http://u:own@host.test/a")))
        request.urlRequest.httpMethod = "G T"
        await rig.run(request)
        #expect(sent(rig) == ["Basic " + Data("u:own".utf8).base64EncodedString()])
    }

    @Test func `A request's own credential stays its own, and other requests are asked for theirs`() async {
        let rig = rig({
            [.basic("own"), .basic("shared")].contains($0.headers["Authorization"]) ? .ok() : Self.refusal
        }) { _ in .user("shared") }
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.add(request(.test("a")))
        rig.queue.add(.test("b"))
        await rig.run(request(.test("c")))
        #expect(rig.recorder.summaries[0].counts.finished == 3)
        #expect(rig.recorder.events.count { $0.kind == .didReceiveChallenge } == 1)
        #expect(sent(rig).first == .basic("own"))
    }
}
