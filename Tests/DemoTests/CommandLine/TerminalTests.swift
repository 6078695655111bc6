import Dashboard
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct TerminalTests {
    private let rig: NetqueueRig
    private let gate = Gate()

    init() throws { rig = try NetqueueRig() }

    @Test(arguments: [20, 120])
    func `Frames fit the terminal, and a full bar stays at the end`(columns: Int) async throws {
        let terminal = try PseudoTerminal(columns: columns)
        let run = try await rig.run(
            "demo", "--files=30", "--seconds=0.5", environment: ["LC_ALL": "C.UTF-8"], terminal: terminal)
        #expect(run.exitCode == 0)
        #expect(run.error.hasPrefix(FramePainter.reset + "\u{1B}[?25l"))
        #expect(run.error.components(separatedBy: "100%").count == 2)
        let screen = terminal.screen
        #expect(screen.lines.count == 2)
        #expect(screen.lines.first?.hasPrefix("100% ━━━━━━━━") == true)
        #expect(screen.lines.allSatisfy { $0.count < columns })
        #expect(screen.isCursorVisible)
    }

    @Test func `A run that is stopped gives the terminal back, and takes it again`() async throws {
        rig.server.serve("/a", ScriptedResponse.text("a").gated(by: gate))
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await rig.run("--no-sizing", "--timeout=900", "/a", terminal: terminal) { process in
            _ = await rig.server.wait { $0.requests == 1 }
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

    @Test func `A frame counts down to a retry, and counts how long a server is silent`() async throws {
        rig.server.serve("/later", ScriptedResponse.status(503, headers: ["Retry-After": "30"]).gated(by: gate))
        rig.server.serve("/never", ScriptedResponse.generated(size: 1000).stalling(after: 10))
        let terminal = try PseudoTerminal(columns: 100)
        var shown = ""
        let run = try await rig.run(
            "--no-sizing", "--retries=9", "--timeout=900", "/later", "/never", terminal: terminal
        ) { process in
            // The other one would wait as well, were the server to ask before it has begun.
            _ = await rig.server.wait { $0.requests == 2 }
            gate.open()
            // Any two different numbers: a frame is drawn when the program gets its turn, which may be seconds late.
            shown = await terminal.wait { text in
                let counted = ["asks to wait ", "retrying in "].map { Self.seconds(after: $0, in: text) }
                return (counted + [Self.silence(in: text)]).allSatisfy { Set($0).count > 1 }
            }
            kill(process, SIGINT)
        }
        #expect(run.exitCode == 130)
        #expect(shown.contains("503 Service Unavailable; retrying in "))
        for words in ["127.0.0.1 asks to wait ", "retrying in "] {
            let first = Self.untilRise(Self.seconds(after: words, in: shown))
            #expect(Set(first).count > 1 && first.allSatisfy { $0 <= 30 }, "\(words)\(first)")
        }
        let silence = Self.silence(in: shown)
        #expect(silence.count > 1 && silence == silence.sorted() && silence.allSatisfy { $0 >= 3 }, "\(silence)")
    }

    @Test func `The key p pauses a run, and r lets it go on`() async throws {
        rig.server.serve(
            "/a",
            ScriptedResponse.generated(size: 1_000_000).acceptingRanges(etag: "\"1\"")
                .gated(by: gate, at: .afterBody(500_000)))
        let terminal = try PseudoTerminal(columns: 120)
        let run = try await rig.run(
            "--no-sizing", "--timeout=900", "/a", terminal: terminal, shell: "exec \"$@\" <&2"
        ) { _ in
            await gate.waitForArrival()
            await terminal.wait(for: "q quits")
            await terminal.wait(for: "488/977 KiB")
            terminal.type("p")
            await terminal.wait(for: "paused; r resumes")
            _ = await rig.server.wait { $0.concurrentRequests == 0 }
            gate.open()
            #expect(rig.server.counters.requests == 1)
            terminal.type("r")
        }
        #expect(run.exitCode == 0 && run.output.hasPrefix("1 file, 977 KiB in "), "\(run.output)")
        #expect(rig.server.requests.count == 2)
        #expect(rig.server.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
    }

    @Test func `The keys + and - change the speed limit by a quarter`() async throws {
        rig.server.serve("/a", ScriptedResponse.generated(size: 1_000_000_000).paced(bytesPerSecond: 2000))
        let terminal = try PseudoTerminal(columns: 120)
        let run = try await rig.run(
            "--no-sizing", "--timeout=900", "--limit-rate=100K", "/a", terminal: terminal, shell: "exec \"$@\" <&2"
        ) { process in
            await terminal.wait(for: "+/- speed")
            terminal.type("+")
            await terminal.wait(for: "speed limited to 125 KiB/s")
            terminal.type("-")
            await terminal.wait(for: "speed limited to 93.8 KiB/s")
            kill(process, SIGINT)
        }
        #expect(run.exitCode == 130)
    }

    @Test(arguments: [
        ("q", "q"), ("Q", "q"), ("p", "p"), ("+", "+"), ("-", "-"), ("\u{B}", "\u{B}"), ("\r", "\r"),
        ("++", nil), ("xq", nil), ("qx", nil), ("ls; q\n", nil),
    ])
    func `A key counts alone, and not as a letter of what is typed ahead`(keys: String, key: Character?) {
        #expect(TerminalKeys.key(Array(keys.utf8)) == key)
    }

    @Test func `A job in the background draws nothing`() async throws {
        let setsid = "/usr/bin/setsid"
        try #require(FileManager.default.isExecutableFile(atPath: setsid))
        rig.server.serve("/a", ScriptedResponse.text("a").delayed(head: .milliseconds(500)))
        let terminal = try PseudoTerminal(columns: 100)
        let run = try await rig.run(
            "--no-sizing", "/a", "/missing", terminal: terminal,
            // A shell that has the terminal, and starts the program as a job in the background.
            shell: "exec \(setsid) -c -w /bin/sh -c 'set -m; \"$@\" & wait $!' sh \"$@\" <&2")
        #expect(run.exitCode == 1)
        #expect(run.error == "x missing: 404 Not Found\r\n")
        #expect(run.output.hasPrefix("1 of 2 files, "))
    }

    /// How long the one is silent that never ends. So is the other for a while, where the server's answer to it takes
    /// its time.
    private static func silence(in text: String) -> [Int] {
        text.split(whereSeparator: \.isNewline).filter { $0.contains("never") }.flatMap {
            seconds(after: "stalled for ", in: String($0))
        }
    }

    /// The numbers before the first that is greater than its predecessor: there the next attempt has begun to wait. The
    /// test may get its turn only then.
    private static func untilRise(_ numbers: [Int]) -> [Int] {
        let rise = zip(numbers, numbers.dropFirst()).enumerated().first { $0.element.0 < $0.element.1 }?.offset
        return rise.map { Array(numbers[...$0]) } ?? numbers
    }

    /// The numbers of seconds that follow `words`, in order, of times below a minute.
    private static func seconds(after words: String, in text: String) -> [Int] {
        text.components(separatedBy: words).dropFirst().compactMap { rest in
            let digits = rest.prefix { $0.isNumber }
            return rest.dropFirst(digits.count).hasPrefix(" s") ? Int(digits) : nil
        }
    }

    @Test func `A password prompt reads without echo, and Ctrl-C restores it`() async throws {
        let setsid = "/usr/bin/setsid"
        try #require(FileManager.default.isExecutableFile(atPath: setsid))
        for (typed, code) in [("secret\n", Int32(0)), ("sec\u{3}", 130)] {
            rig.server.serve("/a", forLogin: "me:secret")
            let terminal = try PseudoTerminal(columns: 100)
            let run = try await rig.run(
                "-u", "me", "-o", "a-\(code)", "/a", terminal: terminal,
                // A shell that tells of the signal, within a session whose terminal this is.
                shell: "exec \(setsid) -c -w /bin/sh -c 'trap : INT; \"$@\"; exit $?' sh \"$@\" <&2"
            ) { _ in
                await terminal.wait(for: "Password for me: ")
                terminal.type(typed)
            }
            #expect(run.exitCode == code)
            #expect(!run.error.contains("sec"))
            #expect(terminal.hasEcho)
        }
    }
}
