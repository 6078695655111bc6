import Foundation
import NetworkQueueKit
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("An endpoint's request", .timeLimit(.minutes(10)))
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
    func `an endpoint needs a URL only, and gives the content of its response`(kind: QueueKind) async throws {
        let rig = EndpointRig(kind, answering: "hello")
        let data: Data = try await rig.queue.send(Plain(url: .test("some/data")))
        #expect(data == Data("hello".utf8))
    }

    @Test func `the method is GET without a body and POST with one, where none is written`() {
        let plain = Plain(url: .test("a")).makeRequest()
        #expect(plain.method == "GET" && plain.headers.isEmpty && plain.body == nil && plain.url == .test("a"))
        #expect(WithBody(url: .test("a")).makeRequest().method == "POST")
    }

    @Test func `method, header fields, body and what makeRequest adds are sent`() async {
        let rig = EndpointRig(.requestQueue)
        let operation = rig.queue.add(RecordedEndpoint(url: .test("a")))
        let exchange = await rig.transport.exchange(0).exchange
        #expect(exchange.method == "PATCH" && exchange.headers["X-Kind"] == "recorded")
        #expect(operation.request.body == .data(Data("sent".utf8)))
        #expect(operation.request.tag == "recorded")
        operation.cancel()
    }

    @Test(arguments: QueueKind.allCases)
    func `a body that cannot be made fails the request in the ordinary way, and nothing is sent`(
        kind: QueueKind
    ) async throws {
        let rig = EndpointRig(kind, answering: "")
        let error = await #expect(throws: NetworkError.self) { try await rig.queue.send(Unwritable(url: .test("a"))) }
        #expect(error?.code == .adapting && error?.underlying is Unwritable.Fault)
        #expect(rig.transport.exchanges.isEmpty)
    }

    @Test func `a basic endpoint sends the request that it is given, of either kind, or a URL`() async throws {
        let rig = EndpointRig(.requestQueue, answering: "page")
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

    @Test func `the text of a basic endpoint is its method and URL, without credentials`() throws {
        let url = try #require(URL(string: "http://me:secret@host.test/a"))
        #expect("\(BasicEndpoint(url))" == "GET http://host.test/a")
    }

    @Test func `an endpoint can be started without a queue at hand, and its handler is called`() async {
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
