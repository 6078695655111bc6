import Foundation
import LoopbackHTTP
import Testing

struct DownloadCommandTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        for path in ["/include/a.h", "/include/foo/a.h", "/include/foo/b%20c.h", "/include/bar/"] {
            rig.server.serve(path, .text(path))
        }
    }

    @Test func `A file is downloaded under its name to the current folder`() async throws {
        let run = try await rig.run([rig.url("/include/foo/a.h?x=/y")])
        #expect(run.exitCode == 0)
        #expect(try rig.folder.files() == ["a.h"])
        #expect(try rig.folder.read("a.h") == "/include/foo/a.h")
        #expect(run.output.hasPrefix("1 file, 16 B in "))
    }

    @Test(arguments: ["list.txt", "-"])
    func `A list with --strip mirrors a tree`(name: String) async throws {
        let list = """
            # headers
            \(rig.url("/include/a.h"))
              \(rig.url("/include/foo/a.h"))\r

            \(rig.url("/include/foo/b%20c.h"))
            \(rig.url("/include/bar/"))
            """
        try rig.folder.write(list, to: "list.txt")
        let run = try await rig.run(["-i", name, "-d", "out/deep", "--strip=2", "-j2"], input: list)
        #expect(run.exitCode == 0)
        #expect(try rig.folder.files(in: "out/deep") == ["a.h", "bar/index.html", "foo/a.h", "foo/b c.h"])
        #expect(try rig.folder.read("out/deep/foo/b c.h") == "/include/foo/b%20c.h")
    }

    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY", nil])
    func `Downloads use the proxy that the environment names, or that of --proxy`(variable: String?) async throws {
        rig.server.serve("/a.h", .text("by proxy"))
        rig.server.serve("/b.h", .text("straight"))
        let (proxy, urls) = (rig.url("/"), ["http://nowhere.invalid/a.h", rig.url("/b.h")])
        let options = ["-j1", "--no-sizing", "--retries=0"] + (variable == nil ? ["--proxy", proxy] : [])
        var environment = ["no_proxy": "127.0.0.1"]
        environment[variable ?? "http_proxy"] = variable == nil ? "http://127.0.0.1:1" : proxy
        let run = try await rig.run(options + urls, environment: environment)
        #expect(run.exitCode == 0)
        // The option wins over `no_proxy`, too.
        let second = variable == nil ? rig.url("/b.h") : "/b.h"
        #expect(rig.server.requests.map(\.target) == ["http://nowhere.invalid/a.h", second])
        #expect(try rig.folder.read("a.h") == "by proxy")
    }

    @Test func `The option --retries limits how often a request is retried`() async throws {
        rig.server.serve("/flaky", sequence: [.status(503).closing(), .status(503), .text("at last")])
        let arguments = ["--no-sizing", "--retry-delay", "0", rig.url("/flaky")]
        let hasty = try await rig.run(["--retries", "1"] + arguments)
        #expect(hasty.exitCode == 1 && rig.server.requestCount("/flaky") == 2)
        rig.server.serve("/flaky", sequence: [.status(503).closing(), .status(503), .text("at last")])
        let patient = try await rig.run(["--retries=2"] + arguments)
        #expect(patient.exitCode == 0 && rig.server.requestCount("/flaky") == 5)
        #expect(try rig.folder.read("flaky") == "at last")
    }

    @Test func `A server that hangs up does not count as a retry, except with --retries=0`() async throws {
        rig.server.serve("/gone", sequence: [.status(503).closing(), .hangUp, .hangUp, .text("back")])
        let arguments = ["--no-sizing", "--retry-delay", "0", rig.url("/gone")]
        let run = try await rig.run(["--retries=1"] + arguments)
        #expect(run.exitCode == 0 && rig.server.requestCount("/gone") == 4)
        #expect(try rig.folder.read("gone") == "back")
        rig.server.serve("/gone", .hangUp)
        let never = try await rig.run(["--retries=0", "--overwrite"] + arguments)
        #expect(never.exitCode == 1 && rig.server.requestCount("/gone") == 5)
    }

    @Test func `A failed download is named, the others go on, and the exit code is 1`() async throws {
        try rig.folder.write("\(rig.url("/missing.h"))\nnonsense\n\(rig.url("/include/a.h"))\n", to: "list.txt")
        let run = try await rig.run(["-i", "list.txt", "-d", "out"])
        #expect(run.exitCode == 1)
        #expect(try rig.folder.files(in: "out") == ["a.h"])
        #expect(run.output.contains("1 of 3 files, "))
        #expect(run.output.contains("\n2 failed: 1 x 404 Not Found, 1 x invalid list line\n"))
        #expect(run.error.contains("\nx missing.h: 404 Not Found\n"))
        #expect(run.error.components(separatedBy: "missing.h").count == 2 && !run.output.contains("missing.h"))
        #expect(run.error.contains("x list.txt:2: not an http or https URL: \"nonsense\"\n"))
    }

    @Test func `The option -q still reports failures`() async throws {
        let run = try await rig.run(["-q", rig.url("/missing.h")])
        #expect(run.exitCode == 1)
        #expect(run.output.isEmpty)
        #expect(run.error == "x missing.h: 404 Not Found\n")
        #expect(try rig.folder.files() == [])
    }

    @Test func `The option --content-disposition names files as their servers do`() async throws {
        for number in 1...2 {
            rig.server.serve(
                "/\(number)/get",
                .text("file \(number)").acceptingRanges(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
                    .header("Content-Disposition", "attachment; filename=\"../report \(number).txt\""))
        }
        rig.server.serve("/3/get", .text("file 3").acceptingRanges(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
        let list = (1...3).map { rig.url("/\($0)/get") }.joined(separator: "\n") + "\n  out=own\n"
        for options in [[], ["--no-sizing"]] {
            let arguments = ["--content-disposition", "-i-", "-dout"] + options
            let first = try await rig.run(arguments, input: list)
            #expect(first.exitCode == 0)
            #expect(try rig.folder.files(in: "out") == ["own", "report 1.txt", "report 2.txt"])
            #expect(try rig.folder.read("out/report 2.txt") == "file 2" && rig.folder.read("out/own") == "file 3")
            let second = try await rig.run(arguments, input: list)
            #expect(second.exitCode == 0)
            #expect(second.output.hasPrefix("3 files, 0 B in ") && second.output.hasSuffix(", 3 already there\n"))
            #expect(try rig.folder.files(in: "out").count == 3)
            try FileManager.default.removeItem(at: rig.folder.file("out"))
        }
    }

    @Test func `Files with one suggested name fail, and the summary mentions --rename`() async throws {
        for number in 1...2 {
            rig.server.serve(
                "/\(number)/get",
                .text("file \(number)").header("Content-Disposition", "attachment; filename=\"report.txt\""))
        }
        let arguments = ["--content-disposition", "-j1", rig.url("/1/get"), rig.url("/2/get")]
        let run = try await rig.run(arguments)
        #expect(run.exitCode == 1)
        #expect(run.error.contains("another download has the same file name, \"report.txt\"\n"))
        // Which would put one in the place of the other.
        #expect(run.output.contains("--rename") && !run.output.contains("--update"))
        #expect(try rig.folder.files() == ["report.txt"] && rig.folder.read("report.txt") == "file 1")

        for option in ["--overwrite", "--update"] {
            let again = try await rig.run([option, "-d", "more"] + arguments)
            #expect(again.exitCode == 1)
            #expect(again.error.contains("another download has the same file name, \"report.txt\"\n"))
            #expect(try rig.folder.read("more/report.txt") == "file 1")
        }
        try FileManager.default.removeItem(at: rig.folder.file("report.txt"))
        #expect(try await rig.run(["--rename"] + arguments).exitCode == 0)
        #expect(try rig.folder.files() == ["more/report.txt", "report-2.txt", "report.txt"])
    }
}
