import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RedirectDecisionTests {
    private func rig(
        status: Int = 302, body: Data = Data("moved".utf8), headers: HTTPHeaders = [:],
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        redirect: @escaping @Sendable (URLRequest) -> URLRequest?
    ) -> QueueRig<NetworkQueue> {
        var headers = headers
        headers["Location"] = "/b"
        let answer = ScriptedTransport.Answer.respond(status: status, headers: headers, body: body)
        return QueueRig(
            ScriptedTransport { $0.path == "/a" ? answer : .ok("here") }, configure: configure,
            redirect: redirect)
    }

    private var post: NetworkRequest {
        var request = NetworkRequest(URLRequest(url: .test("a")).adding("secret", to: "Authorization"))
        request.urlRequest.httpMethod = "POST"
        request.body = .data(Data("content".utf8))
        return request
    }

    @Test func `The delegate sees the next request as it will be sent, and follows by returning it`() async {
        let rig = rig { $0 }
        let operation = await rig.run(post)
        guard case .willRedirect(_, let request)? = rig.recorder.events.first(where: { $0.kind == .willRedirect })
        else {
            Issue.record("not told")
            return
        }
        #expect(request.url == .test("b") && request.httpMethod == "GET")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "secret")
        #expect(rig.recorder.story(of: operation) == ["start", "redirect /b", "head 200", "finish"])
        #expect(operation.data == Data("here".utf8))
    }

    @Test func `The delegate may lead elsewhere, with the content if the method is kept`() async throws {
        let rig = rig(status: 307) { $0.changed { $0.url = .test("c") } }
        await rig.run(post)
        #expect(rig.transport.exchanges.map { "\($0.exchange.method) \($0.path)" } == ["POST /a", "POST /c"])
        for exchange in rig.transport.exchanges.map(\.exchange) {
            #expect(try exchange.content == Data("content".utf8))
            #expect(exchange.headers["Authorization"] == "secret")
        }
    }

    @Test func `The delegate may change fields, method and content`() async throws {
        let rig = rig(status: 307) {
            $0.adding("1", to: "X-New").changed {
                $0.setValue(nil, forHTTPHeaderField: "Authorization")
                $0.httpMethod = "PUT"
                $0.httpBody = Data("other".utf8)
            }
        }
        await rig.run(post)
        let exchange = rig.transport.exchanges[1].exchange
        #expect(exchange.headers["X-New"] == "1" && !exchange.headers.contains("Authorization"))
        #expect(exchange.method == "PUT")
        #expect(try exchange.content == Data("other".utf8))
    }

    @Test(arguments: ["kept", "new", "removed"])
    func `A delegate that leads to another origin takes no credential there but a new one`(authorization: String) async
    {
        let rig = rig { request in
            var request = request
            request.url = URL(string: "http://other.test/c")
            switch authorization {
            case "new": request.setValue("for other", forHTTPHeaderField: "Authorization")
            case "removed": request.setValue(nil, forHTTPHeaderField: "Authorization")
            default: break
            }
            return request
        }
        rig.queue.add(URLRequest(url: .test("a")).adding("secret", to: "Authorization").adding("a=1", to: "Cookie"))
        await rig.queue.run()
        let headers = rig.transport.exchanges[1].exchange.headers
        #expect(headers["Authorization"] == (authorization == "new" ? "for other" : nil))
        #expect(!headers.contains("Cookie"))
    }

    @Test func `A delegate that changes something else leaves timeout and speed limit as they were`() async {
        let rig = rig(configure: { $0.maxBytesPerSecond = 1_000_000 }) { $0.adding("1", to: "X-New") }
        await rig.run(
            .test("a") {
                $0.urlRequest.timeoutInterval = 7
            })
        #expect(rig.transport.exchanges.count == 2)
        #expect(
            rig.transport.exchanges.allSatisfy { $0.exchange.pacer != nil && $0.exchange.idleTimeout == .seconds(7) })
    }

    @Test func `A delegate that leads to an unsupported scheme makes the operation fail`() async {
        let rig = rig { _ in URLRequest(url: URL(filePath: "/etc/passwd")) }
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .unsupportedScheme)
    }

    @Test(arguments: [true, false])
    func `A delegate that returns nil makes the redirect the response, which the validation judges`(isWanted: Bool)
        async
    {
        let rig = rig { _ in nil }
        var request = NetworkRequest(.test("a"))
        if isWanted { request.validation = ResponseValidation.none }
        let operation = await rig.run(request)
        let end = isWanted ? "finish" : "fail httpStatus(302)"
        #expect(rig.recorder.story(of: operation) == ["start", "redirect /b", "head 302", end])
        #expect(
            (isWanted ? operation.data : operation.error?.response?.data) == Data("moved".utf8)
                && rig.transport.exchanges.count == 1)
        #expect(operation.metrics?.redirectCount == 0)
    }

    @Test(arguments: [true, false])
    func `A long redirect that is wanted as the response is fetched again and comes whole`(tellsLength: Bool)
        async throws
    {
        let folder = try TemporaryFolder()
        let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let rig = rig(body: body, headers: tellsLength ? ["Content-Length": "100000"] : [:]) { _ in nil }
        let operation = await rig.run(
            .test("a") {
                $0.validation = ResponseValidation.none
                $0.destination = .file(folder.file("a"))
            })
        #expect(operation.error == nil && rig.transport.exchanges.map(\.path) == ["/a", "/a"])
        #expect(try Data(contentsOf: folder.file("a")) == body)
        #expect(rig.recorder.story(of: operation) == ["start", "redirect /b", "head 302", "finish"])
        #expect(rig.queue.progress.download.transferred == 100_000)
        // One that is rejected gives its beginning without another exchange.
        let rejected = await rig.run(.test("a"))
        #expect(rejected.error?.response?.data == body.prefix(65_536) && rig.transport.exchanges.count == 3)
    }

    @Test(arguments: [100_000, 20 << 20])
    func `A POST is never sent again for the rest of a long redirect`(length: Int) async {
        let body = Data(repeating: 7, count: length)
        let rig = rig(body: body) { _ in nil }
        let operation = await rig.run(
            .test("a") {
                $0.method = "POST"
                $0.validation = ResponseValidation.none
            })
        let isKept = length <= 16 << 20
        #expect(rig.transport.exchanges.count == 1)
        #expect(operation.error?.code == (isKept ? nil : .responseTooLarge))
        #expect(operation.data == body || !isKept)
        let end = isKept ? "finish" : "fail responseTooLarge"
        #expect(rig.recorder.story(of: operation) == ["start", "redirect /b", "head 302", end])
    }

    @Test func `A delegate that takes long does not hold up a cancelled operation`() async {
        let entered = Gathering<Void>()
        let gate = DispatchSemaphore(value: 0)
        let rig = rig { request in
            entered.add(())
            gate.wait()
            return request
        }
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        _ = await entered.wait(count: 1)
        operation.cancel()
        #expect(await eventually { operation.status == .cancelled })
        gate.signal()
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.count == 1)
        #expect(rig.recorder.story(of: operation) == ["start", "redirect /b", "fail cancelled"])
    }

    @Test func `A redirect is followed if there is no delegate`() async {
        let rig = rig { _ in nil }
        rig.queue.delegate = nil
        let operation = await rig.run(.test("a"))
        #expect(operation.data == Data("here".utf8))
    }
}
