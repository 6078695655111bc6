import Foundation
import LoopbackHTTP
import Testing

struct OutputTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        rig.server.serve("/a", .text("content"))
    }

    private var url: String { rig.url("/a") }
    /// That of `content`.
    private let digits = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"

    @Test(arguments: [
        (["-o", "foo.iso"], "foo.iso"), (["--output=x/y.z"], "x/y.z"), (["-d", "out", "-o", "foo"], "out/foo"),
    ])
    func `The options -o and -d name the file and its folder`(arguments: [String], path: String) async throws {
        let run = try await rig.run(arguments + [url])
        #expect(run.exitCode == 0)
        #expect(try rig.folder.files() == [path])
        #expect(try rig.folder.read(path) == "content")
    }

    @Test func `An absolute path for -o overrides -d`() async throws {
        let path = rig.folder.file("abs").path(percentEncoded: false)
        #expect(try await rig.run(["-d", "elsewhere", "-o", path, url]).exitCode == 0)
        #expect(try rig.folder.read("abs") == "content")
    }

    @Test func `The option "-o -" writes content to the standard output, and all else to the standard error`()
        async throws
    {
        let run = try await rig.run(["-o", "-", "--checksum", "sha256:\(digits)", url])
        #expect(run.exitCode == 0)
        #expect(run.output == "content")
        #expect(run.error.contains("1 file, 7 B in "))
        #expect(rig.folder.contents == [])
    }

    @Test func `A download to the standard output is not retried after a part of it`() async throws {
        rig.server.serve("/cut", ScriptedResponse.text(String(repeating: "x", count: 100_000)).dropping(after: 50_000))
        let run = try await rig.run(["-qo-", "--no-sizing", "--retry-delay=0", rig.url("/cut")])
        #expect(run.exitCode == 1)
        #expect(run.output.utf8.count <= 50_000)
        #expect(run.error.hasPrefix("x \(rig.server.url("/cut")): "))
    }

    @Test func `A download to the standard output fails when its reader has gone away`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try await rig.run(["-o-", url], output: pipe.fileHandleForWriting)
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x \(url): the reader of standard output has gone away\n"))
        #expect(!run.error.contains("failed:"))
    }

    @Test func `A list gives the file, the size and the checksum of a URL`() async throws {
        rig.server.serve("/b", .text("content"))
        let wrong = String(repeating: "0", count: 64)
        let list =
            "\(url)\tout=x/one\tchecksum=sha256:\(digits)\tsize=7\n\(rig.url("/b"))\n  out=two\n  checksum=sha256:\(wrong)\n"
        let run = try await rig.run(["-i-", "-dout", "--failed", "again.txt", "--retries=0"], input: list)
        #expect(run.exitCode == 1)
        #expect(try rig.folder.read("out/x/one") == "content")
        #expect(try rig.folder.files(in: "out") == ["x/one"])
        #expect(try rig.folder.read("again.txt") == "\(rig.url("/b"))\tout=two\tchecksum=sha256:\(wrong)\n")
        // The size of the first was known.
        #expect(rig.server.requests.count { $0.method == "HEAD" } == 1)
    }

    @Test func `The --failed list has what failed, for another run with -i`() async throws {
        let urls = [url, rig.url("/missing")]
        let first = try await rig.run(["--failed", "again.txt"] + urls)
        #expect(first.exitCode == 1)
        #expect(try rig.folder.read("again.txt") == urls[1] + "\n")
        rig.server.serve("/missing", .text("found"))
        let second = try await rig.run(["--failed", "again.txt", "-i", "again.txt"])
        #expect(second.exitCode == 0)
        #expect(try rig.folder.read("missing") == "found")
        #expect(try rig.folder.read("again.txt") == "")
    }

    @Test func `The shards of a list download every file exactly once, and one that runs again the same files`()
        async throws
    {
        for number in 0..<40 { rig.server.serve("/n\(number)", .text("\(number)")) }
        let list = (0..<40).map { rig.url("/n\($0)") }.joined(separator: "\n")
        // Like the jobs of an array: at the same time, and knowing only their number.
        async let first = shard(1, of: list)
        async let second = shard(2, of: list)
        async let third = shard(3, of: list)
        let shards = try await [first, second, third]
        #expect(shards.allSatisfy { !$0.isEmpty } && Set(shards.joined()).count == 40)
        #expect(rig.server.counters.requests == 40)
        #expect(try await shard(2, of: list, folder: "again") == shards[1])
    }

    /// Downloads a third of a list into a folder of its own, and returns the names of the files.
    private func shard(_ number: Int, of list: String, folder: String? = nil) async throws -> [String] {
        let folder = folder ?? "\(number)"
        let run = try await rig.run(["-qi-", "-d", folder, "--shard=\(number)/3", "--no-sizing"], input: list)
        #expect(run.exitCode == 0)
        return try rig.folder.files(in: folder)
    }

    @Test(arguments: [[], ["sizes"]])
    func `A shard without URLs says so`(command: [String]) async throws {
        var outputs: [String] = []
        for shard in 1...2 { outputs.append(try await rig.run(command + ["--shard=\(shard)/2", url]).output) }
        let empty = outputs.filter { $0.hasPrefix("Nothing in shard ") }
        #expect(empty.count == 1 && empty.allSatisfy { $0.hasSuffix("/2.\n") })
    }

    @Test func `A --failed file that cannot be written is reported before any request`() async throws {
        for (path, reason) in [("missing/again", "No such file or directory"), (".", "Is a directory")] {
            let run = try await rig.run(["-d", "out", "--failed", path, url])
            #expect(run.exitCode == 64)
            #expect(run.error.hasPrefix("netqueue: --failed: \"\(path)\" cannot be written: \(reason)\n"))
        }
        #expect(rig.server.counters.requests == 0)
        #expect(rig.folder.contents == [])
    }

    @Test func `The --failed list can be the only file of the output folder`() async throws {
        let missing = rig.url("/missing")
        let run = try await rig.run(["-q", "-d", "out", "--failed", "out/again", missing])
        #expect(run.exitCode == 1)
        #expect(try rig.folder.read("out/again") == "\(missing)\n")
    }

    @Test func `A --failed list on a full disk is reported after the summary`() async throws {
        try #require(FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has a device that is full")
        let run = try await rig.run(["--failed", "/dev/full", rig.url("/missing")])
        #expect(run.exitCode == 1)
        #expect(run.output.hasPrefix("0 of 1 file, "))
        #expect(
            run.error.hasSuffix("netqueue: --failed: \"/dev/full\" cannot be written: No space left on device\n"))
        #expect(!run.error.contains("--help"))
    }

    @Test(arguments: [
        ("/dev/null", "is not a regular file; use \"--output - >/dev/null\""),
        ("pipe", "is not a regular file; use \"--output - >pipe\""),
        ("/dev/stdout", "use \"--output -\" for standard output"), ("there", "use --dir"),
    ])
    func `A place for -o that is no file is a usage error, which mentions the remedy`(path: String, text: String)
        async throws
    {
        mkfifo(rig.folder.file("pipe").path(percentEncoded: false), 0o600)
        try FileManager.default.createDirectory(at: rig.folder.file("there"), withIntermediateDirectories: true)
        let run = try await rig.run(["-o", path, url])
        #expect(run.exitCode == 64 && rig.server.counters.requests == 0)
        #expect(run.error.hasPrefix("netqueue: --output \"\(path)\" ") && run.error.contains(text))
    }
}
