import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite("A terminal that changes its size", .timeLimit(.minutes(10)))
struct ResizeTests {
    @Test(arguments: [(120, 40), (81, 20), (121, 30), (100, 33)])
    func `has one frame on it and nothing else`(widths: (wide: Int, narrow: Int)) async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        let urls = (1...3).map { server.url("/file-\($0)").absoluteString }
        for number in 1...3 {
            server.serve("/file-\(number)", ScriptedResponse.generated(size: 5000).gated(by: gate, at: .afterHead))
        }
        let terminal = try PseudoTerminal(columns: widths.wide)
        let run = try await NetqueueRun.run(
            ["--retries", "9"] + urls, in: folder, environment: ["CLICOLOR_FORCE": "1"], terminal: terminal
        ) { process in
            await terminal.wait(for: "file-3")
            for (index, columns) in [widths.narrow, widths.wide, widths.narrow, widths.wide].enumerated() {
                kill(process, SIGSTOP)
                var status: Int32 = 0
                waitpid(process, &status, WUNTRACED)
                let frames = terminal.frameCount
                try? await terminal.resize(columns: columns)
                kill(process, SIGCONT)
                kill(process, SIGWINCH)
                await terminal.wait(forFrames: frames + 1)
                let lines = terminal.screen.lines.filter { !$0.isEmpty }
                #expect(lines.count == 4, "\(index): \(lines)")
                #expect(lines.allSatisfy { $0.count < columns })
            }
            gate.open()
        }
        #expect(run.exitCode == 0)
        #expect(terminal.screen.lines.count == 2)
        #expect(terminal.screen.lines.last == "")
    }
}
