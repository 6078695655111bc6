import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting

#if canImport(os)
    import os
#endif

/// The examples in the doc comments of NetworkQueueKit.
enum DocCommentSnippets {
    static func group(_ tracks: [NetworkRequest], _ queue: NetworkQueue) async -> NetworkQueue.Summary {
        // snippet: NetworkQueue.Group
        let album = queue.group("album-7")
        album.add(contentsOf: tracks)
        queue.go()
        let summary = await album.summary()
        // end
        return summary
    }

    static func run(_ urls: AsyncStream<URL>, _ queue: NetworkQueue) async -> NetworkQueue.Summary {
        // snippet: NetworkQueue.run(_:)
        let summary = await queue.run {
            for await url in urls { queue.add(url) }
        }
        // end
        return summary
    }

    static func run(_ lines: ResponseLines, _ queue: NetworkQueue) async throws -> NetworkQueue.Summary {
        // snippet: NetworkQueue.run(adding:)
        let requests = lines.compactMap { URL(webAddress: $0).map { NetworkRequest($0) } }
        let summary = try await queue.run(adding: requests, expectedCount: 20_000)
        // end
        return summary
    }

    static func bytes(_ request: NetworkRequest, _ queue: RequestQueue, _ file: FileHandle) async throws {
        // snippet: RequestQueueing.bytes(for:)
        let bytes = try await queue.bytes(for: request)
        for try await chunk in bytes.chunks { try file.write(contentsOf: chunk) }
        // end
    }

    static func lines(
        _ request: NetworkRequest, _ queue: RequestQueue, handle: (String) throws -> Void
    ) async throws {
        // snippet: RequestQueueing.lines(for:)
        for try await line in try await queue.lines(for: request) { try handle(line) }
        // end
    }

    static func bodies(_ url: URL, _ form: MultipartForm, _ value: [String]) throws -> NetworkRequest {
        var request = NetworkRequest(url)
        // snippet: RequestBody
        request.body = .file(url)
        request.body = .multipart(form)
        request.body = try .json(value)
        request.body = .urlEncodedForm(["name": "value"])
        // end
        return request
    }

    static func plan(_ queue: NetworkQueue, confirm: @escaping @Sendable (String) async -> Bool) {
        // snippet: NetworkQueue.planHandler
        queue.planHandler = { plan in
            await confirm("Download \(plan.requestCount) files, \(plan.knownBytes) bytes?") ? .start : .cancel
        }
        // end
    }

    static func summary(_ queue: NetworkQueue, _ file: URL) async throws {
        // snippet: SummaryRecord
        let summary = await queue.run()
        try JSONEncoder().encode(summary.record).write(to: file)
        // in another process
        let record = try JSONDecoder().decode(SummaryRecord.self, from: Data(contentsOf: file))
        queue.add(contentsOf: record.failures.map(\.record))
        // end
    }

    static func records(_ queue: RequestQueue, _ file: URL) throws {
        // snippet: NetworkRequest.Record
        try JSONEncoder().encode(queue.unfinishedRecords).write(to: file)
        // after a relaunch
        let records = try JSONDecoder().decode([NetworkRequest.Record].self, from: Data(contentsOf: file))
        queue.add(contentsOf: records)
        // end
    }

    protocol Session: Sendable {
        func newToken(inPlaceOf expired: String) async throws -> String
    }

    static func bearer(_ stored: String, _ session: any Session, _ queue: RequestQueue) {
        // snippet: BearerAuthenticator
        queue.authenticator = BearerAuthenticator(token: stored) { expired in
            try await session.newToken(inPlaceOf: expired)
        }
        // end
    }

    #if canImport(os)
        static func log(_ queue: NetworkQueue) {
            // snippet: Logger.sink
            queue.monitors.append(EventLogger(sink: Logger(subsystem: "com.example.app", category: "network").sink()))
            // end
        }
    #endif
}

/// The examples in the doc comments about endpoints.
enum EndpointDocCommentSnippets {
    static func greeting(_ url: URL, _ queue: RequestQueue) async throws -> Data {
        // snippet: Endpoint
        struct Greeting: Endpoint {
            let url: URL
        }
        let data = try await queue.send(Greeting(url: url))
        // end
        return data
    }

    static func basic(_ url: URL) {
        // snippet: BasicEndpoint
        BasicEndpoint(url).start { result in print(result) }
        // end
    }

    struct Note: Decodable {
        let text: String
    }

    // snippet: JSONEndpoint
    struct AllNotes: JSONEndpoint {
        typealias Value = [Note]
        let url: URL
    }
    // end

    static func file(_ report: BasicEndpoint, _ url: URL, _ queue: RequestQueue) async throws -> URL {
        // snippet: FileEndpoint
        let file = try await queue.send(report.saved(to: url))
        // end
        return file
    }

    @MainActor
    final class Indicator {
        var isHidden = true
    }

    @MainActor
    static func activity(_ indicator: Indicator) async {
        // snippet: NetworkActivity
        for await count in NetworkActivity.shared.counts() {
            indicator.isHidden = count == 0
        }
        // end
    }
}

/// The examples in the doc comments of NetworkQueueTesting.
enum TestingDocCommentSnippets {
    static func clock(_ request: NetworkRequest, _ transport: ScriptedTransport) async -> RequestOperation {
        // snippet: ManualClock
        let clock = ManualClock()
        let queue = RequestQueue(transport: transport, clock: clock)
        queue.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(5)))
        let operation = queue.add(request)
        await clock.waitForScheduledCalls(1)  // the first attempt has failed
        clock.advance(by: .seconds(5))  // the second begins
        // end
        return operation
    }

    static func transport(_ url: URL) async throws -> [Int] {
        // snippet: ScriptedTransport
        let transport = ScriptedTransport { exchange in
            exchange.url.path() == "/list" ? .json(#"[1, 2]"#) : .status(404)
        }
        let queue = RequestQueue(transport: transport)
        let numbers = try await queue.value(of: [Int].self, for: url)
        // end
        return numbers
    }

    static func exchange(_ transport: ScriptedTransport) async {
        // snippet: ScriptedTransport.exchange(_:)
        let exchange = await transport.exchange(0)
        exchange.receive(status: 200, headers: ["Content-Length": "2"])
        exchange.receive(Data("ok".utf8))
        exchange.end()
        // end
    }
}

/// The examples in the doc comments of LoopbackHTTP.
enum LoopbackDocCommentSnippets {
    static func server(_ queue: RequestQueue) async throws -> (Data, [String]) {
        // snippet: LoopbackServer
        let server = try LoopbackServer()
        server.serve("/hello", .text("Hello"))
        server.serve("/flaky", sequence: [.status(503), .text("at last")])
        server.serve("/truncated", .generated(size: 1_000_000, seed: 7).dropping(after: 5_000))
        let text = try await queue.data(for: server.url("/hello"))
        let targets = server.requests.map(\.target)
        // end
        return (text, targets)
    }

    static func gate(_ server: LoopbackServer, _ queue: RequestQueue) async throws -> Data {
        // snippet: Gate
        let gate = Gate()
        server.serve("/slow", .text("late").gated(by: gate, at: .afterHead))
        async let slow = queue.data(for: server.url("/slow"))
        await gate.waitForArrival()  // its head has been sent
        gate.open()  // now the body may follow
        let text = try await slow
        // end
        return text
    }

    static func response() -> ScriptedResponse {
        // snippet: ScriptedResponse
        .text("hello").header("Vary", "Accept").chunked().dropping(after: 3)
        // end
    }
}
