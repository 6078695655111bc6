import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CancelledBatchTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
    }

    @Test func `A canceled batch says which parts it keeps, and the same command continues them`() async throws {
        rig.server.serve(
            "/tree/small", ScriptedResponse.text("small").acceptingRanges(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
        )
        let large = ScriptedResponse.generated(size: 4 << 20).acceptingRanges(etag: "\"1\"")
        rig.server.serve("/tree/large", large.stalling(after: 3 << 20))
        // Longer than this process may wait for its turn beside all other tests: the silence is to be ended by the
        // signal.
        let arguments = ["--no-sizing", "-j1", "--timeout=900"] + ["/tree/small", "/tree/large"].map(rig.url)
        let terminal = try PseudoTerminal(columns: 100)
        let run = try await rig.run(arguments, terminal: terminal) { process in
            await terminal.wait(for: "3.0/4.0 MiB")
            kill(process, SIGINT)
        }
        #expect(run.exitCode == 130 && !run.wasKilled && !run.error.contains("100%"))
        #expect(run.output.hasPrefix("Cancelled: 1 of 2 files, 3.0 MiB in "))
        #expect(run.output.hasSuffix("\nKept 1 partial download with 3.0 MiB; run the same command again to resume.\n"))
        rig.server.serve("/tree/large", large)
        let second = try await rig.run(arguments)
        #expect(second.exitCode == 0)
        #expect(second.output.hasPrefix("2 files, 1.0 MiB in ") && second.output.hasSuffix(", 1 already there\n"))
        #expect(try rig.folder.files() == ["large", "small"])
    }

    @Test func `A canceled batch removes the empty folders that it has created`() async throws {
        try FileManager.default.createDirectory(at: rig.folder.file("old/older"), withIntermediateDirectories: true)
        let gate = Gate()
        for path in ["/a/one/file", "/b/two/file"] {
            rig.server.serve(path, ScriptedResponse.text("x").gated(by: gate, at: .afterHead))
        }
        let urls = ["/a/one/file", "/b/two/file"].map(rig.url)
        for output in ["new/deep", "old/older/new"] {
            let requests = rig.server.counters.requests
            let run = try await rig.run(["--no-sizing", "--timeout=900", "-d", output, "--dirs"] + urls) { process in
                _ = await rig.server.wait { $0.requests == requests + 2 }
                kill(process, SIGTERM)
            }
            #expect(run.exitCode == 143)
            #expect(run.output.hasPrefix("Cancelled: 0 of 2 files, 0 B in "))
            #expect(rig.folder.contents == ["old", "old/older"])
        }
        gate.open()
    }
}
