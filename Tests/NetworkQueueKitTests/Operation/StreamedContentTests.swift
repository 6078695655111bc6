import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// `bytes(for:)` and `lines(for:)`, on both queues.
@Suite(.timeLimit(.minutes(10)))
struct StreamedContentTests {
    private func text(_ text: String) -> ScriptedTransport { ScriptedTransport { _ in .ok(Data(text.utf8)) } }

    private func collect(_ bytes: ResponseBytes) async throws -> Data {
        var data = Data()
        for try await byte in bytes { data.append(byte) }
        return data
    }

    /// Content whose head has come, and the rest of which is for the test to send.
    private struct Started<Content: Sendable> {
        let transport: ScriptedTransport
        let exchange: ScriptedExchange
        let queue: any RequestQueueing
        let content: Content
    }

    private func start<Content>(
        _ ask: @escaping @Sendable (any RequestQueueing) async throws -> Content
    ) async throws -> Started<Content> {
        let transport = ScriptedTransport()
        let queue = QueueKind.requestQueue.makeQueue(over: transport)
        let task = Task { try await ask(queue) }
        let exchange = await transport.exchange(0)
        exchange.receive()
        return Started(transport: transport, exchange: exchange, queue: queue, content: try await task.value)
    }

    private func startBytes() async throws -> Started<ResponseBytes> {
        try await start { try await $0.bytes(for: .test("a")) }
    }

    private func startLines() async throws -> Started<ResponseLines> {
        try await start { try await $0.lines(for: .test("a")) }
    }

    @Test(arguments: QueueKind.allCases) func `Streamed content is whole, with its head`(kind: QueueKind) async throws {
        let queue = kind.makeQueue(over: text("content"))
        let bytes = try await queue.bytes(for: .test("a"))
        #expect(bytes.head.statusCode == 200)
        #expect(try await collect(bytes) == Data("content".utf8))
        await queue.waitUntilEmpty()
    }

    @Test(arguments: QueueKind.allCases, [200, 304])
    func `Streamed content may be empty, also because nothing has changed`(kind: QueueKind, status: Int) async throws {
        let transport = ScriptedTransport(isSynchronous: true) { _ in .status(status, ["ETag": "1"]) }
        let queue = kind.makeQueue(over: transport)
        let condition: HTTPHeaders = ["If-None-Match": "1"]
        let bytes = try await queue.bytes(for: .get(.test("a"), headers: condition))
        #expect(bytes.head.statusCode == status && bytes.head.headers["ETag"] == "1")
        #expect(try await collect(bytes).isEmpty)
        for try await line in try await queue.lines(for: .get(.test("b"), headers: condition)) {
            Issue.record("a line: \(line)")
        }
    }

    @Test func `Streamed content is there as soon as it has come`() async throws {
        let started = try await startBytes()
        let exchange = started.exchange
        var chunks = started.content.chunks.makeAsyncIterator()
        for number in 0..<100 {
            exchange.receive(Data("\(number)".utf8))
            #expect(try await chunks.next() == Data("\(number)".utf8))
        }
        exchange.end()
        #expect(try await chunks.next() == nil)
        #expect(try await chunks.next() == nil)
    }

    @Test func `Streamed content holds the server back while it is not read`() async throws {
        let started = try await startBytes()
        let (transport, exchange, bytes) = (started.transport, started.exchange, started.content)
        let chunk = Data(repeating: 7, count: 64 << 10)
        var count = 0
        while true {
            count += 1
            if case .pause = exchange.receive(chunk) { break }
            try #require(count < 32)
        }
        #expect(transport.counts.resumed == 0)
        var received = 0
        let reader = Task {
            for try await chunk in bytes.chunks { received += chunk.count }
            return received
        }
        await transport.wait { $0.resumed == 1 }
        exchange.end()
        #expect(try await reader.value == count * chunk.count)
    }

    @Test(arguments: QueueKind.allCases)
    func `Streamed content that is refused throws before there is anything to read`(kind: QueueKind) async {
        let queue = kind.makeQueue(over: ScriptedTransport { _ in .status(404) })
        let error = await #expect(throws: NetworkError.self) { try await queue.bytes(for: .test("a")) }
        #expect(error?.code == .httpStatus(404))
    }

    @Test(arguments: ["chunks", "bytes", "lines"], [URLError.Code.networkConnectionLost, .timedOut])
    func `Streamed content that breaks off is read as far as it has come, and then throws`(
        way: String, fault: URLError.Code
    ) async throws {
        let started = try await startBytes()
        let lines = (0..<2_000).map { "line \($0)" }
        // The first piece is with the sink when the others come.
        for piece in 0..<4 {
            let part = lines[(piece * 500)..<((piece + 1) * 500)]
            started.exchange.receive(Data(part.map { $0 + "\n" }.joined().utf8))
        }
        started.exchange.end(fault)
        var read = Data()
        let error = await #expect(throws: NetworkError.self) {
            switch way {
            case "chunks": for try await chunk in started.content.chunks { read += chunk }
            case "bytes": for try await byte in started.content { read.append(byte) }
            default: for try await line in started.content.lines { read += Data((line + "\n").utf8) }
            }
        }
        #expect(error?.code == (fault == .timedOut ? .timedOut : .connectionLost))
        #expect(String(decoding: read, as: UTF8.self).split(separator: "\n").map(String.init) == lines)
    }

    @Test func `Streamed content with a wrong checksum is read to its end, and then throws`() async throws {
        var request = NetworkRequest(.test("a"))
        request.expectedChecksum = .md5(String(repeating: "0", count: 32))
        let started = try await start { [request] in try await $0.bytes(for: request) }
        var reader = started.content.lines.makeAsyncIterator()
        started.exchange.receive(Data("0\n".utf8))
        // What has been read cannot be requested again.
        var lines = [try await reader.next()]
        for number in 1..<100 { started.exchange.receive(Data("\(number)\n".utf8)) }
        started.exchange.end()
        let error = await #expect(throws: NetworkError.self) {
            while let line = try await reader.next() { lines.append(line) }
        }
        #expect(error?.code == .contentMismatch && lines == (0..<100).map { "\($0)" })
    }

    @Test func `Streamed content that is canceled is read no further`() async throws {
        let started = try await startBytes()
        for number in 0..<100 { started.exchange.receive(Data("\(number)\n".utf8)) }
        started.queue.cancelAll()
        await started.queue.waitUntilEmpty()
        let error = await #expect(throws: NetworkError.self) {
            for try await chunk in started.content.chunks { Issue.record("a chunk of \(chunk.count) bytes") }
        }
        #expect(error?.code == .cancelled)
    }

    @Test func `Streamed content that breaks off and is not read can be canceled`() async throws {
        let started = try await startBytes()
        started.exchange.receive(Data("unread".utf8))
        started.exchange.end(.networkConnectionLost)
        #expect(started.queue.requests.count == 1)
        started.queue.cancelAll()
        await started.queue.waitUntilEmpty()
    }

    @Test(arguments: [false, true])
    func `Streamed content cannot be read twice: the second loop throws`(isReadToTheEnd: Bool) async throws {
        let queue = QueueKind.requestQueue.makeQueue(over: text("one\ntwo"))
        let bytes = try await queue.bytes(for: .test("a"))
        for try await line in bytes.lines {
            #expect(isReadToTheEnd || line == "one")
            if !isReadToTheEnd { break }
        }
        let error = await #expect(throws: NetworkError.self) { for try await _ in bytes {} }
        #expect(error?.code == .processing && "\(error.map { "\($0)" } ?? "")".contains("can be read only once"))
    }

    @Test func `A second iterator does not disturb the one that reads`() async throws {
        let started = try await startBytes()
        var chunks = started.content.chunks.makeAsyncIterator()
        await #expect(throws: NetworkError.self) { for try await _ in started.content.lines {} }
        started.exchange.receive(Data("x".utf8))
        #expect(try await chunks.next() == Data("x".utf8))
        started.exchange.end()
        #expect(try await chunks.next() == nil)
    }

    /// A request that may be retried.
    private func retried() -> NetworkRequest {
        var request = NetworkRequest(.test("a"))
        request.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.zero))
        return request
    }

    @Test func `Streamed content is not asked for again once a byte has been handed over`() async throws {
        let started = try await start { try await $0.bytes(for: retried()) }
        var chunks = started.content.chunks.makeAsyncIterator()
        started.exchange.receive(Data("x".utf8))
        #expect(try await chunks.next() == Data("x".utf8))
        started.exchange.end(.networkConnectionLost)
        let error = await #expect(throws: NetworkError.self) { try await chunks.next() }
        #expect(error?.code == .connectionLost && error?.attempts == 1)
        await started.queue.waitUntilEmpty()
        #expect(started.transport.counts.started == 1)
    }

    @Test
    func `Streamed content that breaks off unread is asked for again, without a byte of the first attempt`()
        async throws
    {
        let started = try await start { try await $0.bytes(for: retried()) }
        started.exchange.receive(Data("lost".utf8))
        started.exchange.end(.networkConnectionLost)
        await started.transport.exchange(1).answer(.ok(Data("whole".utf8)))
        #expect(try await collect(started.content) == Data("whole".utf8))
    }

    @Test(arguments: QueueKind.allCases)
    func `Streamed content is canceled with the task that reads it, and nothing else is`(kind: QueueKind) async throws {
        let transport = ScriptedTransport()
        let queue = kind.makeQueue(over: transport, limit: 4)
        let other = queue.add(.test("other"))
        let head = Task { try await queue.bytes(for: .test("a")) }
        let exchange = await transport.exchange(1)
        exchange.receive()
        let bytes = try await head.value
        let reading = Task { try await collect(bytes) }
        let waiting = Task { try await queue.bytes(for: .test("b")) }
        await transport.waitForExchanges(3)
        reading.cancel()
        waiting.cancel()
        for error in [await reading.error, await waiting.error] {
            #expect(error?.code == .cancelled)
        }
        #expect(other.status == .running)
        other.cancel()
        await queue.waitUntilEmpty()
    }

    @Test func `Streamed content is canceled when its iterator is released`() async throws {
        let started = try await startBytes()
        started.exchange.receive(Data("first\nsecond".utf8))
        for try await line in started.content.lines {
            #expect(line == "first")
            break
        }
        await started.queue.waitUntilEmpty()
        #expect(started.exchange.isCancelled)
    }

    @Test(arguments: QueueKind.allCases)
    func `Streamed content that is released after the server has sent all of it lets its queue go on`(kind: QueueKind)
        async throws
    {
        let queue = kind.makeQueue(over: text("one\ntwo\nthree"), limit: 1)
        for _ in 0..<20 {
            for try await line in try await queue.lines(for: .test("a")) {
                #expect(line == "one")
                break
            }
            #expect(try await queue.bytes(for: .test("b")).head.statusCode == 200)
        }
        await queue.waitUntilEmpty()
    }

    @Test func `Streamed content is not asked for by retryFailed()`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .status(500) }, configure: { $0.cancelsAllOnFailure = false })
        rig.queue.go()
        await #expect(throws: NetworkError.self) { try await rig.queue.bytes(for: .test("a")) }
        await #expect(throws: NetworkError.self) { try await rig.queue.data(for: .test("b")) }
        await rig.recorder.wait { events in events.count { $0.kind == .didFail } == 2 }
        #expect(rig.queue.retryFailed().isEmpty)
    }

    @Test func `Streamed content is read to its end, though nothing but the iterator is left`() async throws {
        let transport = ScriptedTransport()
        let queue = QueueKind.requestQueue.makeQueue(over: transport)
        let reading = Task {
            var lines = try await queue.lines(for: .test("a")).makeAsyncIterator()
            var all: [String] = []
            while let line = try await lines.next() { all.append(line) }
            return all
        }
        let exchange = await transport.exchange(0)
        exchange.receive()
        for number in 0..<100 { exchange.receive(Data("\(number)\n".utf8)) }
        exchange.end()
        #expect(try await reading.value == (0..<100).map { "\($0)" })
        #expect(!exchange.isCancelled)
    }

    @Test func `Streamed content is canceled when it is released before it is read`() async throws {
        let started = try await start { try await $0.bytes(for: .test("a")).head.statusCode }
        #expect(started.content == 200)
        await started.queue.waitUntilEmpty()
        #expect(started.exchange.isCancelled)
    }

    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("\n", [""]), ("\n\na", ["", "", "a"]),
            ("a\r\nb\rc\r\n", ["a", "b\rc"]),
            ("é\u{2028}x\n{}", ["é\u{2028}x", "{}"]),
        ] as [(String, [String])])
    func `Streamed content has lines that end with LF or CR LF, wherever it is cut`(text: String, expected: [String])
        async throws
    {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let started = try await startLines()
            let (exchange, lines) = (started.exchange, started.content)
            let reading = Task {
                var all: [String] = []
                for try await line in lines { all.append(line) }
                return all
            }
            if cut > 0 { exchange.receive(Data(bytes[..<cut])) }
            if cut < bytes.count { exchange.receive(Data(bytes[cut...])) }
            exchange.end()
            #expect(try await reading.value == expected, "cut at \(cut)")
        }
    }

    @Test(arguments: ["", "\n"]) func `Streamed content has lines of 16 MiB at most`(end: String) async throws {
        let started = try await startLines()
        let (exchange, lines) = (started.exchange, started.content)
        let reading = Task { for try await _ in lines { Issue.record("there is no line") } }
        let chunk = Data(repeating: 7, count: ResponseLines.maximumLength / 4)
        for _ in 0..<4 { exchange.receive(chunk) }
        if !exchange.isCancelled { exchange.receive(chunk + Data(end.utf8)) }
        #expect(await reading.error?.code == .responseTooLarge)
        await started.queue.waitUntilEmpty()
    }
}

/// What a stream does between two attempts: only there it depends on what has been read.
@Suite(.timeLimit(.minutes(10)))
struct ContentStreamTests {
    private let stream = ContentStream()
    private let head = ResponseHead(statusCode: 200, headers: [:], url: .test("a"))

    /// Writes in a task that is cancelled, as that of an attempt which has broken off: the call does not wait for a
    /// reader.
    private func writeWithoutWaiting(_ text: String) async {
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try? await stream.write(Data(text.utf8))
        }.value
    }

    /// What is read next, by a reader that is there before this returns.
    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    private func reading() -> Task<Data?, any Error> {
        Task.immediate { try await stream.next() }
    }

    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    @Test func `A stream does not start over once a chunk has come for a reader that waited`() async throws {
        let reading = reading()
        await writeWithoutWaiting("read")
        #expect(try await reading.value == Data("read".utf8))
        #expect(!stream.mayStartOver())
    }

    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    @Test func `A stream that starts over drops the late chunks of the former attempt`() async throws {
        #expect(stream.mayStartOver())
        await writeWithoutWaiting("late")
        let reading = reading()
        try await stream.begin(head)
        await writeWithoutWaiting("whole")
        #expect(try await reading.value == Data("whole".utf8))
    }
}

extension Task where Failure == any Error {
    fileprivate var error: NetworkError? {
        get async {
            guard case .failure(let error) = await result else { return nil }
            return error as? NetworkError
        }
    }
}
