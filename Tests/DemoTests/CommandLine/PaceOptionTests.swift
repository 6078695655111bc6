import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
final class PaceOptionTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    deinit {
        server.stop()
    }

    private func urls(_ count: Int) -> [String] { (0..<count).map { server.url("/\($0)").absoluteString } }

    @Test(arguments: [(["--per-host", "2"], 2), (["-j3"], 3), ([], 5)])
    func `The options -j and --per-host limit concurrent downloads`(options: [String], count: Int) async throws {
        let gate = Gate()
        for number in 0..<5 { server.serve("/\(number)", ScriptedResponse.text("a").gated(by: gate)) }
        let run = try await NetqueueRun.run(["-j8", "--no-sizing", "--timeout=900"] + options + urls(5), in: folder) {
            [server] _ in
            _ = await server.wait { $0.concurrentRequests == count }
            gate.open()
        }
        #expect(run.exitCode == 0)
        #expect(server.counters.peakConcurrentRequests == count)
    }

    @Test func `The option --split has slots that nothing waits for fetch parts of a large file`() async throws {
        let gate = Gate()
        server.serve("/a") { _ in
            .generated(size: 16 << 20, seed: 1).acceptingRanges(etag: "\"1\"").gated(by: gate, at: .afterHead)
        }
        let url = server.url("/a").absoluteString
        let run = try await NetqueueRun.run(["-j4", "--split", "--no-sizing", "--json", url], in: folder) { _ in
            await gate.waitForArrival(count: 4)
            gate.open()
        }
        #expect(run.exitCode == 0)
        #expect(try GeneratedContent(size: 16 << 20, seed: 1).matches(contentsOf: folder.file("a")))
        #expect(server.peakConcurrentRequestCount == 4)
        #expect(run.output.contains("\"status\":200") && !run.output.contains("\"status\":206"))
    }

    @Test(arguments: [2, 4]) func `The option --checkers limits concurrent size requests, whatever -j is`(count: Int)
        async throws
    {
        let gate = Gate()
        for number in 0..<6 { server.serve("/\(number)", ScriptedResponse.text("a").gated(by: gate)) }
        let run = try await NetqueueRun.run(["-j1", "--checkers=\(count)", "--timeout=900"] + urls(6), in: folder) {
            [server] _ in
            _ = await server.wait { $0.concurrentRequests == count }
            gate.open()
        }
        #expect(run.exitCode == 0)
        #expect(server.requests.count { $0.method == "HEAD" } == 6)
    }

    @Test func `The option --limit-rate limits all downloads together`() async throws {
        for number in 0..<2 { server.serve("/\(number)", ScriptedResponse.generated(size: 150_000)) }
        let start = ContinuousClock.now
        let run = try await NetqueueRun.run(["-q", "--no-sizing", "--limit-rate=100K"] + urls(2), in: folder)
        #expect(run.exitCode == 0)
        // Of 300,000 bytes a second's worth may go at once.
        #expect(start.duration(to: .now) > .seconds(1.5))
    }
}
