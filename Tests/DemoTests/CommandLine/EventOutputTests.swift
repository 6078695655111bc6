import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

struct EventOutputTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        rig.server.serve(
            "/a", ScriptedResponse.text("content").acceptingRanges(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
        rig.server.serve("/b", sequence: [.status(503), .text("b")])
    }

    private func url(_ path: String) -> String {
        rig.url(path).replacing("http://", with: "http://user:secret@")
    }

    private func lines(_ arguments: String...) async throws -> (code: Int32, lines: [NetqueueRun.JSONLine]) {
        let run = try await rig.run(["--json", "--no-sizing", "-j1"] + arguments)
        #expect(!run.output.contains("secret") && !run.error.contains("secret"))
        return (run.exitCode, try run.jsonLines)
    }

    @Test func `The option --json writes one object per line`() async throws {
        let (code, lines) = try await lines("--retry-delay=0.01", url("/a"), url("/b"), url("/none"))
        #expect(code == 1)
        func events(_ name: String) -> [NetqueueRun.JSONLine] { lines.filter { $0.name == name } }
        #expect(events("a").map(\.event) == ["start", "finish"] && events("none").map(\.event) == ["start", "fail"])
        #expect(lines[0].name == "a" && lines[0].url == rig.url("/a"))
        let finish = lines[1]
        #expect(
            finish.status == 200 && finish.bytes == 7 && finish.size == 7 && finish.attempts == 1
                && finish.current == false)
        #expect(finish.file?.hasSuffix("/a") == true && (finish.seconds ?? 0) > 0)
        let second = events("b")
        #expect(second.map(\.event) == ["start", "retry", "finish"])
        #expect(second[1].reason == "503 Service Unavailable" && second[1].seconds == 0.01 && second[1].attempts == 1)
        #expect(second[2].attempts == 2 && second[1].status == 503)
        #expect(events("none")[1].reason == "404 Not Found" && events("none")[1].status == 404)
        #expect(events("none")[1].error == "http" && second[1].error == "http" && second[2].error == nil)
        for line in lines {
            #expect(line.time.wholeMatch(of: /2[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-9:]{8}\.[0-9]{3}Z/) != nil)
        }
        #expect(lines.map(\.time) == lines.map(\.time).sorted())
        #expect(lines.count == 8 && lines[7].event == "summary")
        #expect(lines[7].total == 3 && lines[7].finished == 2 && lines[7].failed == 1 && lines[7].cancelled == 0)
        let again = try await self.lines(url("/a"))
        #expect(again.code == 0 && again.lines[1].current == true && again.lines[1].bytes == 0)
        #expect(again.lines[2].kept == 1 && again.lines[2].finished == 1 && lines[7].kept == 0)
    }

    @Test func `With --json the plan comes once, before the first transfer`() async throws {
        rig.server.serve("/c", ScriptedResponse.text("chunks").chunked())
        let run = try await rig.run("--json", "--retry-delay=0", "/a", "/b", "/c")
        let lines = try run.allJSONLines
        #expect(lines.filter { $0.event == "plan" }.count == 1 && lines[0].event == "plan")
        let plan = try #require(lines[0].plan)
        // The HEAD for “b” was answered with 503.
        #expect(plan.count == 3 && plan.knownBytes == 7 && plan.unknownSizes == 2 && plan.presentBytes == 0)
        #expect(plan.volumes?.count == 1 && plan.volumes?.first?.needed == 7)
        let again = try await rig.run("--json", "--no-space-check", "/a").allJSONLines[0].plan
        #expect(again?.presentBytes == 7 && again?.volumes?.first?.needed == 0)

        try rig.folder.write("12345", to: "file")
        rig.server.serve("/in", .status(201))
        let upload = try await rig.run(["upload", "--json", "file", rig.url("/in")]).allJSONLines
        #expect(upload.map(\.event) == ["plan", "start", "finish", "summary"])
        #expect(upload[0].plan == .init(count: 1, unknownSizes: 0, knownBytes: 5))
    }

    @Test func `With --json the plan of a list with all sizes has their sum, whatever has been read`() async throws {
        rig.server.serve("/n", .text("12345"))
        let list = (0..<700).map { "\(rig.url("/n"))\tsize=5\tout=\($0)\n" }.joined()
        let run = try await rig.run("--json", "-i-", input: list)
        let plan = try #require(run.allJSONLines.first { $0.event == "plan" }?.plan)
        #expect(run.exitCode == 0 && plan.count == 700 && plan.knownBytes == 3500 && plan.unknownSizes == 0)
    }

    @Test func `Downloads that fit on no disk fail with the error “space”, and nothing is requested`() async throws {
        let size = 1 << 50
        let list = "\(rig.url("/a"))\tsize=\(size)\n\(rig.url("/b"))\tsize=1\n"
        let run = try await rig.run("--json", "--failed=again", "-i-", "-d", "out", input: list)
        #expect(run.exitCode == 1 && run.error.contains("; use --no-space-check to download anyway\n"))
        let lines = try run.allJSONLines
        #expect(lines.map(\.event) == ["plan", "fail", "fail", "summary"] && lines[3].failed == 2)
        for line in lines[1...2] {
            #expect(line.error == "space" && line.space?.needed == Int64(size) + 1)
            #expect(line.space?.path.hasSuffix("/out") == true && (line.space?.free ?? .max) < size)
        }
        #expect(try rig.server.requests.isEmpty && rig.folder.files() == ["again"] && rig.folder.read("again") == list)
    }

    @Test func `With --json each item names its group, and an event tells the group's end`() async throws {
        let list = ["a", "b", "c"].map { "\(rig.url("/\($0)"))" + ($0 == "c" ? "" : "\tgroup=album 7") }
        for path in ["/a", "/b", "/c"] { rig.server.serve(path, .text("hello")) }
        try rig.folder.write(list.joined(separator: "\n"), to: "list")
        let run = try await rig.run("--json", "-i", "list")
        let lines = try run.output.split(separator: "\n").map {
            try JSONDecoder().decode(GroupLine.self, from: Data($0.utf8))
        }
        let finished = lines.filter { $0.event == "finish" }
        #expect(finished.filter { $0.group == "album 7" }.count == 2 && finished.count == 3)
        #expect(
            lines.filter { $0.event == "group" } == [
                GroupLine(event: "group", group: "album 7", total: 2, finished: 2, failed: 0, bytes: 10)
            ])
    }

    private struct GroupLine: Decodable, Equatable {
        let event: String
        var group: String?
        var total: Int?
        var finished: Int?
        var failed: Int?
        var bytes: Int64?
    }

    private struct ProgressLine: Decodable {
        let event: String
        let v: Int
        let shard: String?
        let progress: NetworkQueue.Progress?
    }

    @Test func `With --json the progress of all items stands on lines of its own while they run`() async throws {
        let gate = Gate()
        rig.server.serve("/slow", ScriptedResponse.generated(size: 100_000).gated(by: gate, at: .afterHead))
        try rig.folder.write("", to: "out")
        let out = rig.folder.file("out")
        let arguments = [
            "--json", "--no-sizing", "--progress-interval=0.1", "--shard=1/1", "--timeout=900", rig.url("/slow"),
        ]
        let run = try await rig.run(arguments, output: try FileHandle(forWritingTo: out)) { _ in
            #expect(
                await eventually {
                    (try? String(contentsOf: out, encoding: .utf8))?.contains("\"expected\":100000") == true
                })
            gate.open()
        }
        #expect(run.exitCode == 0)
        let lines = try String(contentsOf: out, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(ProgressLine.self, from: Data($0.utf8))
        }
        #expect(lines.allSatisfy { $0.v == 1 && $0.shard == "1/1" && ($0.event == "progress") == ($0.progress != nil) })
        #expect(lines.last?.event == "summary")
        let progress = try #require(lines.compactMap(\.progress).first { $0.download.expected != nil })
        #expect(progress.phase == .transferring && progress.counts.running == 1 && progress.counts.total == 1)
        #expect(progress.download.expected == 100_000 && progress.fractionCompleted < 1)
        let fractions = lines.compactMap(\.progress?.fractionCompleted)
        #expect(fractions == fractions.sorted())
    }

    @Test(arguments: ["0", "0.09", "x", "nan", "86401"])
    func `A --progress-interval that is no number of seconds is refused`(value: String) async throws {
        let run = try await rig.run("--json", "--progress-interval=\(value)", "/a")
        #expect(run.exitCode == 64 && run.error.contains("--progress-interval must be"))
    }

    @Test func `The option --json reports wrong lines of a list`() async throws {
        try rig.folder.write("nonsense\n", to: "list")
        let (code, lines) = try await lines("-i", "list")
        #expect(code == 1 && lines.map(\.event) == ["fail", "summary"] && lines[0].name == "list:1")
        #expect(lines[0].error == "line")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "curl is not installed"))
    func `The option -v prints curl commands that work when pasted`() async throws {
        rig.server.serve("/old", .status(302, headers: ["Location": "/new"]))
        rig.server.serve("/new") { .text($0.headers["X-One"] ?? "nothing") }
        let run = try await rig.run(["-v", "--no-sizing", "-H", "X-One: it's", "-d", "a b", rig.url("/old")])
        #expect(run.exitCode == 0)
        let line = try #require(run.error.split(separator: "\n").first { $0.hasPrefix("> curl ") })
        try FileManager.default.removeItem(at: rig.folder.file("a b"))
        let pasted = try await rig.run([], shell: String(line.dropFirst(2)) + " -s")
        #expect(pasted.exitCode == 0)
        #expect(try rig.folder.read("a b/old") == "it's")
    }

    @Test func `The option --json reports the size of the whole file and the bytes of all attempts`() async throws {
        let whole = ScriptedResponse.generated(size: 1000).acceptingRanges(etag: "\"1\"")
        rig.server.serve("/cut", sequence: [whole.dropping(after: 400), whole.dropping(after: 400), whole])
        let (code, lines) = try await lines("--retry-delay=0", rig.url("/cut"))
        let (finish, summary) = (lines[lines.count - 2], lines[lines.count - 1])
        #expect(code == 0 && finish.size == 1000 && finish.bytes == 1000 && finish.attempts == 3)
        #expect(summary.bytes == 1000)
        rig.server.serve("/again", sequence: [whole.dropping(after: 400), whole])
        let failed = try await self.lines("--retries=0", rig.url("/a"), rig.url("/again")).lines
        #expect(failed.contains { $0.event == "fail" && $0.bytes == 400 } && failed.last?.bytes == 407)
        let second = try await self.lines(rig.url("/again")).lines[1]
        #expect(second.event == "finish" && second.size == 1000 && second.bytes == 600)
        rig.server.serve("/cut", sequence: [whole.dropping(after: 400), whole])
        let run = try await rig.run(["--no-sizing", "--retry-delay=0", "--overwrite", rig.url("/cut")])
        #expect(run.output.hasPrefix("1 file, 1000 B in "))
    }

    @Test func `The option --json prints no character that could control a terminal`() async throws {
        let run = try await rig.run(["--json", "--no-sizing", "-o", "a\u{9B}2J\u{202E}é", rig.url("/a")])
        #expect(run.exitCode == 0 && run.output.contains("\"name\":\"a\\u009b2J\\u202eé\""))
        #expect(try run.jsonLines[0].name == "a\u{9B}2J\u{202E}é")
    }

    @Test func `The option --json draws no bar if it writes to the terminal`() async throws {
        let terminal = try PseudoTerminal(columns: 100)
        let run = try await rig.run(["--json", rig.url("/a")], output: terminal.device, terminal: terminal)
        #expect(run.exitCode == 0 && !run.error.contains("\u{1B}"))
        #expect(run.error.split(whereSeparator: \.isNewline).allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }

    @Test func `The option --json fails if its reader has gone away`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try await rig.run(["--json", rig.url("/a")], output: pipe.fileHandleForWriting)
        #expect(run.exitCode == 1 && run.error.hasSuffix("netqueue: cannot write to standard output: Broken pipe\n"))
        #expect(try rig.folder.read("a") == "content")
    }

    @Test func `The option --json leaves out whether a file is current that cannot be compared`() async throws {
        try rig.folder.write("content", to: "a")
        try rig.folder.write("\(rig.url("/a"))\n", to: "list")
        let (code, lines) = try await lines("--verify", "-i", "list")
        #expect(code == 0 && lines[0].event == "finish" && lines[0].current == nil && lines[1].unchecked == 1)
    }

    @Test func `The option -v names a redirected HEAD by its URL`() async throws {
        rig.server.serve("/old", .redirect(to: "/a"))
        let run = try await rig.run(["-v", rig.url("/old")])
        #expect(run.error.contains("< \(rig.url("/old")): 302, redirects to \(rig.url("/a"))\n"))
        #expect(!run.error.contains("< : "))
    }

    @Test func `The option -v prints curl commands with the cookies, the part and the input of the requests`()
        async throws
    {
        try rig.folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tone\t1\n", to: "my jar")
        func command(_ arguments: [String], input: String? = nil) async throws -> String {
            let run = try await rig.run(["-v", "--retries=0"] + arguments, input: input)
            return try String(#require(run.error.split(separator: "\n").first { $0.hasPrefix("> curl ") }))
        }
        #expect(
            try await command(["--no-sizing", "--cookies", "my jar", "-H", "User-Agent:", rig.url("/a")])
                .hasSuffix(" -L -b 'my jar' -H User-Agent:"))
        #expect(try await command(["--no-sizing", "--no-cookies", rig.url("/b")]).hasSuffix(" -L"))
        let whole = ScriptedResponse.generated(size: 1000).acceptingRanges(etag: "\"1\"")
        rig.server.serve("/cut", sequence: [whole.dropping(after: 400), whole])
        #expect(try await !command(["--no-sizing", rig.url("/cut")]).contains(" -C "))
        let second = try await command(["--no-sizing", rig.url("/cut")])
        #expect(second.contains("/cut.nqk.part ") && second.hasSuffix(" -C -"))
        let upload = try await rig.run(["upload", "-v", "-", rig.url("/b")], input: "x")
        #expect(upload.error.contains(" --data-binary @- "))
    }

    @Test func `The option -v shows the header fields that queue and transport add, and no secrets`() async throws {
        rig.server.serve("/plain", .status(201))
        let fields = ["X-One: 1", "X-One: 2", "Cookie: secret", "Authorization: Bearer secret"].flatMap { ["-H", $0] }
        let run = try await rig.run(["-v", "--no-sizing"] + fields + ["-A", "me/1", url("/plain")])
        for field in ["X-One: 1", "X-One: 2", "User-Agent: me/1", "Cookie: <hidden>"] {
            #expect(run.error.contains("-H '\(field)'"), "\(field)")
        }
        #expect(!run.error.contains("secret"))
        #expect(run.error.contains("< plain: 201"))
        #expect(!run.error.contains("201 ,") && !run.error.contains("201 \n"))
        #expect(try await rig.run("-v", "--no-sizing", "/a").error.contains("-H 'User-Agent: netqueue/"))
        #expect(try await rig.run("-v", "--no-sizing", "/a").error.contains("= a: already up to date\n"))
    }
}
