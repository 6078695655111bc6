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

    private func leading(to url: String) -> any RequestAdapter {
        .adapter { request, _ in
            var request = request
            request.url = URL(string: url)
            return request
        }
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
        rig.queue.add(.test("c"))
        await rig.queue.run()
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
        rig.queue.add(try #require(URL(string: url)))
        await rig.queue.run()
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
        rig.queue.add(other)
        await rig.queue.run()
        #expect(sent(rig) == [.basic("own"), "Bearer t"])
    }

    @Test func `A refused own credential is followed by a question that tells so`() async {
        let rig = rig({ $0.headers["Authorization"] == .basic("right") ? .ok() : Self.refusal }) { challenge in
            challenge.rejectedCredential?.password == "own" && challenge.previousFailureCount == 1
                ? .user("right") : nil
        }
        let operation = rig.queue.add(request(.test("a")))
        await rig.queue.run()
        #expect(sent(rig) == [.basic("own"), .basic("right")])
        #expect(rig.recorder.story(of: operation) == ["start", "challenge 1", "head 200", "finish"])
    }

    @Test func `A refused own credential is the end if there is no other credential`() async {
        let rig = rig { _ in Self.refusal }
        let operation = rig.queue.add(request(.test("a")))
        await rig.queue.run()
        #expect(operation.error?.code == .httpStatus(401) && rig.transport.exchanges.count == 1)
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
            let operation = rig.queue.add(request(.test("a")))
            await rig.queue.run()
            #expect(sent(rig) == [.basic("own"), nil], "\(target) \(scheme)")
            let name = "redirect /b"
            #expect(
                rig.recorder.story(of: operation) == ["start", name, "challenge 0", "head 401", "fail httpStatus(401)"])
        }
    }

    @Test func `A credential in the URL outlasts an adapter that builds the URL anew`() async throws {
        let rig = rig()
        rig.queue.adapters = [leading(to: "http://host.test/b")]
        rig.queue.add(try #require(URL(string: "http://u:own@host.test/a")))
        await rig.queue.run()
        #expect(sent(rig) == ["Basic " + Data("u:own".utf8).base64EncodedString()])
        #expect(rig.transport.exchanges[0].exchange.url.absoluteString == "http://host.test/b")
    }

    @Test
    func `A credential in the URL outlasts a retry with another request after an attempt that sent nothing`()
        async throws
    {
        let rig = rig()
        rig.queue.retryDecider = .decider { _, _ in .retry(after: .zero, request: URLRequest(url: .test("b"))) }
        var request = NetworkRequest(try #require(URL(string: "http://u:own@host.test/a")))
        request.urlRequest.httpMethod = "G T"
        rig.queue.add(request)
        await rig.queue.run()
        #expect(sent(rig) == ["Basic " + Data("u:own".utf8).base64EncodedString()])
    }

    @Test func `A request's own credential is not sent to another origin that an adapter leads to`() async {
        let rig = rig()
        rig.queue.adapters = [leading(to: "http://other.test/a")]
        rig.queue.add(request(.test("a")))
        await rig.queue.run()
        #expect(sent(rig) == [nil])
    }

    @Test func `A request's own credential stays its own, and other requests are asked for theirs`() async {
        let rig = rig({
            [.basic("own"), .basic("shared")].contains($0.headers["Authorization"]) ? .ok() : Self.refusal
        }) { _ in .user("shared") }
        rig.queue.maxConcurrentRequestCount = 1
        rig.queue.add(request(.test("a")))
        rig.queue.add(.test("b"))
        rig.queue.add(request(.test("c")))
        await rig.queue.run()
        #expect(rig.recorder.summaries[0].counts.finished == 3)
        #expect(rig.recorder.events.count { $0.kind == .didReceiveChallenge } == 1)
        #expect(sent(rig).first == .basic("own"))
    }
}
