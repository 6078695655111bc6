import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Queues, limits and priorities".
@Suite(.timeLimit(.minutes(10)))
struct QueuesLimitsAndPrioritiesTests {
    @Test func `A queue has the settings that it was given`() {
        let queue = QueuesLimitsAndPrioritiesSnippets.configured()
        #expect(queue.maxConcurrentRequestCount == 4 && queue.maxConcurrentRequestCountPerHost == 2)
        #expect(queue.mode == .lastInFirstOut && queue.callbackQueue.label == DispatchQueue.main.label)
        let (downloads, uploads) = (NetworkQueue(), NetworkQueue())
        QueuesLimitsAndPrioritiesSnippets.bandwidth(downloads, uploads)
        #expect(downloads.maxBytesPerSecond == 500_000 && uploads.maxBytesPerSecond == 500_000)
        #expect(QueuesLimitsAndPrioritiesSnippets.timeouts(URL(filePath: "/")).totalTimeout == .seconds(120))
    }

    @Test func `The index is uploaded after its pages`() async throws {
        let server = try LoopbackServer(fallback: .json("1"))
        let file = FileManager.default.temporaryDirectory.appending(component: "\(UUID()).html")
        try Data("index".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        queue.showsAccurateProgress = false
        let pages = (0..<5).map { NetworkRequest.put(server.url("/\($0)"), body: .data(Data("page".utf8))) }
        QueuesLimitsAndPrioritiesSnippets.stages(queue, pages, file, server.url("/index"))
        #expect(await queue.run().isSuccess)
        #expect(server.requests.count == 6 && server.requests.last?.path == "/index")
        let other = RequestQueue()
        QueuesLimitsAndPrioritiesSnippets.orderBySize(other)
        #expect(other.mode == .smallestFirst)
    }

    @Test func `Priorities and defaults take effect`() async throws {
        let server = try LoopbackServer(fallback: .json("1"))
        let queue = RequestQueue()
        queue.isSuspended = true
        let first = queue.add(server.url("/first"))
        let second = QueuesLimitsAndPrioritiesSnippets.order(server.url("/second"), queue)
        #expect(queue.requests == [second, first])
        let batch = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        QueuesLimitsAndPrioritiesSnippets.defaults(batch)
        batch.add(server.url("/json"))
        #expect(await batch.run().isSuccess)
        #expect(server.requests.allSatisfy { $0.headers["User-Agent"] == "Sync/2.1" })
    }
}
