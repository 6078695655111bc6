import Foundation
import LoopbackServer
import Testing

@Suite("netqueue, where files are there already")
final class FilesThereTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        for name in ["a", "b", "c"] {
            server.serve("/\(name)", ScriptedResponse.text("content of \(name)").acceptingRanges(lastModified: date))
        }
    }

    deinit {
        server.stop()
        folder.remove()
    }

    private func run(_ arguments: String...) async throws -> NetqueueRun {
        let urls = ["/a", "/b", "/c"].map { server.url($0).absoluteString }
        return try await NetqueueRun.run(arguments + urls, in: folder)
    }

    private var getCount: Int { server.requests.count { $0.method == "GET" } }

    @Test(arguments: [[], ["--update"], ["--rename"]])
    func `fetches nothing a second time`(options: [String]) async throws {
        let urls = ["/a", "/b", "/c"].map { server.url($0).absoluteString }
        #expect(try await NetqueueRun.run(options + urls, in: folder).exitCode == 0)
        #expect(getCount == 3)
        let again = try await NetqueueRun.run(options + urls, in: folder)
        #expect(again.exitCode == 0)
        #expect(again.output.hasPrefix("3 files, 0 B in ") && again.output.hasSuffix(", 3 there already\n"))
        #expect(getCount == 3)
        let unsized = try await NetqueueRun.run(options + ["--no-sizing"] + urls, in: folder)
        #expect(unsized.exitCode == 0 && unsized.output.hasSuffix(", 3 there already\n"))
        #expect(try folder.files() == ["a", "b", "c"])
    }

    @Test func `finishes what was begun, and leaves alone what differs`() async throws {
        try folder.write("mine", to: "b")
        let run = try await run()
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x b: is there, and the server's differs or has no date\n"))
        for option in ["--update", "--overwrite", "--keep", "--rename"] { #expect(run.output.contains(option)) }
        #expect(try folder.text("b") == "mine" && folder.text("c") == "content of c")
        #expect(try folder.files() == ["a", "b", "c"])
    }

    @Test func `replaces only what differs with --update`() async throws {
        _ = try await run()
        try folder.write("mine", to: "b")
        let run = try await run("--update")
        #expect(run.exitCode == 0)
        #expect(run.output.contains(", 2 there already\n"))
        #expect(getCount == 4)
        #expect(try folder.text("b") == "content of b")
    }

    @Test func `fetches all with --overwrite`() async throws {
        _ = try await run()
        #expect(try await run("--overwrite").exitCode == 0)
        #expect(getCount == 6)
    }

    @Test func `asks for none of them with --keep`() async throws {
        try folder.write("mine", to: "b")
        let first = try await run("--keep")
        #expect(first.exitCode == 0)
        #expect(first.output.hasPrefix("3 files, 24 B in ") && first.output.hasSuffix(", 1 there already\n"))
        #expect(!server.requests.contains { $0.path == "/b" })
        let count = server.counters.requests
        let second = try await run("--keep")
        #expect(second.exitCode == 0 && server.counters.requests == count)
        #expect(second.output.hasPrefix("3 files, 0 B in "))
        #expect(!second.error.contains("100%"))
    }

    @Test func `keeps both with --rename`() async throws {
        try folder.write("mine", to: "b")
        #expect(try await run("--rename").exitCode == 0)
        #expect(try folder.files() == ["a", "b", "b-2", "c"])
        #expect(try folder.text("b") == "mine" && folder.text("b-2") == "content of b")
    }

    @Test func `fetches a URL that is given twice once`() async throws {
        let url = server.url("/a").absoluteString
        try folder.write("\(url)\n\(url)\n", to: "list.txt")
        let run = try await NetqueueRun.run(["-i", "list.txt", url], in: folder)
        #expect(run.exitCode == 0 && getCount == 1)
    }

    @Test func `starts nothing where two would be one file`() async throws {
        let urls = ["/a", "/x/a"].map { server.url($0).absoluteString }
        let run = try await NetqueueRun.run(urls, in: folder)
        #expect(run.exitCode == 64)
        for text in urls + ["would both be \"a\"", "--dirs", "--rename", "out="] { #expect(run.error.contains(text)) }
        #expect(server.counters.requests == 0)
        #expect(try folder.entries() == [])
    }

    @Test func `leaves nothing where it was when a list grows`() async throws {
        _ = try await NetqueueRun.run([server.url("/a").absoluteString], in: folder)
        server.serve("/deep/er/d", .text("d"))
        let run = try await NetqueueRun.run(["/a", "/deep/er/d"].map { server.url($0).absoluteString }, in: folder)
        #expect(run.exitCode == 0 && run.output.hasSuffix(", 1 there already\n"))
        #expect(try folder.files() == ["a", "d"])
    }

    @Test(arguments: [(["/a?1", "/a?2"], false), (["/x/a", "/y/a"], true), (["/x/a", "/x/a?2"], false)])
    func `names --dirs only where it helps`(paths: [String], helps: Bool) async throws {
        let run = try await NetqueueRun.run(paths.map { server.url($0).absoluteString }, in: folder)
        #expect(run.exitCode == 64 && run.error.contains("--rename"))
        #expect(run.error.contains("--dirs") == helps)
    }

    @Test func `names a smaller --strip where that helps`() async throws {
        let run = try await NetqueueRun.run(
            ["--strip=2", "/x/a", "/y/a"].map { $0.hasPrefix("/") ? server.url($0).absoluteString : $0 }, in: folder)
        #expect(run.exitCode == 64 && run.error.contains("a smaller --strip keeps their folders"))
    }

    @Test func `fetches URLs once that differ in their fragments`() async throws {
        let url = server.url("/a").absoluteString
        let run = try await NetqueueRun.run(["\(url)#one", "\(url)#two", url], in: folder)
        #expect(run.exitCode == 0 && getCount == 1)
    }
}
