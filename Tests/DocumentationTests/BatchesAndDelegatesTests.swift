import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Batches and delegates".
@Suite(.timeLimit(.minutes(10)))
struct BatchesAndDelegatesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    private let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))

    @Test @MainActor
    func `The delegate on the main actor follows the batch to its end`() async throws {
        let server = try LoopbackServer()
        server.serve("/a", .text("a"))
        defer { try? FileManager.default.removeItem(at: folder) }
        let sync = BatchesAndDelegatesSnippets.FileSync()
        sync.start([server.url("/a"), server.url("/missing")], into: folder)
        while sync.lines.last != "1 of 2 files" { await Task.yield() }
        #expect(sync.lines.suffix(2).first == "100 %")
        #expect(sync.lines.contains { $0.hasPrefix("missing: ") })
    }

    @Test func `A stream of URLs is one batch`() async throws {
        let server = try LoopbackServer(fallback: .text("a"))
        let urls = AsyncStream { continuation in
            for number in 0..<5 { continuation.yield(server.url("/\(number)")) }
            continuation.finish()
        }
        #expect(await BatchesAndDelegatesSnippets.batch(urls, queue).counts.finished == 5)
    }

    @Test func `A list is read while it runs`() async throws {
        let server = try LoopbackServer(fallback: .text("a"))
        server.serve("/list", .text("\(server.url("/1"))\n\(server.url("/2"))\n"))
        defer { try? FileManager.default.removeItem(at: folder) }
        let summary = try await BatchesAndDelegatesSnippets.list(server.url("/list"), into: folder, queue)
        #expect(summary.isSuccess && summary.counts.finished == 2)
    }

    @Test func `Failed requests run again, and a dependent one after the other`() async throws {
        let server = try LoopbackServer()
        BatchesAndDelegatesSnippets.depending(server.url("/login"), server.url("/notes"), queue)
        queue.cancelsAllOnFailure = false
        queue.showsAccurateProgress = false
        #expect(
            await queue.run().failures.map(\.operation.request.url) == [server.url("/login"), server.url("/notes")])
        server.serve("*", .text("a"))
        #expect(await BatchesAndDelegatesSnippets.repeated(queue).counts.finished == 2)
    }
}
