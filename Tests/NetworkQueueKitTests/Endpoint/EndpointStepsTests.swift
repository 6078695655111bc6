import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EndpointStepsTests {
    typealias Refusal = RecordedEndpoint.Refusal

    /// What a server sends, what comes of it, and the calls between the request and the handler.
    static let courses: [(text: String, status: Int, outcome: Result<String, Refusal>, calls: [String])] = [
        ("fine", 200, .success("fine"), ["(parse)", "handle fine"]),
        (
            "sorry", 500, .failure(Refusal(code: .httpStatus(500), beneath: nil, page: "sorry")),
            ["parseError httpStatus(500)", "handle error httpStatus(500)"]
        ),
        (
            "bad", 200, .failure(Refusal(code: .processing, beneath: "BadContent", page: "bad")),
            ["(parse)", "parseError processing", "handle error processing"]
        ),
    ]

    @Test(arguments: QueueKind.allCases, courses)
    func `A response or a failure is parsed, handled on the callback queue, and given to the handler`(
        kind: QueueKind, course: (text: String, status: Int, outcome: Result<String, Refusal>, calls: [String])
    ) async {
        let rig = QueueRig(kind, answering: course.text, status: course.status)
        let endpoint = RecordedEndpoint(url: .test("a"))
        let outcomes = Gathering<Result<String, Refusal>>()
        rig.queue.add(endpoint) { result in
            endpoint.note("handler")
            outcomes.add(result)
        }
        #expect(await outcomes.wait(count: 1) == [course.outcome])
        #expect(endpoint.calls.values == ["(makeRequest)"] + course.calls + ["handler"])
    }

    @Test(arguments: QueueKind.allCases)
    func `A cancellation takes the steps of a failure, once`(kind: QueueKind) async {
        let rig = QueueRig(kind)
        let endpoint = RecordedEndpoint(url: .test("a"))
        let ends = Gathering<Void>()
        let operation = rig.queue.add(endpoint) { _ in ends.add(()) }
        operation.cancel()
        operation.cancel()
        _ = await ends.wait(count: 1)
        #expect(operation.status == .cancelled)
        #expect(endpoint.calls.values == ["(makeRequest)", "parseError cancelled", "handle error cancelled"])
    }

    @Test func `The handler of an operation that waits is called when the queue is released`() async {
        let endpoint = RecordedEndpoint(url: .test("a"))
        let ends = Gathering<Void>()
        do {
            let queue = NetworkQueue(transport: ScriptedTransport(), delegateQueue: .global())
            queue.add(endpoint) { _ in ends.add(()) }
        }
        _ = await ends.wait(count: 1)
        #expect(endpoint.calls.values.count { $0.contains("handle error cancelled") } == 1)
    }

    @Test func `A batch counts an endpoint whose response cannot be parsed as failed`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok(Data("bad".utf8)) })
        rig.queue.add(RecordedEndpoint(url: .test("a")))
        let summary = await rig.queue.run()
        #expect(summary.counts.failed == 1)
        #expect(summary.firstFailure?.error.underlying is RecordedEndpoint.BadContent)
    }

    @Test func `The response to a request that is sent to learn a size is not parsed`() async {
        let transport = ScriptedTransport { exchange in
            exchange.method == "HEAD" ? .status(200, ["Content-Length": "4"]) : .ok(Data("fine".utf8))
        }
        let rig = QueueRig(transport) { $0.showsAccurateProgress = true }
        rig.queue.add(BasicEndpoint(.test("a")))
        let texts = Gathering<String>()
        rig.queue.add(TextEndpoint(url: .test("b"), parsed: texts))
        await rig.queue.run()
        #expect(rig.transport.exchanges.map(\.exchange.method).sorted() == ["GET", "GET", "HEAD", "HEAD"])
        #expect(texts.values == ["fine"])
    }

    @Test func `An endpoint that is added without a handler handles its value all the same`() async {
        let rig = QueueRig(.requestQueue, answering: "fine")
        let endpoint = RecordedEndpoint(url: .test("a"))
        rig.queue.add(endpoint)
        #expect(await endpoint.calls.wait(count: 3).last == "handle fine")
    }

    /// Notes what it has parsed.
    private struct TextEndpoint: Endpoint {
        let url: URL
        let parsed: Gathering<String>

        func parse(_ response: Response) {
            parsed.add(String(decoding: response.data ?? Data(), as: UTF8.self))
        }
    }
}
