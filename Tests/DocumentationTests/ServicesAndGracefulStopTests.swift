import Dispatch
import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Services and graceful stop".
@Suite(.timeLimit(.minutes(10)))
struct ServicesAndGracefulStopTests {
    private struct Silent: QueueMonitor {}

    @Test func `What runs ends, and what waits is cancelled`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let gate = Gate()
        server.serve("/slow", ScriptedResponse.text("late").gated(by: gate))
        let queues = ServicesAndGracefulStopSnippets.service(Silent()) { _ in }
        let queue = queues[0]
        queue.maxConcurrentRequestCount = 1
        var slow = NetworkRequest(server.url("/slow"))
        // On a busy machine the gate may stay closed for longer than the default.
        slow.idleTimeout = .zero
        let (running, waiting) = (queue.add(slow), queue.add(server.url("/a")))
        #expect(await gate.waitForArrival())
        let stop = Task { await ServicesAndGracefulStopSnippets.stop(queues) }
        _ = try? await waiting.response()
        gate.open()
        await stop.value
        #expect(running.status == .finished && waiting.status == .cancelled)
    }

    @Test func `A program without async waits for its batch`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let url = server.url("/a")
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                ServicesAndGracefulStopSnippets.synchronous([url])
                continuation.resume()
            }
        }
        #expect(server.requestCount("/a", method: "GET") == 1)
    }
}
