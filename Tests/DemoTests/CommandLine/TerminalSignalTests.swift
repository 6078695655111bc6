import Foundation
import LoopbackHTTP
import Testing

// One after the other: what a process ignores, those ignore that it starts.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TerminalSignalTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        // Never silent: the test may get its turn to send the signal only after a minute.
        let large = ScriptedResponse.generated(size: 1_000_000_000).paced(bytesPerSecond: 200)
        rig.server.serve("/large-one", large)
        rig.server.serve("/large-two", large)
    }

    /// Sends a signal while a frame of several lines stands on a terminal.
    private func run(_ signal: Int32, on terminal: PseudoTerminal) async throws -> NetqueueRun {
        try await rig.run(
            ["--no-sizing", rig.url("/large-one"), rig.url("/large-two")],
            // The runtime's own report of a crash takes long, and is not what this is about.
            environment: ["SWIFT_BACKTRACE": "enable=no", "CLICOLOR_FORCE": "1"], terminal: terminal
        ) { process in
            await terminal.wait(for: "large-two")
            kill(process, signal)
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
    func `A signal leaves a clean terminal, and its number in the exit code`(signal: (number: Int32, code: Int32))
        async throws
    {
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await run(signal.number, on: terminal)
        #expect(!run.wasKilled)
        #expect(run.exitCode == signal.code)
        #expect(terminal.screen.lines == [""])
        expectOrder(terminal.screen)
        #expect(run.output.hasPrefix("Cancelled: ") == (signal.number != SIGQUIT))
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE])
    func `A crash shows the cursor again, on a line of its own`(signal: Int32) async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await run(signal, on: terminal)
        #expect(run.wasKilled)
        #expect(run.exitCode == signal)
        #expect(terminal.screen.lines.last == "")
        expectOrder(terminal.screen)
    }

    @Test(arguments: [SIGQUIT, SIGABRT])
    func `A signal sends nothing to a terminal that was not changed`(signal: Int32) async throws {
        let run = try await rig.run(
            ["--no-sizing", rig.url("/large-one")],
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        ) { process in
            _ = await rig.server.wait { $0.requests == 1 }
            kill(process, signal)
        }
        #expect(run.error == "Downloading 1 file\n")
    }

    @Test func `A run that ignores SIGHUP survives it`() async throws {
        rig.server.serve("/gated", sequence: [.text("a")])
        let terminal = try PseudoTerminal(columns: 80)
        let gate = Gate()
        rig.server.serve("/gated", ScriptedResponse.text("a").gated(by: gate))
        let before = signal(SIGHUP, SIG_IGN)
        defer { signal(SIGHUP, before) }
        let run = try await rig.run(
            ["--no-sizing", "--timeout", "900", rig.url("/gated")], terminal: terminal
        ) { process in
            _ = await rig.server.wait { $0.requests == 1 }
            kill(process, SIGHUP)
            gate.open()
        }
        #expect(run.exitCode == 0)
    }

    @Test func `The next run repairs a terminal that SIGKILL has left`() async throws {
        let killed = try PseudoTerminal(columns: 80)
        let run = try await run(SIGKILL, on: killed)
        #expect(run.wasKilled)
        #expect(!killed.screen.isCursorVisible)
        let terminal = try PseudoTerminal(columns: 80)
        let second = try await rig.run(["demo", "--files=1", "--seconds=0"], terminal: terminal)
        // As a run leaves it that has been killed in the middle of a frame.
        var screen = VirtualTerminal(columns: 80)
        screen.feed("\u{1B}[?25l\u{1B}[31m\u{1B}[?7l")
        screen.feed(second.error)
        expectOrder(screen)
    }

    private func expectOrder(_ screen: VirtualTerminal) {
        #expect(screen.isCursorVisible)
        #expect(screen.wraps)
        #expect(!screen.hasInk)
    }
}
