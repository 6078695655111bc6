import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Runs the snippets of "Before the first byte".
@Suite(.timeLimit(.minutes(10)))
struct BeforeTheFirstByteTests {
    @Test func `The user is asked with count and size, and may decline`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        let questions = Gathering<String>()
        BeforeTheFirstByteSnippets.ask(queue) { question in
            questions.add(question)
            return false
        }
        queue.add(contentsOf: [NetworkRequest(server.url("/a")), NetworkRequest(server.url("/b"))])
        #expect(await queue.run().counts.cancelled == 2)
        #expect(questions.values == ["Download 2 files, 10 bytes?"])
        #expect(server.requests.allSatisfy { $0.method == "HEAD" })
    }

    @Test func `A download that does not fit says how much is missing`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(fallback: .text("hello"))
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        var request = NetworkRequest.download(server.url("/a"), to: folder.file("a"))
        request.expectedDownloadSize = 1 << 49
        queue.add(request)
        let lines = Gathering<String>()
        await BeforeTheFirstByteSnippets.space(queue) { lines.add($0) }
        #expect(lines.values.count == 1 && lines.values.first?.contains(" lacks ") == true)
        #expect(server.requests.isEmpty)
    }
}
