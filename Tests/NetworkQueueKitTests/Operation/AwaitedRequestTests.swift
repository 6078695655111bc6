import Foundation
import LoopbackHTTP
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Results that are awaited, on both queues.
@Suite(.timeLimit(.minutes(10)))
struct AwaitedRequestTests {
    private struct Item: Codable, Equatable {
        let name: String
    }

    private func answering(_ text: String, status: Int = 200) -> ScriptedTransport {
        ScriptedTransport { _ in .respond(status: status, headers: ["X-Own": "1"], body: Data(text.utf8)) }
    }

    @Test(arguments: QueueKind.allCases)
    func `An awaited request returns its response and its content`(kind: QueueKind) async throws {
        let queue = kind.makeQueue(over: answering("content"))
        let response = try await queue.response(for: .get(.test("a")))
        #expect(response.head.headers["X-Own"] == "1" && response.data == Data("content".utf8))
        #expect(response.metrics?.bytesReceived == 7)
        #expect(try await queue.data(for: .test("b")) == Data("content".utf8))
    }

    @Test(arguments: QueueKind.allCases)
    func `An awaited value is decoded, of an optional type, too`(kind: QueueKind) async throws {
        let queue = kind.makeQueue(over: answering(#"{"name":"x"}"#))
        #expect(try await queue.value(of: Item.self, for: .test("a")) == Item(name: "x"))
        let inferred: Item = try await queue.value(for: .get(.test("a")))
        #expect(inferred == Item(name: "x"))
        #expect(try await queue.value(of: Item?.self, for: .test("a")) == Item(name: "x"))
        let empty = kind.makeQueue(over: answering("null"))
        #expect(try await empty.value(of: Item?.self, for: .test("a")) == nil)
    }

    // A DELETE or PUT of common JSON services is answered with 204, and no content is no JSON; issue 38, "value of an
    // optional and of Void for 204".
    @Test(arguments: QueueKind.allCases, [200, 204])
    func `An awaited value without content is nil if its type is optional, and fails otherwise`(
        kind: QueueKind, status: Int
    ) async throws {
        let queue = kind.makeQueue(over: answering("", status: status))
        #expect(try await queue.value(of: Item?.self, for: .test("a")) == nil)
        let inferred: [Item]? = try await queue.value(for: .delete(.test("a")))
        #expect(inferred == nil)
        let error = await #expect(throws: NetworkError.self) { try await queue.value(of: Item.self, for: .test("a")) }
        #expect(error?.code == .processing && error?.underlying is DecodingError)
    }

    @Test(arguments: QueueKind.allCases, ["", "no JSON"])
    func `An awaited Void returns when the request is done, and throws the error that it failed with`(
        kind: QueueKind, content: String
    ) async throws {
        try await kind.makeQueue(over: answering(content, status: content.isEmpty ? 204 : 200))
            .value(of: Void.self, for: .delete(.test("a")))
        let failing = kind.makeQueue(over: answering("page", status: 404))
        let error = await #expect(throws: NetworkError.self) {
            try await failing.value(of: Void.self, for: .test("a"))
        }
        #expect(error?.code == .httpStatus(404) && error?.response?.data == Data("page".utf8))
    }

    @Test(arguments: QueueKind.allCases)
    func `An awaited value that cannot be decoded fails with the decoder's error and the response`(kind: QueueKind)
        async throws
    {
        let queue = kind.makeQueue(over: answering("[]"))
        let error = await #expect(throws: NetworkError.self) {
            try await queue.value(of: Item.self, for: .get(.test("a")))
        }
        #expect(error?.code == .processing && error?.underlying is DecodingError)
        #expect(error?.response?.data == Data("[]".utf8) && error?.url == .test("a") && error?.attempts == 1)
    }

    @Test func `The wait for an operation that nothing starts ends when the operation is canceled`() async {
        let operation = RequestOperation(.get(.test("a")))
        let waiting = Task { try await operation.response() }
        let isWaiting = await eventually { operation.isAwaited }
        #expect(isWaiting)
        operation.cancel()
        let error = await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(error?.code == .cancelled && error?.operationID == operation.id)
    }

    @Test(arguments: QueueKind.allCases)
    func `An awaited request is canceled with its task, and no other is`(kind: QueueKind) async throws {
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport)
        let other = queue.add(.test("other"))
        let task = Task { try await queue.response(for: .get(.test("a"))) }
        await transport.waitForExchanges(2)
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.operationID != nil)
        #expect(other.status == .running)
        queue.cancelAll()
    }

    @Test(arguments: QueueKind.allCases)
    func `A request that is awaited in a canceled task is canceled`(kind: QueueKind) async throws {
        let queue = kind.makeQueue(over: ScriptedTransport())
        let task = Task { () -> NetworkError.Code? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(NetworkError) {
                _ = try await queue.response(for: .get(.test("a")))
                return nil
            } catch { return error.code }
        }
        #expect(await task.value == .cancelled)
    }

    @Test func `An awaited request is no duplicate of an equal one, nor canceled by one`() async throws {
        let transport = ScriptedTransport()
        let queue = RequestQueue(transport: transport)
        async let first = queue.data(for: .test("same"))
        await transport.waitForExchanges(1)
        async let second = queue.data(for: .test("same"))
        await transport.waitForExchanges(2)
        let added = queue.add(.test("same"))
        for number in 0..<3 { await transport.exchange(number).answer(.ok(Data("\(number)".utf8))) }
        #expect(try await first == Data("0".utf8))
        #expect(try await second == Data("1".utf8))
        #expect(try await added.response().data == Data("2".utf8))
    }

    @Test func `Awaited requests download into a file, and upload from one`() async throws {
        let folder = try TemporaryFolder()
        let transport = answering("content")
        let queue = RequestQueue(transport: transport)
        let file = folder.url.appending(path: "a")
        let response = try await queue.download(.test("a"), to: file)
        #expect(response.fileURL == file && response.data == nil)
        #expect(try Data(contentsOf: file) == Data("content".utf8))
        try await queue.upload(.put(.test("b")), from: file)
        try await queue.upload(NetworkRequest(.test("c")), from: Data([1]))
        #expect(transport.exchanges.map(\.exchange.method) == ["GET", "PUT", "POST"])
    }

    @Test func `An awaited request in a queue that has not been started waits for go()`() async throws {
        let queue = NetworkQueue(transport: answering("x"), delegateQueue: DispatchQueue(label: "test"))
        let operation = queue.add(.test("a"))
        #expect(operation.result == nil)
        async let data = operation.response().data
        queue.go()
        #expect(try await data == Data("x".utf8))
        #expect(try operation.result?.get().data == Data("x".utf8))
    }

    @Test func `Canceling a task that waits for an operation that nothing starts cancels the operation`() async throws {
        let operation = RequestOperation(.get(.test("a")))
        let tasks = (0..<2).map { _ in Task { try await operation.response() } }
        tasks[0].cancel()
        for task in tasks {
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(error?.code == .cancelled && error?.operationID == operation.id && error?.url == .test("a"))
        }
        #expect(operation.isCancelled && !operation.isFinished)
    }

    @Test(arguments: QueueKind.allCases)
    func `An awaited request returns or throws once, whenever it is canceled, and leaves nothing behind`(
        kind: QueueKind
    ) async {
        let content = Data("x".utf8)
        // What is held ends by its cancellation alone.
        let transport = ScriptedTransport { $0.path.hasSuffix("7") ? .hold : .ok(content) }
        let queue = kind.makeQueue(over: transport, limit: 50)
        let census = TokenCensus()
        var generator = SplitMix64(seed: 5)
        let outcomes = await withTaskGroup(of: Int.self) { group in
            for number in 0..<2_000 {
                var request = NetworkRequest(.test("\(number)"))
                request.userInfo["token"] = census.token()
                let task = Task { [request] in
                    guard number.isMultiple(of: 3) else { return try await queue.data(for: request) }
                    var data = Data()
                    for try await chunk in try await queue.bytes(for: request).chunks { data += chunk }
                    return data
                }
                let delay = Int(generator.next() % 200)
                group.addTask {
                    for _ in 0..<delay { await Task.yield() }
                    if delay % 3 != 0 || number % 10 == 7 { task.cancel() }
                    do {
                        return try await task.value == content ? 1 : -1
                    } catch { return (error as? NetworkError)?.code == .cancelled ? 0 : -1 }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes[-1] == nil && outcomes.values.reduce(0, +) == 2_000, "\(outcomes)")
        await queue.waitUntilEmpty()
        await transport.wait { $0.isQuiet }
        #expect(queue.requests.isEmpty && transport.counts.live == 0)
        #expect(transport.counts.cancelled > 0)
        #expect(await eventually { census.alive == 0 })
    }
}
