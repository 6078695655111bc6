import Foundation
import LoopbackServer
import Testing

@Suite("Where netqueue writes to")
final class OutputTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        server.serve("/a", .text("content"))
    }

    deinit {
        server.stop()
        folder.remove()
    }

    private var url: String { server.url("/a").absoluteString }
    /// That of `content`.
    private let digits = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"

    @Test(arguments: [
        (["-o", "foo.iso"], "foo.iso"), (["--output=x/y.z"], "x/y.z"), (["-d", "out", "-o", "foo"], "out/foo"),
        ([], "a"),
        (["-d", "out"], "out/a"),
    ])
    func `is the file that it is told`(arguments: [String], path: String) async throws {
        let run = try await NetqueueRun.run(arguments + [url], in: folder)
        #expect(run.exitCode == 0)
        #expect(try folder.files() == [path])
        #expect(try folder.text(path) == "content")
    }

    @Test func `is no folder that is there`() async throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "there"), withIntermediateDirectories: true)
        let run = try await NetqueueRun.run(["-o", "there", url], in: folder)
        #expect(run.exitCode == 64 && run.error.contains("--dir") && server.counters.requests == 0)
    }

    @Test func `is an absolute path, whatever the folder`() async throws {
        let path = folder.url.appending(path: "abs").path(percentEncoded: false)
        #expect(try await NetqueueRun.run(["-d", "elsewhere", "-o", path, url], in: folder).exitCode == 0)
        #expect(try folder.text("abs") == "content")
    }

    @Test func `is the standard output, with all else on the standard error`() async throws {
        let run = try await NetqueueRun.run(["-o", "-", "--checksum", "sha256:\(digits)", url], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.output == "content")
        #expect(run.error.contains("1 file, 7 B in "))
        #expect(try folder.entries() == [])
    }

    @Test func `is nothing more once content that breaks off has been written`() async throws {
        server.serve("/cut", ScriptedResponse.text(String(repeating: "x", count: 100_000)).dropping(after: 50_000))
        let run = try await NetqueueRun.run(
            ["-qo-", "--no-sizing", "--retry-delay=0", server.url("/cut").absoluteString], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.output.utf8.count <= 50_000)
        #expect(run.error.hasPrefix("x \(server.url("/cut")): "))
    }

    @Test func `ends when the reader of the standard output has gone`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        for quiet in [["-q"], []] {
            let run = try await NetqueueRun.run(quiet + ["-o-", url], in: folder, output: pipe.fileHandleForWriting)
            #expect(run.exitCode == 1)
            #expect(run.error.contains("x \(url): the reader has gone away\n"))
            #expect(!run.error.contains("failed:"))
        }
    }

    @Test func `are the files that a list names, with what they must add up to`() async throws {
        server.serve("/b", .text("content"))
        let wrong = String(repeating: "0", count: 64)
        let list =
            "\(url)\tout=x/one\tchecksum=sha256:\(digits)\tsize=7\n\(server.url("/b"))\n  out=two\n  checksum=sha256:\(wrong)\n"
        let run = try await NetqueueRun.run(
            ["-i-", "-dout", "--failed", "again.txt", "--retries=0"], in: folder, input: list)
        #expect(run.exitCode == 1)
        #expect(try folder.text("out/x/one") == "content")
        #expect(try folder.files(in: "out") == ["x/one"])
        #expect(try folder.text("again.txt") == "\(server.url("/b"))\tout=two\tchecksum=sha256:\(wrong)\n")
        // The size of the first was known.
        #expect(server.requests.count { $0.method == "HEAD" } == 1)
    }

    @Test func `has a list of what failed, for another run`() async throws {
        let urls = [url, server.url("/missing").absoluteString]
        let first = try await NetqueueRun.run(["--failed", "again.txt"] + urls, in: folder)
        #expect(first.exitCode == 1)
        #expect(try folder.text("again.txt") == urls[1] + "\n")
        server.serve("/missing", .text("found"))
        let second = try await NetqueueRun.run(["--failed", "again.txt", "-i", "again.txt"], in: folder)
        #expect(second.exitCode == 0)
        #expect(try folder.text("missing") == "found")
        #expect(try folder.text("again.txt") == "")
    }

    @Test func `has every file of a list once when machines share it`() async throws {
        for number in 0..<20 { server.serve("/n\(number)", .text("\(number)")) }
        let list = (0..<20).map { server.url("/n\($0)").absoluteString }.joined(separator: "\n")
        for shard in 1...3 {
            let run = try await NetqueueRun.run(["-qi-", "--shard=\(shard)/3", "--no-sizing"], in: folder, input: list)
            #expect(run.exitCode == 0)
        }
        #expect(try folder.files().count == 20)
        #expect(server.counters.requests == 20)
    }

    @Test func `is known to take the list of what fails before anything is asked for`() async throws {
        for (path, reason) in [("missing/again", "No such file or directory"), (".", "Is a directory")] {
            let run = try await NetqueueRun.run(["-d", "out", "--failed", path, url], in: folder)
            #expect(run.exitCode == 64)
            #expect(run.error.hasPrefix("netqueue: --failed: \"\(path)\" cannot be written: \(reason)\n"))
        }
        #expect(server.counters.requests == 0)
        #expect(try folder.entries() == [])
    }

    @Test func `may be a folder that only has the list of what failed`() async throws {
        let missing = server.url("/missing").absoluteString
        let run = try await NetqueueRun.run(["-q", "-d", "out", "--failed", "out/again", missing], in: folder)
        #expect(run.exitCode == 1)
        #expect(try folder.text("out/again") == "\(missing)\n")
    }

    @Test func `tells after the summary why the list of what failed takes no more`() async throws {
        try #require(FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has a device that is full")
        let run = try await NetqueueRun.run(
            ["--failed", "/dev/full", server.url("/missing").absoluteString], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.output.hasPrefix("0 of 1 file, "))
        #expect(
            run.error.hasSuffix("netqueue: --failed: \"/dev/full\" cannot be written: No space left on device\n"))
        #expect(!run.error.contains("--help"))
    }

    @Test(arguments: ["/dev/null", "pipe"])
    func `is a regular file, and for all else there is the standard output`(path: String) async throws {
        mkfifo(folder.url.appending(path: "pipe").path(percentEncoded: false), 0o600)
        let run = try await NetqueueRun.run(["-o", path, url], in: folder)
        #expect(run.exitCode == 64 && server.counters.requests == 0)
        #expect(run.error.hasPrefix("netqueue: --output \"\(path)\" is no regular file; \"--output - >\(path)\""))
    }

    @Test func `is the standard output by its sign alone`() async throws {
        let run = try await NetqueueRun.run(["-o", "/dev/stdout", url], in: folder)
        #expect(run.exitCode == 64 && server.counters.requests == 0)
        #expect(run.error.contains("\"--output -\" is the standard output"))
    }
}
