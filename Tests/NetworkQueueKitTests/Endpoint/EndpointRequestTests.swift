import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EndpointRequestTests {
    /// Nothing but what is required.
    private struct Plain: Endpoint {
        let url: URL
    }

    private struct WithBody: Endpoint {
        let url: URL
        let body: RequestBody? = .data(Data("a".utf8))
    }

    private struct Unwritable: Endpoint {
        struct Fault: Error {}
        let url: URL
        var body: RequestBody? { get throws { throw Fault() } }
    }

    @Test(arguments: QueueKind.allCases)
    func `An endpoint needs only a URL, and gives the content of its response`(kind: QueueKind) async throws {
        let rig = QueueRig(kind, answering: "hello")
        let data: Data = try await rig.queue.send(Plain(url: .test("some/data")))
        #expect(data == Data("hello".utf8))
    }

    @Test func `An endpoint that names no method uses GET without a body and POST with one`() {
        let plain = Plain(url: .test("a")).makeRequest()
        #expect(plain.method == "GET" && plain.headers.isEmpty && plain.body == nil && plain.url == .test("a"))
        #expect(WithBody(url: .test("a")).makeRequest().method == "POST")
    }

    @Test
    func `A request has its endpoint's method, header fields and body, and what makeRequest() adds`() async throws {
        let rig = QueueRig(.requestQueue)
        let operation = rig.queue.add(RecordedEndpoint(url: .test("a")))
        let exchange = await rig.transport.exchange(0).exchange
        #expect(exchange.method == "PATCH" && exchange.headers["X-Kind"] == "recorded")
        #expect(try exchange.body?.allBytes(chunk: 3) == Data("sent".utf8))
        #expect(operation.request.tag == "recorded")
        operation.cancel()
    }

    @Test(arguments: QueueKind.allCases)
    func `A body that cannot be made fails the request in the ordinary way, and nothing is sent`(
        kind: QueueKind
    ) async throws {
        let rig = QueueRig(kind, answering: "")
        let error = await #expect(throws: NetworkError.self) { try await rig.queue.send(Unwritable(url: .test("a"))) }
        #expect(error?.code == .adapting && error?.underlying is Unwritable.Fault)
        #expect(rig.transport.exchanges.isEmpty)
    }

    @Test func `A basic endpoint sends the request that it is given, of either kind, or a URL`() async throws {
        let rig = QueueRig(.requestQueue, answering: "page")
        var request = NetworkRequest(.test("a"), method: "OPTIONS", headers: ["X": "1"])
        request.tag = "one-off"
        #expect(try await rig.queue.send(BasicEndpoint(request)) == Data("page".utf8))
        var foundation = URLRequest(url: .test("b"))
        foundation.httpMethod = "DELETE"
        _ = try await rig.queue.send(BasicEndpoint(foundation))
        _ = try await rig.queue.send(BasicEndpoint(.test("c")))
        let sent = rig.transport.exchanges.map { "\($0.exchange.method) \($0.path)" }
        #expect(sent == ["OPTIONS /a", "DELETE /b", "GET /c"])
        #expect(BasicEndpoint(request).makeRequest().tag == "one-off")
        #expect(BasicEndpoint(request).headers["X"] == "1" && BasicEndpoint(request).body == nil)
    }

    @Test func `The text of a basic endpoint is its method and URL, without credentials`() throws {
        let url = try #require(URL(string: "http://me:secret@host.test/a"))
        #expect("\(BasicEndpoint(url))" == "GET http://host.test/a")
    }

    @Test(arguments: QueueKind.allCases)
    func `An endpoint's operation tells how much has been sent and received`(kind: QueueKind) async {
        struct Step: Equatable {
            let progress: Double?
            let bytes: Int64
            let total: Int64?
        }
        let rig = QueueRig(kind)
        let (sent, received) = (Gathering<Step>(), Gathering<Step>())
        let operation = rig.queue.add(RecordedEndpoint(url: .test("a")))
        operation.uploadProgressHandler = { sent.add(Step(progress: $0, bytes: $1, total: $2)) }
        operation.downloadProgressHandler = { received.add(Step(progress: $0, bytes: $1, total: $2)) }
        let exchange = await rig.transport.exchange(0)
        exchange.send(4)
        #expect(await sent.wait(count: 1).last == Step(progress: 1, bytes: 4, total: 4))
        exchange.receive(headers: ["Content-Length": "8"])
        exchange.receive(Data(count: 2))
        rig.clock.advance(by: .milliseconds(4))
        #expect(await eventually { received.values.last == Step(progress: 0.25, bytes: 2, total: 8) })
        exchange.receive(Data(count: 6))
        exchange.end()
        #expect(await eventually { received.values.last == Step(progress: 1, bytes: 8, total: 8) })
    }

    @Test func `An endpoint can be started without a queue at hand, and its handler is called`() async {
        let codes = Gathering<NetworkError.Code?>()
        BasicEndpoint(URL(filePath: "/no/web/address")).start { result in
            codes.add(result.failure?.code)
        }
        #expect(await codes.wait(count: 1) == [.unsupportedScheme])
    }
}

extension Result {
    /// The error, if it is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
