import Foundation
import NetworkQueueKit
import LoopbackHTTP
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct StandardOutputTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        rig.server.serve("/a", .text("a"))
    }

    private var url: String { rig.url("/a") }

    @Test func `A full standard output is a failure`() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"), "only Linux has a device that is full")
        for arguments in [
            [url], ["--json", url], ["sizes", "--json", url], ["--help"],
            ["demo", "--files=1", "--seconds=0"],
        ] {
            let run = try await rig.run(arguments, output: full)
            #expect(run.exitCode == 1)
            #expect(
                run.error.hasSuffix("netqueue: cannot write to standard output: No space left on device\n"))
        }
        #expect(try rig.folder.read("a") == "a")
    }

    @Test func `A full standard output does not hide the signal that ended the run`() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        rig.server.serve("/b", ScriptedResponse.generated(size: 1_000_000_000).paced(bytesPerSecond: 200))
        let run = try await rig.run(
            ["--no-sizing", rig.url("/b")], output: full
        ) { process in
            _ = await rig.server.wait { $0.requests == 1 }
            kill(process, SIGINT)
        }
        #expect(run.exitCode == 130)
    }

    @Test(arguments: [202, 204, 205]) func `A response that is not the content is a failure`(status: Int) async throws {
        rig.server.serve("/later", .status(status))
        let run = try await rig.run(["--retries=0", "-o-", rig.url("/later")])
        #expect(run.exitCode == 1 && run.output.isEmpty)
        #expect(run.error.contains("later: \(status) ") && run.error.contains("; the response is not the file"))
    }

    @Test(arguments: [("/a", 0), ("/missing", 1)] as [(String, Int32)])
    func `A standard output without a reader does not change the exit code`(path: String, code: Int32) async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try await rig.run(["--no-sizing", rig.url(path)], output: pipe.fileHandleForWriting)
        #expect(run.exitCode == code)
        #expect(!run.error.contains("standard output"))
    }

    @Test(arguments: [[], ["--progress=always"]])
    func `An empty list prints a line, and creates nothing`(arguments: [String]) async throws {
        let run = try await rig.run(["-i-", "-dout"] + arguments, input: "# nothing\n")
        #expect(run.exitCode == 0)
        #expect(run.output == "Nothing to download: no list contains a URL.\n")
        #expect(run.error.isEmpty)
        #expect(rig.folder.contents == [])
    }

    @Test func `A list without a URL draws no full bar`() async throws {
        let run = try await rig.run(["-i-", "--progress=always"], input: "nonsense\n")
        #expect(run.exitCode == 1)
        #expect(!run.error.contains("100%"))
        #expect(run.error.hasPrefix("x standard input:1: not an http or https URL: "))
        #expect(run.output.hasSuffix("\n1 failed: 1 x invalid list line\n"))
    }

    @Test func `A full standard output is not reported as a full disk`() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let run = try await rig.run(["-o-", url], output: full)
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x \(url): standard output: No space left on device\n"))
        #expect(!run.error.contains("disk") && !run.error.contains("parts"))
    }

    @Test(arguments: [0, 1, 2])
    func `A closed standard stream is not confused with a file`(stream: Int) async throws {
        rig.server.serve("/large", ScriptedResponse.generated(size: 100_000))
        let redirection = ["<&-", ">&-", "2>&-"][stream]
        let run = try await rig.run(
            ["--no-sizing", rig.url("/large")],
            shell: "exec \"$@\" \(redirection)")
        #expect(run.exitCode == 0)
        #expect(POSIXFile.size(rig.folder.url.appending(path: "large").path(percentEncoded: false)) == 100_000)
    }
}
