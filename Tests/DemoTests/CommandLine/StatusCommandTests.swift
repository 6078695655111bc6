import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct StatusCommandTests {
    private let rig: NetqueueRig
    private let gate = Gate()

    init() throws {
        rig = try NetqueueRig()
        try FileManager.default.createDirectory(at: rig.folder.file("state"), withIntermediateDirectories: true)
    }

    private func status(_ number: Int) -> JobStatus? {
        guard let content = try? Data(contentsOf: rig.folder.file("state/\(number)-of-4.netqueue.json")) else {
            return nil
        }
        return try? JobStatus.decode(content)
    }

    private func shard(_ number: Int, whileRunning: (Int32) async -> Void = { _ in }) async throws -> NetqueueRun {
        try await rig.run(
            [
                "-q", "-i", "list", "-d", "out", "--no-sizing", "--timeout=900", "--shard=\(number)/4",
                "--status=state/",
            ],
            whileRunning: whileRunning)
    }

    @Test func `One bar covers four machines, of which one is killed and started again`() async throws {
        for number in 0..<40 {
            rig.server.serve("/n\(number)", ScriptedResponse.generated(size: 1000).gated(by: gate, at: .afterHead))
        }
        try rig.folder.write((0..<40).map { rig.url("/n\($0)") + "\n" }.joined(), to: "list")
        async let first = shard(1)
        async let second = shard(2)
        async let third = shard(3)
        let killed = try await shard(4) { process in
            #expect(await eventually { (1...4).allSatisfy { status($0)?.progress.counts.running ?? 0 > 0 } })
            kill(process, SIGKILL)
        }
        #expect(killed.wasKilled)
        let former = try #require(status(4))
        #expect(former.exit == nil)
        let once = try await rig.run("status", "state")
        #expect(once.exitCode == 3 && once.output.contains("\n  4/4 ") && once.output.contains("\n0%, 0/40 files, "))
        let again = try await shard(4) { _ in
            #expect(
                await eventually { status(4).map { $0.run != former.run && $0.progress.counts.running > 0 } == true })
            let terminal = try? PseudoTerminal(columns: 100)
            let watch = try? await rig.run("status", "--progress=always", "state", terminal: terminal) { _ in
                await terminal?.wait(for: "0/40 files")
                gate.open()
            }
            #expect(watch?.exitCode == 0)
            #expect(terminal?.screen.lines.first?.contains("40/40 files") == true)
        }
        let runs = try await [first, second, third, again]
        #expect(runs.map(\.exitCode) == [0, 0, 0, 0])
        #expect(try await rig.run("status", "state").output.hasPrefix("40/40 files, "))
    }

    @Test func `A failed job, a lost one and a missing file have their exit codes`() async throws {
        let job = try await rig.run("--status", "state/one", "--retries=0", "/none")
        #expect(job.exitCode == 1)
        let failed = try await rig.run("status", "state/one")
        #expect(failed.exitCode == 1 && failed.output.contains(": 1 failed\n"))
        try rig.folder.write("{}", to: "state/two")
        let lost = try await rig.run("status", "state/one", "state/two")
        #expect(lost.exitCode == 2 && lost.error == "netqueue: \"state/two\" is not a status file of netqueue\n")
        for arguments in [["status", "state/none"], ["status", "state"], ["status"]] {
            #expect(try await rig.run(arguments).exitCode == 64)
        }
        #expect(try await rig.run(["--status", "/dev/null", rig.url("/none")]).exitCode == 64)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "there is no python3"))
    func `A program in Python draws its own bar from --json`() async throws {
        rig.server.serve("/a", .text("content"))
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let program = root.appending(path: "Demo/Programs/bar.py").path(percentEncoded: false)
        rig.server.serve("/slow", ScriptedResponse.generated(size: 1000).gated(by: gate, at: .afterHead))
        let output = try rig.folder.handle("output")
        let run = try await rig.run(
            [
                "--json", "--no-sizing", "--progress-interval=0.1", "--timeout=900", rig.url("/a"), rig.url("/none"),
                rig.url("/slow"),
            ],
            output: output, shell: "\"$@\" | /usr/bin/python3 '\(program)'"
        ) { _ in
            #expect(await eventually { (try? rig.folder.read("output"))?.contains("1/3") == true })
            gate.open()
        }
        #expect(run.exitCode == 0 && run.error.contains("404"))
        let text = try rig.folder.read("output")
        #expect(text.contains("\r[") && text.hasSuffix(" \r2 of 3 files, 1007 B\n"), "\(text)")
        #expect(text.contains("'none': 404 Not Found"))
    }

    @Test func `The page for programs has every key of JSON and of a status file`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Sources/NetworkQueueKit/NetworkQueueKit.docc/ForPrograms.md"),
            encoding: .utf8)
        let need = DiskNeed(.init(path: "/", neededBytes: 0))
        let values: [Any] = [JSONLog.Event(event: "start"), JobStatus(), PlanReport(uploads: []), need]
        let keys = values.flatMap { Mirror(reflecting: $0).children.compactMap(\.label) }
        for word in keys + JobFailure.Code.allCases.map(\.rawValue) { #expect(page.contains("`\(word)`"), "\(word)") }
    }

    @Test func `A list of --failed that cannot be written is a failure in the status file, too`() async throws {
        rig.server.serve("/slow", ScriptedResponse.text("content").gated(by: gate))
        let lists = rig.folder.file("lists")
        try FileManager.default.createDirectory(at: lists, withIntermediateDirectories: true)
        let options = ["--no-sizing", "--timeout=900", "--failed=lists/again", "--status=state/1-of-4.netqueue.json"]
        let run = try await rig.run(options + [rig.url("/slow")]) { [server = rig.server, gate] _ in
            #expect(await eventually { server.counters.requests > 0 })
            try? FileManager.default.removeItem(at: lists)
            gate.open()
        }
        #expect(run.exitCode == 1 && status(1)?.exit == 1)
    }
}
