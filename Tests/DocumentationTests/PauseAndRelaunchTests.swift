import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Pause, resume, relaunch".
@Suite(.timeLimit(.minutes(10)))
struct PauseAndRelaunchTests {
    private let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))

    @Test func `A batch that was saved is run after a relaunch`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let file = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let before = NetworkQueue()
        before.add(contentsOf: [.get(server.url("/a")), .get(server.url("/b"))])
        try PauseAndRelaunchSnippets.save(before, to: file)
        try PauseAndRelaunchSnippets.restore(queue, from: file)
        #expect(await queue.run().counts.finished == 2)
        #expect(server.requestCount("/b", method: "GET") == 1)
    }

    @Test func `What was resumed runs, and what a record lacks is added`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let credential = URLCredential(user: "me", password: "secret", persistence: .none)
        var request = NetworkRequest(server.url("/a"))
        request.credential = credential
        #expect(request.record.omissions == ["credential"])
        PauseAndRelaunchSnippets.complete([request.record], credential, queue)
        let operation = try #require(queue.requests.first)
        PauseAndRelaunchSnippets.pause(operation, queue)
        #expect(await queue.run().isSuccess)
        #expect(server.requests.last?.headers["Authorization"] == "Basic bWU6c2VjcmV0")
    }
}
