import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Progress you can trust".
@Suite(.timeLimit(.minutes(10)))
struct ProgressYouCanTrustTests {
    @Test func `The label shows what is known`() {
        var progress = NetworkQueue.Progress(
            phase: .transferring, counts: .init(running: 2, finished: 1),
            download: .init(transferred: 100, expected: 600, isEstimated: true), fractionCompleted: 0.999)
        #expect(ProgressYouCanTrustSnippets.text(progress) == "99 %, 1 of 3 files, 100 of ~600 bytes")
        progress.bytesPerSecond = 50
        progress.estimatedTimeRemaining = .seconds(10)
        #expect(ProgressYouCanTrustSnippets.text(progress).hasSuffix("50 bytes/s, 10 s left"))
    }

    @Test func `A file of another size than expected fails, and an estimate does not`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        queue.cancelsAllOnFailure = false
        ProgressYouCanTrustSnippets.sizes(server.url("/a"), queue)
        let summary = await queue.run()
        #expect(summary.failures.map(\.error.code) == [.contentMismatch])
        #expect(summary.counts.finished == 1)
    }

    @Test func `The updates of an operation end with 1`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let queue = RequestQueue()
        queue.isSuspended = true
        let operation = queue.add(server.url("/a"))
        queue.isSuspended = false
        var fractions: [Double] = []
        await ProgressYouCanTrustSnippets.one(operation) { fractions.append($0) }
        #expect(fractions.last == 1)
    }
}
