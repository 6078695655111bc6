import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct DownloadSinkTests {
    private struct Refusal: Error {}

    private func request(_ sink: RecordingSink) -> NetworkRequest {
        var request = NetworkRequest(URL.test("a"))
        request.destination = .sink(sink)
        return request
    }

    @Test
    func `The sink gets the head, all content in order, and the end, before the request succeeds`() async throws {
        let rig = QueueRig.started()
        let (mayFinish, open) = AsyncStream.makeStream(of: Void.self)
        let sink = RecordingSink { event in
            if event == "finish" { for await _ in mayFinish {} }
        }
        let (operation, exchange) = await rig.start(request(sink))
        exchange.receive(headers: ["Content-Length": "1000"])
        for number in 0..<100 { exchange.receive(Data(String(format: "%09d\n", number).utf8)) }
        exchange.end()
        var count = 1
        while await sink.events.wait(count: count).last != "finish" { count += 1 }
        #expect(!operation.isFinished)
        open.finish()
        await rig.end(of: operation)
        #expect(operation.error == nil && operation.data == nil)
        #expect(sink.content == Data((0..<100).map { String(format: "%09d\n", $0) }.joined().utf8))
        let events = sink.events.values
        #expect(events.first == "begin 200" && events.last == "finish")
        #expect(events.dropFirst().dropLast().allSatisfy { $0 == "write" })
    }

    @Test(arguments: ["", "begin 200", "write", "finish"])
    func `The sink and its operation are released when the content has been taken or refused`(fault: String) async {
        let queue = RequestQueue(transport: ScriptedTransport { _ in .ok(Data(count: 3)) })
        let sink = Guarded<RecordingSink?>(RecordingSink { if $0 == fault { throw Refusal() } })
        weak let weakSink = sink.withLock { $0 }
        weak let operation = sink.withLock { $0.take() }.map { queue.add(request($0)) }
        await queue.waitUntilEmpty()
        #expect(await eventually { operation == nil && weakSink == nil })
    }

    @Test
    func `A busy sink holds the exchange, which goes on when the sink does`() async throws {
        let rig = QueueRig.started()
        let (mayGoOn, open) = AsyncStream.makeStream(of: Void.self)
        let sink = RecordingSink { event in
            if event == "write" { for await _ in mayGoOn {} }
        }
        let (operation, exchange) = await rig.start(request(sink))
        exchange.receive()
        let chunk = Data(repeating: 7, count: 100 << 10)
        exchange.receive(chunk)
        _ = await sink.events.wait(count: 2)
        // The first chunk is with the sink; three more are as much as is kept for it.
        let answers = (0..<3).map { _ in exchange.receive(chunk) }
        #expect(answers.map { if case .pause = $0 { true } else { false } } == [false, false, true])
        #expect(rig.transport.counts.resumed == 0)
        open.finish()
        await rig.transport.wait { $0.resumed == 1 }
        exchange.end()
        await rig.end(of: operation)
        #expect(sink.content.count == 400 << 10 && operation.error == nil)
    }

    @Test(arguments: ["begin 200", "write", "finish"])
    func `An error of the sink fails the request, and the sink is told to give up`(at place: String) async throws {
        let rig = QueueRig.started()
        let sink = RecordingSink { if $0 == place { throw Refusal() } }
        let operation = await rig.run(request(sink), answers: [.ok("content")])
        #expect(operation.error?.code == .processing && operation.error?.underlying is Refusal)
        #expect(sink.events.values.suffix(2) == [place, "abandon"])
    }

    @Test
    func `A sink that fails while the exchange is held ends the exchange`() async throws {
        let rig = QueueRig.started()
        let (mayFail, open) = AsyncStream.makeStream(of: Void.self)
        let sink = RecordingSink { event in
            guard event == "write" else { return }
            for await _ in mayFail {}
            throw Refusal()
        }
        let (operation, exchange) = await rig.start(request(sink))
        exchange.receive()
        exchange.receive(Data(count: 10))
        _ = await sink.events.wait(count: 2)
        exchange.receive(Data(count: 300 << 10))
        open.finish()
        await rig.transport.wait { $0.resumed == 1 }
        exchange.receive(Data(count: 10))
        await rig.end(of: operation)
        #expect(operation.error?.code == .processing)
        #expect(sink.events.values == ["begin 200", "write", "abandon"])
    }

    @Test
    func `Each attempt begins the sink anew after the one before has been given up`() async throws {
        let rig = QueueRig.started { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) }
        let sink = RecordingSink()
        let (operation, first) = await rig.start(request(sink))
        first.receive(headers: ["Content-Length": "10"])
        first.receive(Data("lost".utf8))
        _ = await sink.events.wait(count: 2)
        first.end(.networkConnectionLost)
        rig.advance(by: .seconds(1))
        let second = await rig.transport.exchange(1)
        #expect(!second.exchange.headers.contains("Range"))
        second.answer(.ok("good"))
        await rig.end(of: operation)
        #expect(sink.events.values == ["begin 200", "write", "abandon", "begin 200", "write", "finish"])
        #expect(sink.content == Data("good".utf8))
    }

    @Test(arguments: [0, 1])
    func `A sink gets everything that has come before it is told to give up, if no attempt follows`(retries: Int)
        async throws
    {
        let rig = QueueRig.started { $0.retryPolicy = RetryPolicy(maxRetries: retries, backoff: .constant(.zero)) }
        let (mayGoOn, open) = AsyncStream.makeStream(of: Void.self)
        // It refuses to start over.
        let sink = RecordingSink(mayStartOver: false) { if $0 == "write" { for await _ in mayGoOn {} } }
        let (operation, exchange) = await rig.start(request(sink))
        exchange.receive()
        exchange.receive(Data("one,".utf8))
        _ = await sink.events.wait(count: 2)
        exchange.receive(Data("two,".utf8))
        exchange.receive(Data("three".utf8))
        exchange.end(.networkConnectionLost)
        #expect(operation.status == .running)
        open.finish()
        await rig.end(of: operation)
        #expect(operation.error?.code == .connectionLost && operation.attempts == 1)
        #expect(sink.content == Data("one,two,three".utf8))
        #expect(sink.events.values == ["begin 200", "write", "write", "abandon"])
    }

    @Test
    func `Cancelling the operation cancels the sink's call under way and tells the sink to give up`() async throws {
        let rig = QueueRig.started()
        let sink = RecordingSink { event in
            // Ends only by the cancellation of its task.
            if event == "write" { for await _ in AsyncStream<Void>.makeStream().stream {} }
        }
        let (operation, exchange) = await rig.start(request(sink))
        exchange.receive()
        exchange.receive(Data("x".utf8))
        _ = await sink.events.wait(count: 2)
        operation.cancel()
        await rig.end(of: operation)
        #expect(operation.error?.code == .cancelled)
        #expect(await sink.events.wait(count: 3) == ["begin 200", "write", "abandon"])
    }

    @Test
    func `A wrong checksum and a rejected status never finish a sink`() async throws {
        let rig = QueueRig.started()
        let sink = RecordingSink()
        var request = request(sink)
        request.expectedChecksum = .md5(String(repeating: "0", count: 32))
        let answer = ScriptedTransport.Answer.ok("x")
        #expect(await rig.run(request, answers: [answer, answer]).error?.code == .contentMismatch)
        _ = await sink.events.wait(count: 2)
        #expect(await rig.run(request, answers: [.status(404)]).error?.code == .httpStatus(404))
        #expect(!sink.events.values.contains("finish"))
    }

    @Test
    func `Destinations are equal if they are the same place`() {
        let (one, other) = (RecordingSink(), RecordingSink())
        let file = URL(filePath: "/a")
        let all: [Destination] = [
            .memory, .discard, .sink(one), .sink(other), .file(file), .file(file, onConflict: .rename),
            .file(file, resumes: false),
        ]
        #expect(Set(all).count == all.count)
        for (index, destination) in all.enumerated() { #expect(all.firstIndex(of: destination) == index) }
    }
}
