import Dashboard
import Foundation
import TestSupport
import Testing

struct DemoCommandTests {
    @Test(arguments: [(25, "25 files, "), (1, "1 file, ")])
    func `The demo downloads, verifies every file and cleans up, in plain lines without a terminal`(
        count: Int, start: String
    ) async throws {
        let rig = try NetqueueRig()
        let run = try await rig.run(
            ["demo", "--files=\(count)", "--seconds=0"], environment: ["TMPDIR": rig.folder.path])
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix(start) && run.output.hasSuffix(", every file verified\n"))
        #expect(run.error.hasPrefix("Downloading \(start.dropLast(2))\n"))
        #expect(run.error.contains("\(count)/\(start)"))
        #expect((run.output + run.error).allSatisfy { $0.isASCII && !["\u{1B}", "\r", "\r\n"].contains($0) })
        #expect(try rig.folder.files() == [])
    }

    @Test func `The option --progress=always draws a bar without a terminal, and restores the cursor`() async throws {
        let rig = try NetqueueRig()
        let run = try await rig.run(
            ["demo", "--files", "5", "--seconds", "0.3", "--progress", "always"],
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

    @Test(arguments: [["-q"], ["--progress", "never"]])
    func `The options -q and --progress=never show no progress`(arguments: [String]) async throws {
        let rig = try NetqueueRig()
        let run = try await rig.run(["demo", "--files", "5", "--seconds", "0"] + arguments)
        #expect(run.exitCode == 0)
        #expect(run.error.isEmpty)
        #expect(run.output.isEmpty == (arguments == ["-q"]))
    }
}
