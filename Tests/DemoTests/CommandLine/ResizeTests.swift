import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResizeTests {
    @Test(arguments: [(120, 40), (100, 33)])
    func `A resized terminal shows one frame below the text that was there before`(widths: (wide: Int, narrow: Int))
        async throws
    {
        let rig = try NetqueueRig()
        let gate = Gate()
        rig.server.serve("/*", ScriptedResponse.generated(size: 5000).gated(by: gate, at: .afterHead))
        let terminal = try PseudoTerminal(columns: widths.wide)
        let above = (1...8).map { "line \($0)" }
        try terminal.device.write(contentsOf: Data(above.map { $0 + "\n" }.joined().utf8))
        await terminal.wait(for: "line 8")
        let urls = (1...3).map { rig.url("/a-file-whose-name-is-long-enough-to-be-broken-\($0)") }
        let run = try await rig.run(
            ["--timeout", "900"] + urls, environment: ["CLICOLOR_FORCE": "1"], terminal: terminal
        ) { process in
            await terminal.wait(for: "stalled for ", count: 3)
            for (index, columns) in [widths.narrow, widths.wide, widths.narrow, widths.wide].enumerated() {
                // The same frame has been standing for longer than the painter is in doubt: no "9 s" has become a "10
                // s".
                guard let frames = try? await terminal.stop(process, whereEqualFrames: 4) else { break }
                try? await terminal.resize(columns: columns)
                kill(process, SIGCONT)
                kill(process, SIGWINCH)
                await terminal.wait(forFrames: frames + 1)
                let lines = terminal.screen.lines.filter { !$0.isEmpty }
                #expect(Array(lines.prefix(8)) == above, "\(index): \(lines)")
                #expect(lines.count == 12, "\(index): \(lines)")
                #expect(lines.allSatisfy { $0.count < columns })
            }
            kill(process, SIGCONT)
            gate.open()
        }
        #expect(run.exitCode == 0)
        #expect(terminal.screen.lines.count == 10)
        #expect(terminal.screen.lines.last == "")
    }
}
