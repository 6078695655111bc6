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

    @Test(arguments: [false, true])
    func `A download that has ended after it was saved succeeds after a relaunch`(hasDate: Bool) async throws {
        let server = try LoopbackServer()
        let date = hasDate ? "Fri, 01 Mar 2024 10:00:00 GMT" : nil
        server.serve("/a", .text("hello").acceptingRanges(etag: nil, lastModified: date))
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, records) = (folder.appending(component: "a"), folder.appending(component: "records"))
        let before = NetworkQueue(delegateQueue: DispatchQueue(label: "before"))
        before.add(NetworkRequest(server.url("/a"), destination: .file(file)))
        try PauseAndRelaunchSnippets.save(before, to: records)
        #expect(await before.run().isSuccess)
        try PauseAndRelaunchSnippets.restore(queue, from: records)
        let summary = await queue.run()
        #expect(summary.isSuccess && summary.counts.finished == 1, "\(summary)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).count == 2)
        // The file of somebody else.
        try Data("other".utf8).write(to: file)
        try PauseAndRelaunchSnippets.restore(queue, from: records)
        let other = await queue.run()
        #expect(other.firstFailure?.error.code == .fileSystem)
        #expect(try Data(contentsOf: file) == Data("other".utf8))
    }

    @Test func `A queue that is about to be suspended waits for its pause`() async throws {
        let server = try LoopbackServer(fallback: .silence)
        queue.showsAccurateProgress = false
        var request = NetworkRequest(server.url("/a"))
        // Among all other tests, the next step may come minutes later.
        request.idleTimeout = .seconds(600)
        let operation = queue.add(request)
        queue.go()
        await server.wait { $0.concurrentRequests == 1 }
        await PauseAndRelaunchSnippets.background(queue)
        #expect(operation.status == .paused)
        queue.cancelAll()
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
