import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import Testing

/// The tests that the page "Testing" shows. They run with all others.
struct TestingSnippets {
    struct Note: Decodable {
        let text: String
    }

    struct NotesClient {
        let queue: RequestQueue

        func notes() async throws -> [Note] {
            guard let url = URL(webAddress: "https://example.com/notes") else { return [] }
            return try await queue.value(of: [Note].self, for: url)
        }
    }

    // snippet: script
    @Test func `The client decodes notes`() async throws {
        let transport = ScriptedTransport { _ in .json(#"[{"text":"milk"}]"#) }
        let client = NotesClient(queue: RequestQueue(transport: transport))
        #expect(try await client.notes().map(\.text) == ["milk"])
        #expect(transport.exchanges.map(\.path) == ["/notes"])
    }
    // end

    // snippet: clock
    @Test func `The client retries once, after five seconds`() async throws {
        let transport = ScriptedTransport { _ in .fail(.networkConnectionLost) }
        let clock = ManualClock()
        let queue = RequestQueue(transport: transport, clock: clock)
        queue.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(5)))
        async let notes = NotesClient(queue: queue).notes()
        await clock.waitForScheduledCalls(1)
        transport.setScript { _ in .json("[]") }
        clock.advance(by: .seconds(5))
        #expect(try await notes.isEmpty)
    }
    // end

    // snippet: server
    @Test func `An interrupted download continues where it stopped`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try LoopbackServer()
        let whole = ScriptedResponse.generated(size: 1_000_000, seed: 7).acceptingRanges(etag: #""v1""#)
        server.serve("/file", sequence: [whole.dropping(after: 500_000), whole])
        let queue = RequestQueue()
        queue.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero))
        _ = try await queue.download(server.url("/file"), to: file)
        #expect(try GeneratedContent(size: 1_000_000, seed: 7).matches(contentsOf: file))
        #expect(server.requests.last?.headers["Range"] != nil)
    }
    // end

    // snippet: delegate
    final class Recorder: NetworkQueueDelegate {
        private(set) var failures: [NetworkError.Code] = []

        func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
            failures.append(error.code)
        }
    }

    @Test func `The delegate hears of a missing file`() async throws {
        let server = try LoopbackServer()
        let recorder = Recorder()
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "tests"))
        queue.delegate = recorder
        queue.add(server.url("/missing"))
        let summary = await queue.run()
        #expect(recorder.failures == [.httpStatus(404)])
        #expect(summary.counts.failed == 1)
    }
    // end
}
