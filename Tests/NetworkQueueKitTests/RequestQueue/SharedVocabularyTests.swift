import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What both queues can do by the same names.
@Suite(.timeLimit(.minutes(10)))
struct SharedVocabularyTests {
    @Test(arguments: QueueKind.allCases)
    func `Both queues take requests, URLs and Foundation's requests, with a handler or without`(kind: QueueKind) async {
        let transport = ScriptedTransport { _ in .respond(status: 200, headers: [:], body: Data()) }
        let queue = kind.makeQueue(over: transport, limit: 1)
        let ended = Gathering<String>()
        queue.add(.get(.test("a"))) { head, _, _ in ended.add("a \(head?.statusCode ?? 0)") }
        queue.add(.test("b")) { head, _, _ in ended.add("b \(head?.statusCode ?? 0)") }
        queue.add(URLRequest(url: .test("c"))) { head, _, _ in ended.add("c \(head?.statusCode ?? 0)") }
        queue.add(contentsOf: [.get(.test("d")), .get(.test("e"))])
        #expect(await ended.wait(count: 3) == ["a 200", "b 200", "c 200"])
        await queue.waitUntilEmpty()
        #expect(transport.exchanges.map(\.path) == ["/a", "/b", "/c", "/d", "/e"])
    }

    @Test(arguments: QueueKind.allCases)
    func `Both queues cancel waiting requests, and let running ones end`(kind: QueueKind) async throws {
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport, limit: 1)
        let operations = queue.add(contentsOf: (0..<3).map { .get(.test("\($0)")) })
        await transport.waitForExchanges(1)
        queue.cancelWaiting()
        for operation in operations.dropFirst() {
            let error = await #expect(throws: NetworkError.self) { try await operation.response() }
            #expect(error?.code == .cancelled)
        }
        await transport.exchange(0).answer(.ok(Data([1])))
        #expect(try await operations[0].response().data == Data([1]))
        await queue.waitUntilEmpty()
        #expect(transport.exchanges.count == 1)
    }

    @Test(arguments: QueueKind.allCases) func `Both queues leave an operation of another queue alone`(kind: QueueKind) {
        let (mine, other) = (QueueRig(kind), QueueRig(kind))
        let (own, foreign) = (mine.queue.add(.test("own")), other.queue.add(.test("foreign")))
        let stranger = RequestOperation(.get(.test("stranger")))
        for operation in [foreign, stranger] {
            mine.queue.cancel(operation)
            #expect(!operation.isCancelled && !own.isCancelled)
        }
        for queue in [mine.queue, other.queue] { queue.cancelAll() }
    }

    @Test(arguments: QueueKind.allCases)
    func `Both queues wait until they are empty, also for requests that are added meanwhile`(kind: QueueKind) async {
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport, limit: 1)
        await queue.waitUntilEmpty()
        queue.add(.test("a"))
        let isEmpty = Gathering<Bool>()
        let task = Task {
            await queue.waitUntilEmpty()
            isEmpty.add(queue.requests.isEmpty)
        }
        await transport.waitForExchanges(1)
        queue.add(.test("b"))
        await transport.exchange(0).answer(.ok())
        await transport.exchange(1).answer(.ok())
        await task.value
        #expect(await isEmpty.wait(count: 1) == [true] && transport.exchanges.count == 2)
    }

    @Test(arguments: QueueKind.allCases) func `Both queues end a wait with its task`(kind: QueueKind) async {
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport, limit: 1)
        queue.add(.test("a"))
        let task = Task { await queue.waitUntilEmpty() }
        await transport.waitForExchanges(1)
        task.cancel()
        await task.value
        #expect(queue.requests.count == 1)
        queue.cancelAll()
        await queue.waitUntilEmpty()
    }

    @Test(arguments: QueueKind.allCases)
    func `Both queues put a waiting operation where its new priority wants it`(kind: QueueKind) async {
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport, limit: 1)
        let operations = queue.add(contentsOf: (0..<5).map { .get(.test("\($0)")) })
        await transport.waitForExchanges(1)
        operations[4].priority = .high
        operations[1].priority = .low
        operations[3].queuePriority = .veryHigh
        #expect(
            operations[3].priority == .veryHigh && operations[3].queuePriority == .veryHigh
                && operations[4].queuePriority == .high)
        #expect(queue.requests.map(\.path) == ["/0", "/3", "/4", "/2", "/1"])
        queue.cancelAll()
    }

    @Test func `A queue gives each request its header fields, unless the request has one of that name`() async throws {
        let transport = ScriptedTransport { _ in .respond(status: 200, headers: [:], body: Data()) }
        let queue = RequestQueue(transport: transport)
        queue.headers = ["X-Both": "queue", "X-Queue": "1"]
        queue.acceptsCompressed = true
        _ = try await queue.data(for: .get(.test("a"), headers: ["x-both": "request"]))
        let sent = try #require(transport.exchanges.first?.exchange.headers)
        #expect(sent.values(for: "X-Both") == ["request"] && sent["X-Queue"] == "1")
        #expect(sent["Accept-Encoding"]?.contains("gzip") == true)
    }
}
