import Dashboard
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct TerminalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [20, 40, 80, 120])
    func `Frames fit the terminal, and a full bar stays at the end`(columns: Int) async throws {
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

    @Test func `A dumb terminal gets plain lines`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await NetqueueRun.run(
            ["demo", "--files", "3", "--seconds", "0"], in: folder, environment: ["TERM": "dumb"], terminal: terminal)
        #expect(run.error.hasPrefix("Downloading 3 files\r\n"))
        #expect(!run.error.contains("\u{1B}"))
    }

    @Test func `Failures stand above the last line`() async throws {
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

    @Test func `A run that is stopped gives the terminal back, and takes it again`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        server.serve("/a", ScriptedResponse.text("a").gated(by: gate))
        let terminal = try PseudoTerminal(columns: 80)
        let run = try await NetqueueRun.run(
            // The test may get its turn to open the gate only after a minute.
            ["--no-sizing", "--timeout", "900", server.url("/a").absoluteString], in: folder, terminal: terminal
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

    @Test func `A frame counts down to a retry, and counts how long a server is silent`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        server.serve("/later", ScriptedResponse.status(503, headers: ["Retry-After": "30"]).gated(by: gate))
        server.serve("/never", ScriptedResponse.generated(size: 1000).stalling(after: 10))
        let terminal = try PseudoTerminal(columns: 100)
        let urls = ["/later", "/never"].map { server.url($0).absoluteString }
        var shown = ""
        let arguments = ["--no-sizing", "--retries", "9", "--timeout", "900"] + urls
        let run = try await NetqueueRun.run(arguments, in: folder, terminal: terminal) { process in
            // The other one would wait as well, were the server to ask before it has begun.
            _ = await server.wait { $0.requests == 2 }
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

    @Test func `A retry waits as long as another response of its host asked for`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let (gate, second) = (Gate(), Gate())
        server.serve("/later", ScriptedResponse.status(503, headers: ["Retry-After": "3000"]).gated(by: gate))
        server.serve("/fails", ScriptedResponse.status(502).gated(by: second))
        let terminal = try PseudoTerminal(columns: 100)
        let urls = ["/later", "/fails"].map { server.url($0).absoluteString }
        let arguments = ["--no-sizing", "--retries=9", "--retry-delay=0.1", "--timeout=900"] + urls
        var shown = ""
        let run = try await NetqueueRun.run(arguments, in: folder, terminal: terminal) { process in
            // It would not begin before the other's wait is over.
            _ = await server.wait { $0.requests == 2 }
            gate.open()
            await terminal.wait(for: "asks to wait ")
            second.open()
            shown = await terminal.wait { $0.contains("502 Bad Gateway; retrying in ") }
            kill(process, SIGINT)
        }
        #expect(run.exitCode == 130)
        // The server's own wait is cut to five minutes.
        #expect(shown.contains(/502 Bad Gateway; retrying in [1-5] min/))
        #expect(shown.contains(/127\.0\.0\.1 asks to wait (50|49|48|47) min [0-9]+ s; retrying in [1-5] min/))
    }

    @Test func `The key q ends a run in order, and the last line says so`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.serve("/a", ScriptedResponse.generated(size: 1_000_000).stalling(after: 1000))
        let terminal = try PseudoTerminal(columns: 120)
        let run = try await NetqueueRun.run(
            ["--no-sizing", "--timeout", "900", server.url("/a").absoluteString], in: folder, terminal: terminal,
            shell: "exec \"$@\" <&2"
        ) { _ in
            await terminal.wait(for: "q quits")
            #expect(!terminal.hasEcho)
            terminal.type("q")
        }
        #expect(run.exitCode == 130 && run.output.hasPrefix("Cancelled: 0 of 1 file, "))
        #expect(terminal.hasEcho && terminal.screen.isCursorVisible)
        #expect(terminal.screen.lines == [""])
    }

    @Test func `The key p pauses a run, and r lets it go on`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        server.serve(
            "/a",
            ScriptedResponse.generated(size: 1_000_000).acceptingRanges(etag: "\"1\"")
                .gated(by: gate, at: .afterBody(500_000)))
        let terminal = try PseudoTerminal(columns: 120)
        let run = try await NetqueueRun.run(
            ["--no-sizing", "--timeout", "900", server.url("/a").absoluteString], in: folder, terminal: terminal,
            shell: "exec \"$@\" <&2"
        ) { _ in
            await gate.waitForArrival()
            await terminal.wait(for: "q quits")
            terminal.type("p")
            await terminal.wait(for: "paused; r resumes")
            _ = await server.wait { $0.concurrentRequests == 0 }
            gate.open()
            #expect(server.counters.requests == 1)
            terminal.type("r")
        }
        #expect(run.exitCode == 0 && run.output.hasPrefix("1 file, 977 KiB in "), "\(run.output)")
        #expect(server.requests.count == 2 && server.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
    }

    @Test(arguments: [("q", "q"), ("Q", "q"), ("p", "p"), ("xq", nil), ("qx", nil), ("ls; q\n", nil)])
    func `A key counts alone, and not as a letter of what is typed ahead`(keys: String, key: Character?) {
        #expect(TerminalKeys.key(Array(keys.utf8)) == key)
    }

    @Test func `A job in the background draws nothing`() async throws {
        let setsid = "/usr/bin/setsid"
        try #require(FileManager.default.isExecutableFile(atPath: setsid))
        let server = try LoopbackServer()
        defer { server.stop() }
        server.serve("/a", ScriptedResponse.text("a").delayed(head: .milliseconds(500)))
        let terminal = try PseudoTerminal(columns: 100)
        let urls = ["/a", "/missing"].map { server.url($0).absoluteString }
        let run = try await NetqueueRun.run(
            ["--no-sizing"] + urls, in: folder, terminal: terminal,
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
            let server = try LoopbackServer()
            defer { server.stop() }
            let login = "Basic " + Data("me:secret".utf8).base64EncodedString()
            server.serve("/a") { request in
                request.headers["Authorization"] == login
                    ? .text("a") : .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
            }
            let terminal = try PseudoTerminal(columns: 100)
            let run = try await NetqueueRun.run(
                ["-u", "me", "-o", "a-\(code)", server.url("/a").absoluteString], in: folder, terminal: terminal,
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
