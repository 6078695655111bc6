import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .enabled(if: Recipe.hasPython, "there is no python3"))
struct ZenodoRecipeTests {
    private let rig: NetqueueRig
    private let recipe: Recipe
    private let record = "/api/records/3490058"
    private let file = "/api/records/3490058/files/my%20data.csv/content"

    init() throws {
        rig = try NetqueueRig()
        recipe = try Recipe(.zenodo, in: rig)
        let url = rig.url(file)
        rig.server.serve(
            record,
            .json(
                """
                {"id": 3490058, "files": [{"id": "0b5e", "key": "my data.csv", "size": 6, "links": {"self": "\(url)"},
                "checksum": "md5:b1946ac92492d2347c6235b4d2611184"}]}
                """))
    }

    private func download() async throws -> NetqueueRun { try await recipe.run("Download a record") }

    @Test func `A record arrives with its names after the quota has been reset, and is checked later`() async throws {
        #expect(recipe.headings == ["Download a record", "Check the files later"])
        let reset = Int(Date.now.timeIntervalSince1970) + 1
        let refusal = ScriptedResponse.status(
            429, headers: ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(reset)"])
        rig.server.serve(file, sequence: [refusal, .text("hello\n")])
        let run = try await download()
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.read("record/my data.csv") == "hello\n")
        #expect(rig.server.requests.allSatisfy { $0.method == "GET" || $0.path == record })
        rig.server.forgetRequests()
        #expect(try await recipe.run("Check the files later").exitCode == 0)
        try rig.folder.write("Hello\n", to: "record/my data.csv")
        #expect(try await recipe.run("Check the files later").exitCode == 1)
        try FileManager.default.removeItem(at: rig.folder.file("record/my data.csv"))
        #expect(try await recipe.run("Check the files later").exitCode == 1)
        #expect(rig.server.requests.isEmpty)
    }

    @Test func `A file with another checksum is fetched twice, fails, and is in the list of what failed`() async throws
    {
        rig.server.serve(file, .text("Hello\n"))
        let run = try await download()
        #expect(run.exitCode == 1 && run.error.contains("checksum differs"))
        #expect(rig.server.requestCount(file) == 2 && !rig.folder.contents.contains("record/my data.csv"))
        #expect(try rig.folder.read("failed.jsonl").contains(rig.url(file)))
    }

    @Test func `Without the record the list stays as it was`() async throws {
        try rig.folder.write("as it was", to: "list.jsonl")
        rig.server.serve(record, .status(404))
        #expect(try await download().exitCode == 1)
        #expect(try rig.folder.read("list.jsonl") == "as it was")
    }
}
