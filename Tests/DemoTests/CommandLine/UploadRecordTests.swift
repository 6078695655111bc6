import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

/// What an upload writes for other runs: `--failed` and `--write-checksums`; and what it sends with `--shard`.
@Suite(.timeLimit(.minutes(10)))
struct UploadRecordTests {
    private let rig: NetqueueRig
    /// The SHA-256 of `content`.
    private static let digits = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"

    init() throws {
        rig = try NetqueueRig()
        try FileManager.default.createDirectory(at: rig.folder.file("t/sub"), withIntermediateDirectories: true)
        rig.server.serve("/in/*", .status(201))
    }

    private func write(_ names: String...) throws {
        for name in names { try rig.folder.write("content", to: name) }
    }

    private func upload(
        _ arguments: [String], input: String? = nil, whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        rig.server.forgetRequests()
        return try await rig.run(
            ["upload", "--retries=0"] + arguments + [rig.url("/in/")], input: input, whileRunning: whileRunning)
    }

    /// The paths to which files were sent, sorted.
    private var sent: [String] { rig.server.requests.filter { $0.method == "PUT" }.map(\.path).sorted() }

    // MARK: --failed

    @Test func `The list of what failed sends each file to where it would have gone`() async throws {
        let names = ["#c", " e", "a b", "-d", "\u{FEFF}x", "f.nqk.part", " "]
        for name in names + ["t/p.nqk.part", "t/sub/one file"] { try write(name) }
        rig.server.serve("/in/*", .status(403))
        let first = try await upload(["--failed=again", "-r", "t", "--"] + names)
        let targets = sent
        #expect(first.exitCode == 1 && targets.count == 9)
        #expect(
            try rig.folder.read("again") == """
                t/p.nqk.part\tout=t/p.nqk.part
                t/sub/one file\tout=t/sub/one file
                ./#c\tout=#c
                ./ e\tout= e
                a b\tout=a b
                -d\tout=-d
                ./\u{FEFF}x\tout=\u{FEFF}x
                f.nqk.part\tout=f.nqk.part
                ./ \tout= \n
                """)
        let again = try await upload(["-i", "again", "--failed=again"])
        #expect(again.exitCode == 1 && sent == targets && !again.error.contains("cannot be"))
        rig.server.serve("/in/*", .status(201))
        let last = try await upload(["-i", "again", "--failed=again"])
        #expect(last.exitCode == 0 && sent == targets, "\(last.error)")
        #expect(try rig.folder.read("again") == "")
    }

    @Test func `Names with a tab or a line break are not in the list of what failed, which is said`() async throws {
        try write("t/a\tb", "t/c\nd", "t/e\r", "t/ok")
        rig.server.serve("/in/*", .status(403))
        let run = try await upload(["--failed=again", "-r", "t"])
        #expect(run.exitCode == 1 && sent.count == 4)
        #expect(try rig.folder.read("again") == "t/ok\tout=t/ok\n")
        #expect(
            run.error.contains("netqueue: 3 files cannot be in the list of --failed: t/a?b, t/c?d, t/e?\n"),
            "\(run.error)")
    }

    @Test func `The list of what failed has wrong lines and what cannot be read`() async throws {
        try write("a.txt", "t/one")
        mkfifo(rig.folder.file("t/pipe").path, 0o600)
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.file("t/sub/loop").path, withDestinationPath: "..")
        let list = "# files\nnone\tout=x/y\na.txt\n a.txt\tsize=6\n"
        let first = try await upload(["-i-", "-r", "t", "--failed=again"], input: list)
        #expect(first.exitCode == 1 && sent == ["/in/a.txt", "/in/t/one"])
        #expect(first.error.contains("netqueue: 1 file cannot be in the list of --failed: t/sub/loop\n"))
        let lines = ["t/pipe\tout=t/pipe", "none\tout=x/y", " a.txt\tsize=6"]
        #expect(try rig.folder.read("again") == lines.map { $0 + "\n" }.joined())
        let second = try await upload(["-i", "again", "-r", "--failed=again"])
        #expect(second.exitCode == 1 && sent == [])
        #expect(try rig.folder.read("again").split(separator: "\n").sorted() == lines.map { $0[...] }.sorted())
    }

    @Test func `A file that goes to two places is two items`() async throws {
        try write("a.txt")
        rig.server.serve("/in/*", .status(403))
        let list = "a.txt\tout=1\na.txt\tout=2\n"
        let run = try await upload(["-i-", "--failed=again"], input: list)
        #expect(run.error.contains("x a.txt -> 1: 403 Forbidden\n") && run.error.contains("x a.txt -> 2: 403 "))
        #expect(try rig.folder.read("again") == list)
    }

    @Test func `An interrupted upload lists what is left, and the checksums of what was sent`() async throws {
        try write("a", "b", "c")
        let gate = Gate()
        rig.server.serve("/in/b", ScriptedResponse.status(201).gated(by: gate))
        let run = try await upload(
            ["-j1", "--timeout=900", "--failed=again", "--write-checksums=SUMS", "a", "b", "c"]
        ) { process in
            _ = await rig.server.wait { $0.requests == 2 }
            kill(process, SIGTERM)
        }
        gate.open()
        #expect(run.exitCode == 143 && run.output.hasPrefix("Cancelled: 1 of 3 files"))
        #expect(try rig.folder.read("again") == "b\tout=b\nc\tout=c\n")
        #expect(try rig.folder.read("SUMS") == "\(Self.digits)  a\n")
    }

    @Test(arguments: ["--failed", "--write-checksums"])
    func `A file for either list that cannot be written is reported`(option: String) async throws {
        try write("a")
        let early = try await upload(["\(option)=missing/list", "a"])
        #expect(early.exitCode == 64 && sent == [])
        let text = "netqueue: \(option): \"missing/list\" cannot be written: No such file or directory\n"
        #expect(early.error.hasPrefix(text))
        try #require(FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has a device that is full")
        let late = try await upload(["\(option)=/dev/full", "-i-"], input: "a\nnone\n")
        #expect(late.exitCode == 1 && sent == ["/in/a"] && late.output.hasPrefix("1 of 2 files, "))
        #expect(late.error.hasSuffix("netqueue: \(option): \"/dev/full\" cannot be written: No space left on device\n"))
    }

    // MARK: --shard

    @Test func `The shards of an upload send every file exactly once, wherever the folder is`() async throws {
        for number in 0..<40 { try write("t/sub/n\(number)") }
        try rig.folder.write("none\n", to: "list")
        var (shards, codes) = ([[String]](), [Int32]())
        for shard in ["1/3", "2/3", "3/3"] {
            let run = try await upload(["--shard", shard, "-r", "t", "-i", "list", "--failed=again"])
            codes.append(run.exitCode)
            shards.append(sent)
            #expect(try rig.folder.read("again") == (run.exitCode == 0 ? "" : "none\n"))
        }
        #expect(shards.allSatisfy { !$0.isEmpty } && shards.joined().count == 40 && Set(shards.joined()).count == 40)
        #expect(codes.sorted() == [0, 0, 1])
        let elsewhere = try await upload(["-q", "--shard=2/3", "-r", rig.folder.file("t").path])
        #expect(elsewhere.exitCode == 0 && sent == shards[1])
        let dry = try await upload(["-n", "--shard=2/3", "--write-checksums=SUMS", "-r", "t"])
        #expect(dry.output.contains("total of \(shards[1].count) files\n") && sent == [])
        #expect(!rig.folder.contents.contains("SUMS"))
    }

    @Test func `A shard without files says so`() async throws {
        try write("a")
        var outputs: [String] = []
        for shard in 1...2 { outputs.append(try await upload(["--shard=\(shard)/2", "--failed=again", "a"]).output) }
        let empty = outputs.filter { $0.hasPrefix("Nothing in shard ") }
        #expect(empty.count == 1 && empty.allSatisfy { $0.hasSuffix("/2.\n") })
        #expect(try rig.folder.read("again") == "")
    }

    // MARK: --write-checksums

    @Test func `The checksums of what was sent are what sha256sum reads`() async throws {
        try write("a b", "t/c\nd", "t/one", "t/refused")
        try rig.folder.write("of a former run\n", to: "SUMS")
        rig.server.serve("/in/*") { .status($0.path == "/in/t/refused" ? 403 : 201) }
        let run = try await upload(["--write-checksums=SUMS", "a b", "-r", "t"])
        #expect(run.exitCode == 1 && sent.count == 4)
        let digits = Self.digits
        #expect(
            try rig.folder.read("SUMS") == "\(digits)  a b\n\\\(digits)  t/c\\nd\n\(digits)  t/one\n")
        let check = "command -v sha256sum >/dev/null || exit 0; exec sha256sum -c --quiet --strict SUMS"
        #expect(try await rig.run([], shell: check).exitCode == 0)
        #expect(try await rig.run("--verify", "--checksums=SUMS").exitCode == 0)
    }

    @Test func `The standard input has the name in the URL among the checksums`() async throws {
        let run = try await rig.run("upload", "--write-checksums=SUMS", "-", "/in/x%20y", input: "content")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.read("SUMS") == "\(Self.digits)  x y\n")
    }

    @Test func `A file that changes after it was sent has no checksum, and the exit code says so`() async throws {
        try write("a", "b")
        let file = rig.folder.file("a")
        rig.server.serve("/in/a") { _ in
            try? Data("other content".utf8).write(to: file)
            return .status(201)
        }
        let run = try await upload(["--write-checksums=SUMS", "a", "b"])
        #expect(run.exitCode == 1 && run.output.hasPrefix("2 files, "))
        let reason = "because of a change since the upload began"
        #expect(run.error.hasSuffix("netqueue: 1 file has no checksum, \(reason): a\n"), "\(run.error)")
        #expect(try rig.folder.read("SUMS") == "\(Self.digits)  b\n")
    }

    @Test func `A file that the server had already is not among the checksums`() async throws {
        try write("a")
        let checksums = SentChecksums()
        for (name, isKept) in [("kept", true), ("sent", false)] {
            var request = NetworkRequest.put(rig.server.url("/in/a"), body: .file(rig.folder.file("a")))
            request.tag = name
            let operation = RequestOperation(request)
            checksums.receive(.starting(request, id: operation.id))
            checksums.receive(.finished(operation, wasCurrent: isKept, bytes: 7))
        }
        #expect(await checksums.all() == [ByteText("sent"): .sha256(Self.digits)])
    }
}
