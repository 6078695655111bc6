import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct StopAfterTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        // Never silent, and never complete.
        rig.server.serve(
            "/slow",
            ScriptedResponse.generated(size: 1_000_000_000).acceptingRanges(etag: "\"1\"").paced(bytesPerSecond: 200))
        for name in ["a", "next"] { rig.server.serve("/\(name)", .text(name)) }
    }

    @Test func `After the time, a running transfer stays as a part, and --failed has it and the rest`() async throws {
        let run = try await rig.run(
            "--no-sizing", "-j1", "--stop-after=2s", "--timeout=1", "--failed=again", "/slow", "/next")
        #expect(run.exitCode == 75 && run.output.hasPrefix("Stopped: 0 of 2 files"), "\(run.output)")
        #expect(run.output.contains("Kept 1 partial download"))
        #expect(try rig.folder.read("again") == "\(rig.url("/slow"))\n\(rig.url("/next"))\n")
        #expect(rig.folder.contents.contains("slow.nqk.part"))
        #expect(rig.server.requestCount("/next") == 0)
        // The next run has the rest.
        let second = try await rig.run(
            "-q", "--no-sizing", "-j1", "--lifo", "--stop-after=2s", "--timeout=1", "-i", "again")
        #expect(second.exitCode == 75)
        #expect(try rig.folder.read("next") == "next")
        #expect(rig.server.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
    }

    @Test func `A failure, and a wrong line, have the exit code 1`() async throws {
        let options = ["-q", "--no-sizing", "-j1", "--retries=0", "--stop-after=2s", "--timeout=1"]
        #expect(try await rig.run(options + [rig.url("/none"), rig.url("/slow")]).exitCode == 1)
        let run = try await rig.run(options + ["-i", "-", "--overwrite"], input: "nonsense\n\(rig.url("/slow"))\n")
        #expect(run.exitCode == 1)
    }

    @Test func `A run that ends before the time is a success`() async throws {
        #expect(try await rig.run("--stop-after=2h", "/a").exitCode == 0)
    }

    @Test(arguments: [["--retries=9", "/later"], ["--rate=1/h", "/a", "/next"]])
    func `Waits end at the time`(arguments: [String]) async throws {
        rig.server.serve("/later", .status(503, headers: ["Retry-After": "290"]))
        let arguments = arguments.map { $0.hasPrefix("/") ? rig.url($0) : $0 }
        let run = try await rig.run(["--json", "--no-sizing", "--stop-after=1s", "--timeout=900"] + arguments)
        #expect(run.exitCode == 75, "\(run.output)")
        #expect(!run.output.contains(#""event":"fail""#) && run.output.contains(#""event":"cancel""#))
    }

    @Test func `The end of standard input is not waited for, and its lines are in --failed`() async throws {
        let pipe = Pipe()
        let run = try await rig.run(
            "-q", "--no-sizing", "--stop-after=2s", "--timeout=1", "-j1", "--failed=again", "-i", "-", inputPipe: pipe
        ) { _ in
            let lines = "\(rig.url("/slow"))\n\(rig.url("/next"))\tstage=1\n"
            try? pipe.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
        }
        try pipe.fileHandleForWriting.close()
        #expect(run.exitCode == 75)
        #expect(try rig.folder.read("again") == "\(rig.url("/slow"))\n\(rig.url("/next"))\tstage=1\n")
    }

    @Test func `An upload stops, too`() async throws {
        rig.server.serve("/in/one", ScriptedResponse.status(201).gated(by: Gate()))
        for name in ["one", "two"] { try rig.folder.write(name, to: name) }
        let run = try await rig.run(
            ["upload", "-j1", "--stop-after=1s", "--timeout=2", "--failed=again", "one", "two", rig.url("/in/")])
        #expect(run.exitCode == 75 && run.output.hasPrefix("Stopped: 0 of 2 files"), "\(run.output)\(run.error)")
        #expect(try rig.folder.read("again") == "one\tout=one\ntwo\tout=two\n")
        #expect(rig.server.requestCount("/in/two") == 0)
    }

    @Test(
        arguments: [
            (["--stop-after", "0", "http://h/"], "--stop-after must be a time such as 90s, 30m or 2h; got “0”"),
            (["--stop-after", "soon", "http://h/"], "got “soon”"), (["--stop-after", "-1h", "http://h/"], "got “-1h”"),
            (["--stop-after", "2w", "http://h/"], "got “2w”"), (["--stop-after", "nan", "http://h/"], "got “nan”"),
            (["--stop-after", "400d", "http://h/"], "got “400d”"), (["--stop-after=", "http://h/"], "got “”"),
            (["--stop-after=1h", "-n", "http://h/"], "cannot be combined"),
            (["--stop-after=1h", "--verify", "http://h/"], "cannot be combined"),
            (["sizes", "--stop-after=1h", "http://h/"], "not an option"),
        ] as [([String], String)])
    func `A time that is none is refused`(arguments: [String], text: String) {
        let error = #expect(throws: UsageError.self) { try Invocation(arguments: arguments) }
        #expect(error?.code == .usage && error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            ("90", 90), ("90s", 90), ("30m", 1800), ("2h", 7200), ("1.5h", 5400), ("7d", 604_800), ("0.5", 0.5),
        ])
    func `A time is a number with a unit, or of seconds`(text: String, seconds: Double) {
        #expect(OptionValue.time(text) == .seconds(seconds))
    }
}
