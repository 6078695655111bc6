import Dashboard
import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite("On a terminal, netqueue")
struct TerminalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [20, 40, 80, 120])
    func `draws frames that fit it, and leaves a full bar`(columns: Int) async throws {
        let terminal = try PseudoTerminal(columns: columns)
        let run = try await NetqueueRun.run(
            ["demo", "--files", "30", "--seconds", "0.5"], in: folder, environment: ["LC_ALL": "C.UTF-8"],
            terminal: terminal)
        #expect(run.exitCode == 0)
        #expect(run.error.hasPrefix(FramePainter.reset + "\u{1B}[?25l"))
        #expect(run.error.components(separatedBy: "100%").count == 2)
        var screen = VirtualTerminal(columns: columns)
        screen.feed(run.error)
        #expect(screen.lines.count == 2)
        #expect(screen.lines.first?.hasPrefix("100% ━━━━━━━━") == true)
        #expect(screen.lines.allSatisfy { $0.count < columns })
        #expect(screen.isCursorVisible)
    }

    @Test func `writes plain lines when it is a dumb one`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await NetqueueRun.run(
            ["demo", "--files", "3", "--seconds", "0"], in: folder, environment: ["TERM": "dumb"], terminal: terminal)
        #expect(run.error.hasPrefix("Downloading 3 files\r\n"))
        #expect(!run.error.contains("\u{1B}"))
    }

    @Test func `puts failures above the bar`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.serve("/a", .text("a"))
        let terminal = try PseudoTerminal(columns: 100)
        let run = try await NetqueueRun.run(
            [server.url("/a").absoluteString, server.url("/missing").absoluteString], in: folder, terminal: terminal)
        #expect(run.exitCode == 1)
        var screen = VirtualTerminal(columns: 100)
        screen.feed(run.error)
        #expect(screen.lines.first == "x missing: 404 Not Found")
        #expect(screen.lines.dropFirst() == ["1/2 files, 1 failed, 1 B", ""])
    }

    @Test func `gives it back when it is stopped, and takes it again`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        server.serve("/a", ScriptedResponse.text("a").gated(by: gate))
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await NetqueueRun.run(
            // Another attempt, if the test gets its turn to open the gate only after a minute.
            ["--no-sizing", "--retries", "9", server.url("/a").absoluteString], in: folder, terminal: terminal
        ) { process in
            _ = await server.wait { $0.requests == 1 }
            kill(process, SIGTSTP)
            var status: Int32 = 0
            waitpid(process, &status, WUNTRACED)
            kill(process, SIGCONT)
            gate.open()
        }
        #expect(run.exitCode == 0)
        // It is shown once more, before the first frame.
        #expect(
            run.error.components(separatedBy: "\u{1B}[?25l").count + 1
                == run.error.components(separatedBy: "\u{1B}[?25h").count)
        #expect(run.error.hasSuffix("\u{1B}[?25h"))
    }
}
