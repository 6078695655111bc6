import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// A script that is the command of `--exec`, and gets the path of the file as its argument.
@Suite(.timeLimit(.minutes(10)))
struct ExecOptionTests {
    private let rig: NetqueueRig
    private let gate = Gate()

    init() throws {
        rig = try NetqueueRig()
        for name in ["a", "b"] {
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            rig.server.serve("/\(name)", ScriptedResponse.text(name).acceptingRanges(lastModified: date))
        }
    }

    /// Runs netqueue with a script. An argument that begins with a slash is a path of the server.
    private func run(
        _ script: String, _ arguments: String..., whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        try rig.folder.write(script + "\n", to: "script")
        return try await rig.run(
            ["--exec", "sh ./script {}"] + arguments.map { $0.hasPrefix("/") ? rig.url($0) : $0 },
            environment: ["NETQUEUE_KEPT": "from outside"], whileRunning: whileRunning)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: rig.folder.file(name).path(percentEncoded: false))
    }

    private func lines(_ name: String) throws -> [String] {
        try rig.folder.read(name).split(separator: "\n").map(String.init).sorted()
    }

    @Test func `The command runs for each complete file, and what it writes goes to standard error`() async throws {
        let script = """
            echo "$* $NETQUEUE_FILE $NETQUEUE_URL ${NETQUEUE_KEPT-new} $(cat "$1")" >>log
            echo out; printf '\\033[31merr\\n' >&2
            """
        let url = rig.url("/a")
        let run = try await run(script, "-q", url.replacing("http://", with: "http://me:secret@"))
        #expect(run.exitCode == 0 && run.output.isEmpty)
        let path = rig.folder.url.resolvingSymlinksInPath().path(percentEncoded: false) + "/a"
        #expect(try lines("log") == ["\(path) \(path) \(url) new a"])
        #expect(run.error.hasPrefix("out\n") && run.error.contains("err\n") && !run.error.contains("\u{1B}"))
    }

    @Test(arguments: [["--fsync=end"], ["--no-sizing"], ["--keep"]])
    func `The command runs for files that are kept, too`(options: [String]) async throws {
        #expect(try await rig.run("-q", "/a", "/b").exitCode == 0)
        rig.server.forgetRequests()
        let run = try await run("echo \"$NETQUEUE_KEPT ${1##*/}\" >>log", options[0], "/a", "/b")
        #expect(run.exitCode == 0 && run.output.contains("2 already there"), "\(run.error)")
        #expect(try lines("log") == ["1 a", "1 b"])
        #expect(options != ["--keep"] || rig.server.requests.isEmpty)
    }

    @Test func `If the command fails, the file stays and has failed`() async throws {
        let script = "case $1 in */b) echo the table is locked; exit 3; esac"
        let run = try await run(script, "--failed=again", "/a", "/b")
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x b: the command of --exec ended with status 3: the table is locked\n"))
        #expect(run.output.hasPrefix("1 of 2 files"))
        #expect(run.output.contains("1 failed: 1 x the command of --exec ended with status 3\n"))
        #expect(try rig.folder.read("again") == rig.url("/b") + "\n" && rig.folder.read("b") == "b")
        #expect(rig.server.requests.count { $0.method == "GET" } == 2)
    }

    @Test func `A file of a higher stage waits for the command, and fails with it`() async throws {
        try rig.folder.write("\(rig.url("/b"))\tstage=1\n\(rig.url("/a"))\n", to: "list")
        let lines = try await run("exit 1", "--json", "-i", "list").jsonLines
        let failures = lines.filter { $0.event == "fail" }
        #expect(failures.map(\.name) == ["a", "b"] && failures.map(\.error) == ["exec", "stage"])
        #expect(exists("a") && !exists("b"))
    }

    @Test func `At most -j commands run at a time`() async throws {
        rig.server.serve("/*", .text("x"))
        let script = """
            mkdir one 2>/dev/null && mine=one || { mkdir two 2>/dev/null && mine=two; } || exit 1
            while [ ! -e go ]; do sleep 0.01; done
            rmdir $mine
            """
        let run = try await run(script, "-j2", "/0", "/1", "/2", "/3", "/4") { _ in
            #expect(await eventually { exists("one") && exists("two") })
            try? rig.folder.write("", to: "go")
        }
        #expect(run.exitCode == 0, "\(run.error)")
    }

    @Test func `The first Ctrl-C waits for a command that runs, and no other starts`() async throws {
        rig.server.serve("/b", ScriptedResponse.text("b").gated(by: gate))
        let script = "echo ${1##*/} >>log; while [ ! -e go ]; do sleep 0.01; done; : >ended"
        let run = try await run(script, "--json", "-j1", "--no-sizing", "/a", "/b") { process in
            #expect(await eventually { exists("log") })
            kill(process, SIGINT)
            try? rig.folder.write("", to: "go")
        }
        gate.open()
        #expect(run.exitCode == 130 && exists("ended"))
        #expect(try lines("log") == ["a"])
        let ends = try run.jsonLines.filter { ["finish", "cancel", "fail"].contains($0.event) }
        #expect(Set(ends.map { "\($0.event) \($0.name ?? "")" }) == ["finish a", "cancel b"])
    }

    @Test func `The second Ctrl-C has the command end, by force if it must`() async throws {
        // It is the command that interrupts netqueue, again and again: signals within 200 ms count as one, and a test
        // may have to wait for its turn longer than for the command.
        let script = "trap : TERM; echo $$ >process; while :; do kill -INT $PPID; sleep 0.05; done"
        let run = try await run(script, "/a")
        #expect(run.exitCode == 130)
        let process = try #require(try pid_t(rig.folder.read("process").dropLast()))
        let isOver = await eventually { hasEnded(process) }
        #expect(isOver)
        if !isOver { kill(process, SIGKILL) }
    }

    @Test func `A hostile file name is one argument, which no shell reads`() async throws {
        try rig.folder.write("\(rig.url("/a"))\tout=-f $(: >owned) ';: >owned;' `: >owned` {}\n", to: "list")
        let run = try await run("[ $# = 1 ] && cat \"$1\" && case $1 in /*) ;; *) exit 1; esac", "-q", "-i", "list")
        #expect(run.exitCode == 0 && run.error == "a\n", "\(run.error)")
        #expect(!exists("owned"))
    }

    @Test func `A program that does not exist is refused before anything starts`() async throws {
        let run = try await rig.run("--exec", "./none {}", "/a")
        #expect(run.exitCode == 64 && run.error.contains("--exec: \"./none\" is not a program"))
        #expect(rig.server.requests.isEmpty)
    }
}
