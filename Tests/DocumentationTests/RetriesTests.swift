import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Retries".
@Suite(.timeLimit(.minutes(10)))
struct RetriesTests {
    @Test func `The ceilings of the standard policy are those of the table`() {
        let ceilings = (1...10).map { RetryPolicy.standard.backoff.ceiling(forRetry: $0) }
        #expect(ceilings == [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60].map { Duration.seconds($0) })
        #expect(RetryPolicy.standard.maxRetries == 10 && RetryPolicy.standard.outageTolerance == .seconds(30))
        #expect(RetryPolicy.transientStatusCodes == [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524])
        #expect(RetryPolicy.idempotentMethods == ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"])
    }

    @Test func `A policy, a decider and a request of its own rules`() async throws {
        let server = try LoopbackServer()
        server.serve("/late", sequence: [.status(404), .text("there")])
        server.serve("/busy", sequence: [.status(409), .text("free")])
        let batch = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        batch.showsAccurateProgress = false
        RetriesSnippets.standard(batch)
        #expect(batch.retryPolicy == .standard)
        RetriesSnippets.custom(batch)
        let late = batch.add(server.url("/late"))
        #expect(await batch.run().isSuccess)
        #expect(late.attempts == 2)
        let queue = RequestQueue()
        RetriesSnippets.deciding(queue)
        #expect(try await queue.data(for: server.url("/busy")) == Data("free".utf8))
        #expect(RetriesSnippets.one(server.url("/")).retryPolicy == .never)
    }
}
