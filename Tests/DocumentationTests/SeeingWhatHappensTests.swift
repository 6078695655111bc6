import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Synchronization
import Testing

/// Runs the snippets of "Seeing what happens".
@Suite(.timeLimit(.minutes(10)))
struct SeeingWhatHappensTests {
    @Test func `Events end with the drain`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        server.serve("/missing", .status(404))
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        queue.cancelsAllOnFailure = false
        queue.add(contentsOf: [.get(server.url("/a")), .get(server.url("/missing"))])
        var lines: [String] = []
        let summary = await SeeingWhatHappensSnippets.follow(queue) { lines.append($0) }
        #expect(summary.counts.finished == 1)
        #expect(lines.last == "100 %" && lines.contains { $0.hasPrefix("\(server.url("/missing")): ") })
    }

    @Test func `A logger writes three lines for a request, and a monitor counts it`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let lines = Mutex<[String]>([])
        let statistics = SeeingWhatHappensSnippets.Statistics()
        let queue = RequestQueue()
        SeeingWhatHappensSnippets.logged(queue) { line in lines.withLock { $0.append(line) } }
        queue.monitors.append(statistics)
        let operation = queue.add(.get(server.url("/a"), headers: ["Authorization": "secret"]))
        _ = try await operation.response()
        await queue.waitUntilEmpty()
        #expect(lines.withLock { $0 }.map { $0.contains("GET \(server.url("/a")): ") } == [true, true, true])
        #expect(statistics.attempts == 1 && statistics.bytes == 5)
        SeeingWhatHappensSnippets.figures(operation)
        let command = SeeingWhatHappensSnippets.command(operation)
        #expect(command == "curl -H 'Authorization: <hidden>' '\(server.url("/a"))'")
    }

    @Test func `The activity of the process can be shown`() async {
        let task = Task { @MainActor in
            await SeeingWhatHappensSnippets.indicate { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await task.value
    }
}
