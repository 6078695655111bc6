import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestOperationTests {
    private let rig = QueueRig()

    @Test func `start() runs an operation, whose states tell where it stands, and which finishes once`() async {
        let operation = rig.makeStandalone("a")
        let completions = Gathering<Bool>()
        operation.completionBlock = { [weak operation] in completions.add(operation?.isFinished == true) }
        #expect(operation.states == [.asynchronous, .ready] && operation.status == .waiting)
        operation.start()
        #expect(operation.states == [.asynchronous, .ready, .executing] && operation.status == .running)
        let exchange = rig.transport.exchanges[0]
        exchange.receive(headers: ["Content-Length": "3"])
        #expect(operation.states == [.asynchronous, .ready, .executing] && operation.responseHead?.statusCode == 200)
        exchange.receive(Data("abc".utf8))
        #expect(operation.data == nil)
        exchange.end()
        await onThread { operation.waitUntilFinished() }
        #expect(operation.states == [.asynchronous, .ready, .finished] && operation.status == .finished)
        #expect(operation.data == Data("abc".utf8) && operation.error == nil && operation.attempts == 1)
        #expect(await rig.texts(1) == ["/a ok"])
        #expect(await completions.wait(count: 1) == [true])
        operation.cancel()
        #expect(operation.states == [.asynchronous, .ready, .finished] && operation.status == .finished)
        let behind = rig.makeStandalone("b")
        behind.cancel()
        behind.start()
        #expect(await rig.texts(2) == ["/a ok", "/b cancelled"] && completions.values.count == 1)
    }

    @Test func `An operation canceled before start() finishes only when it is started, and sends no request`() async {
        let operation = rig.makeStandalone("a")
        let completions = Gathering<Void>()
        operation.completionBlock = { completions.add(()) }
        operation.cancel()
        operation.cancel()
        #expect(operation.states == [.asynchronous, .ready, .cancelled] && operation.status == .waiting)
        operation.start()
        await onThread { operation.waitUntilFinished() }
        #expect(operation.states == [.asynchronous, .ready, .cancelled, .finished] && operation.status == .cancelled)
        #expect(await rig.texts(1) == ["/a cancelled"])
        _ = await completions.wait(count: 1)
        #expect(rig.transport.counts.started == 0 && operation.error?.code == .cancelled && operation.metrics == nil)
    }

    @Test func `An operation canceled while it runs is finished when its exchange has ended`() async {
        let rig = QueueRig(ScriptedTransport(obeysCancellation: false))
        let operation = rig.makeStandalone("a")
        operation.start()
        operation.cancel()
        #expect(operation.states == [.asynchronous, .ready, .executing, .cancelled])
        rig.transport.exchanges[0].end(.cancelled)
        await onThread { operation.waitUntilFinished() }
        #expect(operation.states == [.asynchronous, .ready, .finished, .cancelled])
        #expect(await rig.texts(1) == ["/a cancelled"])
    }

    @Test func `An operation that waits for a retry is executing`() async {
        let operation = rig.makeStandalone("a")
        operation.autoRetry = true
        operation.start()
        rig.transport.exchanges[0].end(.timedOut)
        #expect(operation.states == [.asynchronous, .ready, .executing] && operation.status == .retrying)
        rig.clock.advance(by: operation.autoRetryDelay)
        #expect(operation.status == .running && operation.attempts == 2)
        rig.transport.exchanges[1].end(.timedOut)
        operation.cancel()
        await onThread { operation.waitUntilFinished() }
        #expect(operation.states == [.asynchronous, .ready, .finished, .cancelled])
        #expect(await rig.texts(1) == ["/a cancelled"])
    }

    @Test func `An operation is not ready until its dependency has ended`() async {
        let (first, second) = (rig.makeStandalone("1"), rig.makeStandalone("2"))
        second.addDependency(first)
        #expect(first.isReady && !second.isReady && second.dependencies == [first])
        first.start()
        #expect(!second.isReady)
        rig.transport.exchanges[0].answer(.status(404))
        await onThread { first.waitUntilFinished() }
        #expect(second.isReady)
        second.start()
        rig.transport.exchanges[1].answer(.ok())
        await onThread { second.waitUntilFinished() }
        #expect(second.isFinished)
    }

    @Test func `An operation whose dependency has not ended is ready once it is canceled`() async {
        let (first, second) = (rig.makeStandalone("1"), rig.makeStandalone("2"))
        second.addDependency(first)
        second.cancel()
        #expect(second.isReady)
        second.start()
        await onThread { second.waitUntilFinished() }
        #expect(second.isFinished && !first.isFinished)
    }

    @Test func `An operation keeps its request when the caller's copy changes, and tells the original`() {
        var urlRequest = URLRequest(url: .test("a"))
        urlRequest.httpMethod = "POST"
        urlRequest.httpBody = Data("one".utf8)
        urlRequest.setValue("1", forHTTPHeaderField: "X-A")
        let original = urlRequest
        let operation = RequestOperation(request: urlRequest)
        var request = operation.request
        urlRequest.url = .test("other")
        urlRequest.httpMethod = "PUT"
        urlRequest.httpBody = Data("two".utf8)
        urlRequest.setValue("2", forHTTPHeaderField: "X-A")
        request.urlRequest = urlRequest
        request.destination = .discard
        operation.setStandalone(transport: rig.transport, timekeeper: rig.clock)
        operation.start()
        let exchange = rig.transport.exchanges[0].exchange
        #expect(exchange.url.path() == "/a" && exchange.method == "POST" && exchange.headers["X-A"] == "1")
        #expect(exchange.body?.length == 3)
        #expect(operation.request.urlRequest == original && operation.request.destination == .memory)
        operation.cancel()
    }

    @Test func `Operations made from one request are told apart by their ids, in the order of creation`() {
        let request = NetworkRequest(.test("a"))
        let operations = (0..<10).map { _ in RequestOperation(request) }
        #expect(Set(operations.map(\.id)).count == 10 && operations.map(\.id) == operations.map(\.id).sorted())
    }
}

extension RequestOperation {
    /// The five states of an `Operation` that hold now.
    var states: Set<OperationState> {
        var states: Set<OperationState> = []
        if isReady { states.insert(.ready) }
        if isExecuting { states.insert(.executing) }
        if isFinished { states.insert(.finished) }
        if isCancelled { states.insert(.cancelled) }
        if isAsynchronous { states.insert(.asynchronous) }
        return states
    }
}

enum OperationState {
    case ready, executing, finished, cancelled, asynchronous
}
