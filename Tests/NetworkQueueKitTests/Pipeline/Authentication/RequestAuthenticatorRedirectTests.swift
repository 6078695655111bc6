import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RequestAuthenticatorRedirectTests {
    private static let away = "http://other.test/away"

    private func rig(
        _ authenticator: any RequestAuthenticator,
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 },
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(script: script), configure: { $0.authenticator = authenticator }, redirect: redirect)
    }

    @Test(arguments: ["Authorization", "X-Key"])
    func `An authenticator's field goes to its own origin only, and another origin's 401 is the response`(field: String)
        async
    {
        for location in [Self.away, "https://host.test/away", "http://host.test:8080/away", "/b"] {
            let authenticator = TestAuthenticator(field: field)
            let rig = rig(authenticator) { $0.path == "/a" ? .status(307, ["Location": location]) : .refusal() }
            let operation = await rig.run(.test("a") { $0.headers["X-Own"] = "kept" })
            let sent = rig.transport.exchanges.map { $0.exchange.headers[field] }
            #expect(operation.error?.code == .httpStatus(401))
            if location == "/b" {
                #expect(sent == ["Bearer old", "Bearer old", "Bearer new"])
            } else {
                #expect(sent == ["Bearer old", nil] && authenticator.refreshed.values.isEmpty, "\(location)")
            }
            #expect(rig.transport.exchanges.allSatisfy { $0.exchange.headers["X-Own"] == "kept" })
        }
    }

    @Test func `An authenticator's field is not sent to another origin that the delegate leads to`() async {
        let authenticator = TestAuthenticator(field: "X-Key")
        let rig = rig(
            authenticator,
            redirect: { $0.changed { $0.url = URL(string: Self.away) } }
        ) { $0.path == "/a" ? .status(307, ["Location": "/b"]) : .ok() }
        await rig.run(.test("a"))
        #expect(rig.transport.exchanges.map { $0.exchange.url.host() } == ["host.test", "other.test"])
        #expect(rig.transport.exchanges.map { $0.exchange.headers["X-Key"] } == ["Bearer old", nil])
    }

    @Test
    func `An authenticator's field is renewed for the hop that was refused, not for those before it`() async throws {
        let authenticator = TestAuthenticator()
        let rig = rig(authenticator) { exchange in
            if exchange.path == "/a" { return .status(303, ["Location": "/b"]) }
            return exchange.headers["Authorization"] == "Bearer new" ? .ok("secret") : .refusal()
        }
        var request = NetworkRequest(.test("a"), body: .data(Data("content".utf8)))
        request.headers["Content-Type"] = "text/plain"
        let operation = await rig.run(request)
        #expect(operation.data == Data("secret".utf8) && operation.metrics?.redirectCount == 1)
        let exchanges = rig.transport.exchanges.map(\.exchange)
        #expect(exchanges.map { "\($0.method) \($0.path)" } == ["POST /a", "GET /b", "GET /b"])
        #expect(exchanges[2].body == nil && !exchanges[2].headers.contains("Content-Type"))
        let call = try #require(authenticator.authorized.values.last)
        #expect(call.request.url == .test("b") && call.request.httpMethod == "GET")
        #expect(rig.recorder.story(of: operation) == ["start", "redirect /b", "head 200", "finish"])
    }

    @Test func `An authenticator's renewed field goes on to no other origin`() async {
        let rig = rig(TestAuthenticator(field: "X-Key")) { exchange in
            if exchange.url.host() == "other.test" { return .ok() }
            return exchange.headers["X-Key"] == "Bearer new" ? .status(302, ["Location": Self.away]) : .refusal()
        }
        let operation = await rig.run(.test("a"))
        #expect(operation.error == nil)
        #expect(rig.transport.exchanges.map { $0.exchange.headers["X-Key"] } == ["Bearer old", "Bearer new", nil])
    }

    @Test func `A redirect leaves alone what the delegate has put in place of an authenticator's field`() async {
        let rig = rig(
            TestAuthenticator(field: "X-Key"),
            redirect: { $0.changed { $0.setValue("delegate", forHTTPHeaderField: "X-Key") } }
        ) { $0.path == "/a" ? .status(307, ["Location": Self.away]) : .ok() }
        await rig.run(.test("a"))
        #expect(rig.transport.exchanges.map { $0.exchange.headers["X-Key"] } == ["Bearer old", "delegate"])
    }
}
