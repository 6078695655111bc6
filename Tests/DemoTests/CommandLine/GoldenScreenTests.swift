import Foundation
import LoopbackHTTP
import Testing

/// What one sees on a terminal at the end of a run, word for word.
@Suite(.timeLimit(.minutes(10)))
struct GoldenScreenTests {
    private let rig: NetqueueRig
    private let bar = String(repeating: "━", count: 40)

    init() throws {
        rig = try NetqueueRig()
        for name in ["a", "b", "c"] {
            let response = ScriptedResponse.text("content of \(name)")
                .acceptingRanges(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
            rig.server.serve("/\(name)", response)
        }
    }

    private func run(
        _ arguments: [String], on terminal: PseudoTerminal, input: String? = nil, shell: String? = nil,
        whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        try await rig.run(
            arguments.map { $0.hasPrefix("/") ? rig.url($0) : $0 }, input: input, environment: ["LC_ALL": "C.UTF-8"],
            terminal: terminal, shell: shell, whileRunning: whileRunning)
    }

    @Test func `A kept file counts on the last line of a terminal as in the summary`() async throws {
        try rig.folder.write("mine", to: "b")
        let first = try PseudoTerminal(columns: 80)
        let kept = try await run(["--keep", "/a", "/b", "/c"], on: first)
        #expect(first.screen.lines == ["100% \(bar) 3/3 files · 24 B", ""])
        #expect(kept.output.withoutTimes == "3 files, 24 B in TIME, 1 already there\n")
        try FileManager.default.removeItem(at: rig.folder.file("b"))
        let second = try PseudoTerminal(columns: 80)
        let current = try await run(["/a", "/b", "/c"], on: second)
        #expect(second.screen.lines.count == 2)
        #expect(second.screen.lines.first?.hasPrefix("100% \(bar) 3/3 files · ") == true)
        #expect(current.output.withoutTimes == "3 files, 12 B in TIME, 2 already there\n")
    }

    @Test func `A wrong line counts on the last line of a terminal as in the summary`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await run(["-i-"], on: terminal, input: "\(rig.url("/a"))\nfoo\n\(rig.url("/b"))\n")
        #expect(
            terminal.screen.lines == [
                "✗ standard input:2: not an http or https URL: “foo”", "2/3 files · 1 failed · 24 B", "",
            ])
        #expect(
            run.output.withoutTimes == "2 of 3 files, 24 B in TIME\n1 failed: 1 × invalid list line\n")
    }

    @Test func `Failures of every kind stand above the last line with their reasons`() async throws {
        rig.server.serve("/cut", ScriptedResponse.text(String(repeating: "x", count: 5000)).dropping(after: 1000))
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await run(
            ["--no-sizing", "-j1", "--retries=0", "/missing", "/cut", "http://127.0.0.1:1/refused", "/a"], on: terminal
        )
        #expect(
            terminal.screen.lines.dropLast(2) == [
                "✗ missing: 404 Not Found",
                "✗ cut: the connection to 127.0.0.1:\(rig.server.port) was lost after 1,000 of 5,000 bytes",
                "✗ refused: could not connect to 127.0.0.1:1: connection refused",
            ])
        #expect(terminal.screen.lines.suffix(2).first?.hasPrefix("1/4 files · 3 failed · ") == true)
        #expect(
            run.output.withoutTimes == """
                1 of 4 files, 1012 B in TIME
                3 failed: 1 × 404 Not Found, 1 × could not connect: connection refused, 1 × the connection was lost

                """)
    }

    @Test func `The body of an upload's error takes as many rows of a terminal as it needs`() async throws {
        try rig.folder.write("one", to: "a.txt")
        rig.server.serve("/in/a.txt", .text("{\"error\":\n\t\"the quota of 5 GB is exceeded\"}", status: 507))
        let terminal = try PseudoTerminal(columns: 40)
        _ = try await run(["upload", "--retries=0", "a.txt", "/in/"], on: terminal)
        #expect(
            terminal.screen.lines.prefix(2) == [
                "✗ a.txt: 507 Insufficient Storage: the q", "uota of 5 GB is exceeded",
            ])
    }

    @Test func `The key q keeps parts, and the output says so`() async throws {
        let large = ScriptedResponse.generated(size: 4 << 20).acceptingRanges(etag: "\"1\"")
        rig.server.serve("/large", large.stalling(after: 3 << 20))
        let terminal = try PseudoTerminal(columns: 120)
        let run = try await run(
            ["--no-sizing", "-j1", "--timeout=900", "/a", "/large"], on: terminal, shell: "exec \"$@\" <&2"
        ) { _ in
            await terminal.wait { $0.contains("3.0/4.0 MiB") && $0.contains("q quits") }
            #expect(!terminal.hasEcho)
            terminal.type("q")
        }
        #expect(run.exitCode == 130 && !run.wasKilled)
        #expect(terminal.screen.lines == [""] && terminal.screen.isCursorVisible && terminal.hasEcho)
        #expect(
            run.output.withoutTimes == """
                Cancelled: 1 of 2 files, 3.0 MiB in TIME
                Kept 1 partial download with 3.0 MiB; run the same command again to resume.

                """)
    }

    @Test func `The key q is not offered if the standard input is not the terminal`() async throws {
        let gate = Gate()
        rig.server.serve("/slow", ScriptedResponse.text("slow").gated(by: gate))
        let terminal = try PseudoTerminal(columns: 120)
        let run = try await run(["--no-sizing", "--timeout=900", "/slow"], on: terminal) { _ in
            _ = await rig.server.wait { $0.requests == 1 }
            await terminal.wait(forFrames: terminal.frameCount + 5)
            #expect(terminal.hasEcho)
            gate.open()
        }
        #expect(run.exitCode == 0 && !run.error.contains("quits"))
    }
}
