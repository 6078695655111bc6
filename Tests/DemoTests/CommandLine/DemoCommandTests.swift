import Dashboard
import Foundation
import TestSupport
import Testing

struct DemoCommandTests {
    @Test(arguments: [
        (["--files", "25", "--seconds", "0"], "25 files, "),
        (["--files=3", "--seconds=0.2", "-j2", "--no-sizing"], "3 files, "),
        (["--files=1", "--seconds=0"], "1 file, "),
    ])
    func `The demo downloads, verifies every file and cleans up`(arguments: [String], start: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(["demo"] + arguments, in: folder, environment: ["TMPDIR": folder.path])
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix(start))
        #expect(run.output.hasSuffix(", every file verified\n"))
        #expect(try folder.files() == [])
    }

    @Test func `The demo writes plain lines without a terminal`() async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(["demo", "--files", "5", "--seconds", "0"], in: folder)
        #expect(run.error.hasPrefix("Downloading 5 files\n"))
        #expect(run.error.contains("5/5 files, "))
        #expect(!(run.output + run.error).contains { $0 == "\u{1B}" || $0 == "\r" || $0 == "\r\n" })
        #expect((run.output + run.error).allSatisfy { $0.isASCII })
    }

    @Test func `The option --progress=always draws a bar without a terminal, and restores the cursor`() async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(
            ["demo", "--files", "5", "--seconds", "0.3", "--progress", "always"], in: folder,
            environment: ["COLUMNS": "60", "LC_ALL": "C.UTF-8", "CLICOLOR_FORCE": "1"])
        #expect(run.exitCode == 0)
        #expect(run.error.hasPrefix(FramePainter.reset + "\u{1B}[?25l"))
        #expect(run.error.hasSuffix("\u{1B}[?25h"))
        #expect(run.error.contains("\u{1B}[36m"))
        var terminal = VirtualTerminal(columns: 60)
        terminal.feed(run.error)
        #expect(terminal.lines.first?.hasPrefix("100% ━━━") == true)
        #expect(terminal.lines.dropFirst() == [""])
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test(arguments: [["TERM": "dumb"], ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"]])
    func `A dumb terminal or NO_COLOR turns colors off`(environment: [String: String]) async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(
            ["demo", "--files", "5", "--seconds", "0", "--progress=always"], in: folder, environment: environment)
        #expect(run.exitCode == 0)
        #expect(!run.error.contains("\u{1B}[36m"))
        #expect(run.error.contains("\u{1B}") == (environment["TERM"] == nil))
    }

    @Test(arguments: [["-q"], ["--progress", "never"]])
    func `The options -q and --progress=never show no progress`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(["demo", "--files", "5", "--seconds", "0"] + arguments, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.error.isEmpty)
        #expect(run.output.isEmpty == (arguments == ["-q"]))
    }
}
