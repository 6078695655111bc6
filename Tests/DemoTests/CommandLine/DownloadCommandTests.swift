import Foundation
import LoopbackServer
import Testing

@Suite("netqueue URL…")
final class DownloadCommandTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        for path in ["/include/a.h", "/include/foo/a.h", "/include/foo/b%20c.h", "/include/bar/"] {
            server.serve(path, .text(path))
        }
    }

    deinit {
        server.stop()
        folder.remove()
    }

    private func url(_ path: String) -> String { server.url(path).absoluteString }

    @Test func `puts one file under its name in the current folder`() async throws {
        let run = try await NetqueueRun.run([url("/include/foo/a.h?x=/y")], in: folder)
        #expect(run.exitCode == 0)
        #expect(try folder.files() == ["a.h"])
        #expect(try folder.text("a.h") == "/include/foo/a.h")
        #expect(run.output.hasPrefix("1 file, 16 B in "))
    }

    @Test(arguments: ["list.txt", "-"])
    func `mirrors the tree that a list describes`(name: String) async throws {
        let list = """
            # headers
            \(url("/include/a.h"))
              \(url("/include/foo/a.h"))\r

            \(url("/include/foo/b%20c.h"))
            \(url("/include/bar/"))
            """
        try folder.write(list, to: "list.txt")
        let run = try await NetqueueRun.run(
            ["-i", name, "-d", "out/deep", "--strip=2", "-j2"], in: folder, input: list)
        #expect(run.exitCode == 0)
        #expect(try folder.files(in: "out/deep") == ["a.h", "bar/index.html", "foo/a.h", "foo/b c.h"])
        #expect(try folder.text("out/deep/foo/b c.h") == "/include/foo/b%20c.h")
    }

    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func `goes through the proxy that the environment names`(variable: String) async throws {
        server.serve("/a.h", .text("by proxy"))
        server.serve("/b.h", .text("straight"))
        let environment = [variable: url("/"), "no_proxy": "127.0.0.1"]
        let run = try await NetqueueRun.run(
            ["--no-sizing", "--retries", "0", "http://nowhere.invalid/a.h"], in: folder, environment: environment)
        #expect(run.exitCode == 0)
        #expect(server.requests.map(\.target) == ["http://nowhere.invalid/a.h"])
        #expect(try folder.text("a.h") == "by proxy")
        let direct = try await NetqueueRun.run(
            ["--no-sizing", "--retries", "0", url("/b.h")], in: folder, environment: environment)
        #expect(direct.exitCode == 0)
        #expect(server.requests.last?.target == "/b.h")
    }

    @Test func `tries again as often as it is told`() async throws {
        server.serve("/flaky", sequence: [.status(503).closing(), .hangUp, .text("at last")])
        let arguments = ["--no-sizing", "--retry-delay", "0", url("/flaky")]
        let hasty = try await NetqueueRun.run(["--retries", "1"] + arguments, in: folder)
        #expect(hasty.exitCode == 1 && server.requestCount("/flaky") == 2)
        server.serve("/flaky", sequence: [.status(503).closing(), .hangUp, .text("at last")])
        let patient = try await NetqueueRun.run(["--retries=2"] + arguments, in: folder)
        #expect(patient.exitCode == 0 && server.requestCount("/flaky") == 5)
        #expect(try folder.text("flaky") == "at last")
    }

    @Test func `names what failed, fetches the others and ends with 1`() async throws {
        try folder.write("\(url("/missing.h"))\nnonsense\n\(url("/include/a.h"))\n", to: "list.txt")
        let run = try await NetqueueRun.run(["-i", "list.txt", "-d", "out"], in: folder)
        #expect(run.exitCode == 1)
        #expect(try folder.files(in: "out") == ["a.h"])
        #expect(run.output.contains("1 of 3 files, "))
        #expect(run.output.contains("\n2 failed: 1 x 404 Not Found, 1 x wrong line of a list\n"))
        #expect(run.error.contains("x missing.h: 404 Not Found\n"))
        #expect(run.error.contains("x list.txt:2: not an http or https URL: \"nonsense\"\n"))
    }

    @Test func `tells failures even when it is quiet`() async throws {
        let run = try await NetqueueRun.run(["-q", url("/missing.h")], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.output.isEmpty)
        #expect(run.error == "x missing.h: 404 Not Found\n")
        #expect(try folder.files() == [])
    }

    @Test func `has nothing to do for an empty list`() async throws {
        let run = try await NetqueueRun.run(["-i", "-"], in: folder, input: "# nothing\n")
        #expect(run.exitCode == 0)
        #expect(run.output == "Nothing to download: no list has a URL.\n")
    }

    @Test func `ends with 1 when the folder cannot be created`() async throws {
        try folder.write("", to: "taken")
        let run = try await NetqueueRun.run(["-d", "taken/out", url("/include/a.h")], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.error.contains("taken/out"))
        #expect(server.counters.requests == 0)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)], [false, true])
    func `cancels in order on a signal`(signal: (number: Int32, code: Int32), isLive: Bool) async throws {
        // Never silent: the test may get its turn to send the signal only after a minute.
        server.serve("/big", ScriptedResponse.generated(size: 1_000_000_000).paced(bytesPerSecond: 200))
        let arguments = ["--no-sizing", "-j1", "--strip=2", url("/include/a.h"), url("/big"), url("/include/foo/a.h")]
        let run = try await NetqueueRun.run(arguments + (isLive ? ["--progress=always"] : []), in: folder) { process in
            _ = await self.server.wait { $0.requests == 2 }
            kill(process, signal.number)
        }
        #expect(!run.wasKilled)
        #expect(run.exitCode == signal.code)
        #expect(run.output.hasPrefix("Cancelled: 1 of 3 files, "))
        #expect(try folder.files() == ["a.h"])
        #expect(run.error.hasSuffix("\u{1B}[?25h") == isLive)
        #expect(!run.error.contains("100%"))
    }

    @Test func `fetches a thousand files through one queue`() async throws {
        let paths = (0..<1200).map { "/tree/\($0 % 7)/\($0 % 11)/\($0).txt" }
        for path in paths { server.serve(path, .text(path)) }
        let list = paths.map(url).joined(separator: "\n")
        let run = try await NetqueueRun.run(["-qi-", "-dout", "--strip=2", "-j16"], in: folder, input: list)
        #expect(run.exitCode == 0)
        #expect(try folder.files(in: "out").count == 1200)
        for path in paths { #expect(try folder.text("out" + path.dropFirst(5)) == path) }
    }

    @Test func `calls files as their servers do with --content-disposition`() async throws {
        for number in 1...2 {
            server.serve(
                "/\(number)/get",
                .text("file \(number)").acceptingRanges(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
                    .header("Content-Disposition", "attachment; filename=\"../report \(number).txt\""))
        }
        server.serve("/3/get", .text("file 3").acceptingRanges(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
        let list = (1...3).map { server.url("/\($0)/get").absoluteString }.joined(separator: "\n") + "\n  out=own\n"
        for options in [[], ["--no-sizing"]] {
            let arguments = ["--content-disposition", "-i-", "-dout"] + options
            let first = try await NetqueueRun.run(arguments, in: folder, input: list)
            #expect(first.exitCode == 0)
            #expect(try folder.files(in: "out") == ["own", "report 1.txt", "report 2.txt"])
            #expect(try folder.text("out/report 2.txt") == "file 2" && folder.text("out/own") == "file 3")
            let second = try await NetqueueRun.run(arguments, in: folder, input: list)
            #expect(second.exitCode == 0)
            #expect(second.output.hasPrefix("3 files, 0 B in ") && second.output.hasSuffix(", 3 there already\n"))
            #expect(try folder.files(in: "out").count == 3)
            try FileManager.default.removeItem(at: folder.url.appending(path: "out"))
        }
    }
}
