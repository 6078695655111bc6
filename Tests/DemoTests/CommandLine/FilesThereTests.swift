import Foundation
import LoopbackHTTP
import TestSupport
import Testing

struct FilesThereTests {
    private let rig: NetqueueRig
    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    init() throws {
        rig = try NetqueueRig()
        for name in ["a", "b", "c"] {
            let response = ScriptedResponse.text("content of \(name)").acceptingRanges(lastModified: date)
            rig.server.serve("/\(name)", response)
        }
    }

    private func run(_ arguments: String...) async throws -> NetqueueRun {
        let urls = ["/a", "/b", "/c"].map(rig.url)
        return try await rig.run(arguments + urls)
    }

    private var getCount: Int { rig.server.requests.count { $0.method == "GET" } }

    @Test func `Files get the mode that the umask leaves, also those that replace others`() async throws {
        func mode(_ name: String) throws -> Int? {
            let attributes = try FileManager.default.attributesOfItem(atPath: rig.folder.path + "/" + name)
            return attributes[.posixPermissions] as? Int
        }
        try rig.folder.write("old", to: "b")
        chmod(rig.folder.path + "/b", 0o600)
        let run = try await rig.run(
            ["--overwrite", "--failed=again", rig.url("/a"), rig.url("/b")], shell: "umask 027; exec \"$@\"")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try mode("a") == 0o640 && mode("b") == 0o640 && mode("again") == 0o600)
    }

    @Test(arguments: [[], ["--rename"]])
    func `A second run downloads nothing`(options: [String]) async throws {
        let urls = ["/a", "/b", "/c"].map(rig.url)
        #expect(try await rig.run(options + urls).exitCode == 0)
        #expect(getCount == 3)
        let again = try await rig.run(options + urls)
        #expect(again.exitCode == 0)
        #expect(again.output.hasPrefix("3 files, 0 B in ") && again.output.hasSuffix(", 3 already there\n"))
        #expect(getCount == 3)
        let unsized = try await rig.run(options + ["--no-sizing"] + urls)
        #expect(unsized.exitCode == 0 && unsized.output.hasSuffix(", 3 already there\n"))
        #expect(try rig.folder.files() == ["a", "b", "c"])
    }

    @Test func `A second run downloads what is missing, and keeps files that differ`() async throws {
        try rig.folder.write("mine", to: "b")
        let run = try await run()
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x b: already exists and differs from the server's copy\n"))
        for option in ["--update", "--overwrite", "--keep", "--rename"] { #expect(run.output.contains(option)) }
        #expect(try rig.folder.read("b") == "mine" && rig.folder.read("c") == "content of c")
        #expect(try rig.folder.files() == ["a", "b", "c"])
    }

    @Test(arguments: [nil, "Sun, 06 Nov 1994 08:49:37 CET"])
    func `A file that cannot be compared is kept, and the error says that the server sends no date`(date: String?)
        async throws
    {
        let response = ScriptedResponse.text("content")
        rig.server.serve("/plain", date.map { response.header("Last-Modified", $0) } ?? response)
        try rig.folder.write("content", to: "plain")
        let run = try await rig.run("--retries=0", "/plain")
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x plain: already exists, and the server sends no date to compare\n"))
        #expect(run.output.contains("--update") && run.output.contains("--keep"))
    }

    @Test(arguments: [(429, [:]), (403, ["X-RateLimit-Remaining": "0"])] as [(Int, ReceivedHeaders)])
    func `A run that a quota has ended says how to go on without asking for what is there`(
        status: Int, headers: ReceivedHeaders
    ) async throws {
        rig.server.serve("/c", .status(status, headers: headers))
        let advice = "Run the same command with --keep later"
        let urls = ["--retries=0", "--no-sizing"] + ["/a", "/b", "/c"].map(rig.url)
        let first = try await rig.run(urls)
        #expect(first.exitCode == 1 && first.output.contains(advice))
        let count = rig.server.requests.count
        let second = try await rig.run(["--keep"] + urls)
        #expect(second.exitCode == 1 && !second.output.contains(advice))
        #expect(rig.server.requests.dropFirst(count).map(\.path) == ["/c"])
    }

    @Test func `The option --update replaces only files that differ`() async throws {
        _ = try await run()
        try rig.folder.write("mine", to: "b")
        let run = try await run("--update")
        #expect(run.exitCode == 0)
        #expect(run.output.contains(", 2 already there\n"))
        #expect(getCount == 4)
        #expect(try rig.folder.read("b") == "content of b")
    }

    @Test func `The option --overwrite downloads every file again`() async throws {
        _ = try await run()
        #expect(try await run("--overwrite").exitCode == 0)
        #expect(getCount == 6)
    }

    @Test func `The option --keep counts existing files, and does not request them`() async throws {
        try rig.folder.write("mine", to: "b")
        let first = try await run("--keep")
        #expect(first.exitCode == 0)
        #expect(first.output.hasPrefix("3 files, 24 B in ") && first.output.hasSuffix(", 1 already there\n"))
        #expect(first.error == "Downloading 3 files\n3/3 files, 24 B\n")
        #expect(!rig.server.requests.contains { $0.path == "/b" })
        let count = rig.server.counters.requests
        let second = try await run("--keep")
        #expect(second.exitCode == 0 && rig.server.counters.requests == count)
        #expect(second.output.hasPrefix("3 files, 0 B in "))
        #expect(!second.error.contains("100%"))
    }

    @Test(arguments: [[], ["--keep"], ["--update"], ["--overwrite"]])
    func `A folder is not taken for the file of its name`(options: [String]) async throws {
        try FileManager.default.createDirectory(at: rig.folder.file("a"), withIntermediateDirectories: true)
        let run = try await rig.run(["-q", "--failed=again"] + options + [rig.url("/a")])
        #expect(run.exitCode == 1 && run.error == "x a: is a folder\n" && rig.server.requests.isEmpty)
        #expect(try rig.folder.read("again") == rig.url("/a") + "\n")
    }

    /// Issue 38, point 3: the second of two URLs with one name, which had the number already, was called x-2-2.
    @Test func `The option --rename counts x, x-2, x-3, even if two URLs have one name`() async throws {
        for folder in ["A", "B"] {
            rig.server.serve("/\(folder)/x", .text("of \(folder)"))
            rig.server.serve("/\(folder)/long.h", .generated(size: 100_000, seed: folder == "A" ? 1 : 2))
        }
        #expect(try await rig.run([rig.url("/A/x"), rig.url("/A/long.h")]).exitCode == 0)
        for _ in 0..<2 {
            let urls = ["/A/x", "/B/x", "/A/long.h", "/B/long.h"].map(rig.url)
            #expect(try await rig.run(["--rename"] + urls).exitCode == 0)
        }
        #expect(try rig.folder.read("x") == "of A")
        let others = try (2...5).map { try rig.folder.read("x-\($0)") }
        #expect(others.sorted() == ["of A", "of A", "of B", "of B"])
        #expect(
            try rig.folder.files()
                == ["long-2.h", "long-3.h", "long-4.h", "long-5.h", "long.h", "x", "x-2", "x-3", "x-4", "x-5"])
    }

    @Test func `The list of --failed names a file that has a number, so that it is the same in the next run`()
        async throws
    {
        rig.server.serve("/A/x", .text("of A"))
        rig.server.serve("/B/x", .status(404))
        let urls = ["/A/x", "/B/x"].map(rig.url)
        #expect(try await rig.run(["--rename", "--retries=0", "--failed=again"] + urls).exitCode == 1)
        #expect(try rig.folder.read("again") == rig.url("/B/x") + "\tout=x-2\n")
        rig.server.serve("/B/x", .text("of B"))
        #expect(try await rig.run("--rename", "-i", "again").exitCode == 0)
        #expect(try rig.folder.read("x") == "of A" && rig.folder.read("x-2") == "of B")

        // A name in the list would keep the server from suggesting one.
        let suggested = ["/A/y", "/B/y"].map(rig.url)
        for path in ["/A/y", "/B/y"] { rig.server.serve(path, .status(404)) }
        let options = ["--content-disposition", "--retries=0", "--failed=again"]
        #expect(try await rig.run(options + suggested).exitCode == 1)
        #expect(try rig.folder.read("again") == suggested.map { $0 + "\n" }.joined())
    }

    @Test func `A file that another run finishes meanwhile counts as already there`() async throws {
        let gate = Gate()
        rig.server.serve("/slow", ScriptedResponse.generated(size: 100_000).gated(by: gate))
        let folder = rig.folder
        let run = try await rig.run(["--no-sizing", "--timeout=900", rig.url("/slow")]) { [server = rig.server] _ in
            #expect(await eventually { server.counters.requests > 0 })
            _ = try? folder.write(Data(GeneratedContent(size: 100_000).bytes(in: 0..<100_000)), to: "slow")
            gate.open()
        }
        #expect(run.exitCode == 0 && run.output.hasSuffix(", 1 already there\n"))
        #expect(try rig.folder.files() == ["slow"])
    }

    @Test func `A URL that is given twice, or with other fragments, is downloaded once`() async throws {
        try rig.folder.write("\(rig.url("/a"))\n\(rig.url("/a"))#one\n", to: "list.txt")
        let run = try await rig.run("-i", "list.txt", "/a", "/a#two")
        #expect(run.exitCode == 0 && getCount == 1)
    }

    @Test func `Two URLs for one file are a usage error, which mentions remedies`() async throws {
        let urls = ["/a", "/x/a"].map(rig.url)
        let run = try await rig.run(urls)
        #expect(run.exitCode == 64)
        for text in urls + ["would both be saved as \"a\"", "--dirs", "--rename", "out="] {
            #expect(run.error.contains(text))
        }
        #expect(rig.server.counters.requests == 0)
        #expect(rig.folder.contents == [])
    }

    @Test(arguments: [
        (["/a?1", "/a?2"], []), (["/x/a", "/y/a"], ["--dirs"]), (["/x/a", "/x/a?2"], []),
        (["--strip=2", "/x/a", "/y/a"], ["use a smaller --strip to keep their folders"]),
    ])
    func `A name clash mentions the remedies that help`(arguments: [String], remedies: [String]) async throws {
        let run = try await rig.run(arguments.map { $0.hasPrefix("/") ? rig.url($0) : $0 })
        #expect(run.exitCode == 64 && run.error.contains("--rename"))
        #expect(run.error.contains("--dirs") == remedies.contains("--dirs"))
        for remedy in remedies { #expect(run.error.contains(remedy)) }
    }
}
