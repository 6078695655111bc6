import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// `challengeHandler`, `redirectHandler` and `moveToFront()`.
@Suite(.timeLimit(.minutes(10)))
struct OperationHandlerTests {
    private static let demand = ScriptedTransport.Answer.status(401, ["WWW-Authenticate": "Basic realm=\"r\""])

    private static let protected = ScriptedTransport { exchange in
        exchange.headers["Authorization"] == "Basic bWU6cHc=" ? .ok(Data("in".utf8)) : demand
    }

    private static let credential = URLCredential(user: "me", password: "pw", persistence: .none)

    @Test(arguments: QueueKind.allCases)
    func `The handler of an operation answers a challenge`(kind: QueueKind) async throws {
        let queue = kind.makeQueue(over: Self.protected)
        let operation = RequestOperation(.get(.test("a")))
        let realms = Gathering<String?>()
        operation.challengeHandler = { challenge in
            realms.add(challenge.realm)
            return Self.credential
        }
        queue.add(operation)
        #expect(try await operation.response().data == Data("in".utf8))
        #expect(realms.values == ["r"])
        // What is known of the protection space counts for others.
        #expect(try await queue.data(for: .test("b")) == Data("in".utf8))
    }

    @Test func `The handler of an operation on its own answers a challenge`() async throws {
        let operation = RequestOperation(.get(.test("a")))
        operation.setStandalone(transport: Self.protected, timekeeper: ManualClock())
        operation.challengeHandler = { _ in Self.credential }
        operation.start()
        #expect(try await operation.response().data == Data("in".utf8))
    }

    @Test func `The delegate of a queue is asked before the handler of an operation`() async throws {
        let rig = QueueRig(Self.protected, credential: { _ in Self.credential })
        let operation = RequestOperation(.get(.test("a")))
        operation.challengeHandler = { _ in
            Issue.record("The handler was asked.")
            return nil
        }
        rig.queue.add(operation)
        rig.queue.go()
        #expect(try await operation.response().data == Data("in".utf8))
    }

    private static let redirecting = ScriptedTransport { exchange in
        exchange.url == .test("a") ? .status(302, ["Location": "/b"]) : .ok(Data(exchange.url.path().utf8))
    }

    @Test(arguments: QueueKind.allCases)
    func `The handler of an operation follows, changes or refuses a redirect`(kind: QueueKind) async throws {
        let queue = kind.makeQueue(over: Self.redirecting)
        func run(_ handler: @escaping RequestOperation.RedirectHandler) async throws -> Response {
            var request = NetworkRequest.get(.test("a"))
            request.validation = ResponseValidation.none
            let operation = RequestOperation(request)
            operation.redirectHandler = handler
            queue.add(operation)
            return try await operation.response()
        }
        #expect(try await run { $0 }.data == Data("/b".utf8))
        #expect(try await run { _ in URLRequest(url: .test("c")) }.data == Data("/c".utf8))
        #expect(try await run { _ in nil }.head.statusCode == 302)
    }

    @Test func `An operation that is moved to the front starts before all that wait in its priority`() async throws {
        let transport = ScriptedTransport()
        let queue = RequestQueue(transport: transport)
        queue.maxConcurrentRequestCount = 1
        let operations = queue.add(contentsOf: ["a", "b", "c", "d"].map { .get(.test($0)) })
        operations[1].priority = .veryHigh
        operations[3].moveToFront()
        operations[0].moveToFront()
        #expect(queue.requests.map { $0.request.url.path() } == ["/a", "/b", "/d", "/c"])
        queue.cancelAll()
        await queue.waitUntilEmpty()
    }
}
