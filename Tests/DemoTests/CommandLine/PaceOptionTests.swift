import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PaceOptionTests {
    private let rig: NetqueueRig
    private let gate = Gate()

    init() throws { rig = try NetqueueRig() }

    /// Downloads `/0` to `/5`, whose responses wait until `count` requests are under way.
    private func run(_ options: [String], untilThereAre count: Int) async throws -> NetqueueRun {
        rig.server.serve("/*", ScriptedResponse.text("a").gated(by: gate))
        return try await rig.run(["--timeout=900"] + options + (0..<6).map { rig.url("/\($0)") }) { _ in
            _ = await rig.server.wait { $0.concurrentRequests == count }
            gate.open()
        }
    }

    @Test(arguments: [(["--per-host", "2"], 2), (["-j3"], 3), ([], 6)])
    func `The options -j and --per-host limit concurrent downloads`(options: [String], count: Int) async throws {
        #expect(try await run(["-j8", "--no-sizing"] + options, untilThereAre: count).exitCode == 0)
        #expect(rig.server.counters.peakConcurrentRequests == count)
    }

    @Test func `The option --checkers limits concurrent size requests, whatever -j is`() async throws {
        #expect(try await run(["-j1", "--checkers=4"], untilThereAre: 4).exitCode == 0)
        #expect(rig.server.requests.count { $0.method == "HEAD" } == 6)
    }

    @Test func `The option --split has slots that nothing waits for fetch parts of a large file`() async throws {
        rig.server.serve("/a") { [gate] _ in
            .generated(size: 16 << 20, seed: 1).acceptingRanges(etag: "\"1\"").gated(by: gate, at: .afterHead)
        }
        let run = try await rig.run("-j4", "--split", "--no-sizing", "--json", "/a") { _ in
            await gate.waitForArrival(count: 4)
            gate.open()
        }
        #expect(run.exitCode == 0)
        #expect(try GeneratedContent(size: 16 << 20, seed: 1).matches(contentsOf: rig.folder.file("a")))
        #expect(rig.server.peakConcurrentRequestCount == 4)
        #expect(run.output.contains("\"status\":200") && !run.output.contains("\"status\":206"))
    }

    @Test func `The option --limit-rate limits all downloads together`() async throws {
        rig.server.serve("/*", ScriptedResponse.generated(size: 150_000))
        let start = ContinuousClock.now
        let run = try await rig.run("-q", "--no-sizing", "--limit-rate=100K", "/0", "/1")
        #expect(run.exitCode == 0)
        // Of 300,000 bytes a second's worth may go at once.
        #expect(start.duration(to: .now) > .seconds(1.5))
    }
}
