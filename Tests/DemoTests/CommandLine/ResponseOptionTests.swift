import Foundation
import LoopbackHTTP
import Testing

/// Options that refuse responses which do not have the wanted content.
@Suite(.timeLimit(.minutes(10)))
struct ResponseOptionTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let rig: NetqueueRig

    init() throws { rig = try NetqueueRig() }

    private func serve(_ path: String, type: String) {
        rig.server.serve(
            path,
            ScriptedResponse.data(Data("<html><h1>Please log in</h1></html>".utf8), contentType: type)
                .acceptingRanges(etag: "\"1\"", lastModified: Self.date))
    }

    @Test(arguments: [["--dir=."], ["--no-sizing"], ["-o-"]])
    func `With --accept a login page fails at once, and nothing of it is stored`(options: [String]) async throws {
        serve("/a", type: "text/html; charset=utf-8")
        let run = try await rig.run(options + ["--accept=application/zip", rig.url("/a")])
        #expect(run.exitCode == 1 && !run.output.contains("<html>"))
        #expect(run.error.contains(": has the type text/html, expected application/zip: Please log in\n"))
        #expect((run.output + run.error).contains("1 failed: 1 x media type differs\n"))
        #expect(try rig.folder.files() == [])
        #expect(rig.server.requests.count { $0.method == "GET" } == 1)
        guard options != ["-o-"] else { return }
        let json = try await rig.run(options + ["--json", "--accept=application/zip", rig.url("/a")]).jsonLines
        #expect(json.first { $0.event == "fail" }?.error == "type")
    }

    @Test func `The option --accept takes several types and ranges, and refuses a response without a type`()
        async throws
    {
        serve("/a", type: "Image/PNG; x=1")
        serve("/b", type: "application/zip")
        rig.server.serve("/c", .data(Data("c".utf8), contentType: nil))
        let run = try await rig.run("--accept=application/zip", "--accept", "image/*", "/a", "/b", "/c")
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x c: has no media type, expected application/zip or image/*: c\n"))
        #expect(try rig.folder.files() == ["a", "b"])
    }

    @Test(arguments: [["--fsync=end"], ["--no-sizing"], ["--keep"]])
    func `The option --accept does not concern files that are kept`(options: [String]) async throws {
        serve("/a", type: "text/html")
        #expect(try await rig.run("-q", "/a").exitCode == 0)
        let run = try await rig.run(options + ["--accept=application/zip", rig.url("/a")])
        #expect(run.exitCode == 0 && run.output.contains("1 already there"), "\(run.error)")
    }

    @Test func `With --accept a dry run says which new files would fail`() async throws {
        serve("/a", type: "text/html")
        serve("/b", type: "text/html")
        #expect(try await rig.run("-q", "/b").exitCode == 0)
        let run = try await rig.run("-n", "--accept=application/zip", "/a", "/b")
        #expect(run.exitCode == 1 && run.output.contains("2 files: 1 current, 1 failed\n"), "\(run.output)")
        #expect(run.error.contains("x a: has the type text/html, expected application/zip\n"))
    }

    @Test(arguments: [[], ["--no-sizing"]])
    func `With --no-redirect a redirect fails, and its target is not asked`(options: [String]) async throws {
        rig.server.serve("/a", .redirect(to: "/login?token=secret"))
        let run = try await rig.run(options + ["-v", "--no-redirect", rig.url("/a")])
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x a: 302 Found; the redirect to \(rig.url("/login")) is not followed\n"))
        #expect(run.output.contains("1 failed: 1 x redirects are not followed\n"))
        #expect(!run.error.contains("secret") && !run.error.contains(" -L"))
        #expect(try rig.folder.files() == [])
        #expect(rig.server.requests.allSatisfy { $0.path == "/a" })
        let json = try await rig.run(options + ["--json", "--no-redirect", rig.url("/a")]).jsonLines
        let failure = try #require(json.first { $0.event == "fail" })
        #expect(failure.error == "redirects" && failure.status == 302)
    }

    @Test func `Sizes and uploads have --no-redirect as well`() async throws {
        rig.server.serve("/a", .redirect(to: "/b", status: 307))
        rig.server.serve("/b", .text("b"))
        try rig.folder.write("content", to: "file")
        for arguments in [["sizes"], ["upload", "file"]] {
            #expect(try await rig.run(arguments + [rig.url("/a")]).exitCode == 0)
            rig.server.forgetRequests()
            let run = try await rig.run(arguments + ["--no-redirect", rig.url("/a")])
            #expect(run.exitCode == 1 && run.error.contains("307 "), "\(run.error)")
            #expect(run.error.contains("; the redirect to \(rig.url("/b")) is not followed\n"))
            #expect(rig.server.requests.map(\.path) == ["/a"])
        }
    }
}
