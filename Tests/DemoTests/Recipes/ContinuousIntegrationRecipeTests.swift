import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ContinuousIntegrationRecipeTests {
    private let rig: NetqueueRig
    private let recipe: Recipe

    init() throws {
        rig = try NetqueueRig()
        recipe = try Recipe(.continuousIntegration, in: rig)
        for name in ["a", "b", "c"] { serve(name, name) }
        try rig.folder.write(["a", "b", "c"].map { rig.url("/\($0)") + "\n" }.joined(), to: "list.txt")
    }

    private func serve(_ name: String, _ text: String) {
        rig.server.serve(
            "/\(name)", .text(text).acceptingRanges(lastModified: "Fri, 27 Nov 2026 13:05:07 GMT"))
    }

    /// A job on a machine that has nothing but the cache, which it saves.
    private func job(limit: String? = nil) async throws -> NetqueueRun {
        #expect(recipe.headings.isEmpty && recipe.files["fetch.yml"]?.contains("- run: sh fetch.sh\n") == true)
        return try await recipe.run(
            script: """
                rm -rf files
                if [ -e cache.tar ]; then tar xf cache.tar; fi
                sh fetch.sh
                code=$?
                tar cf cache.tar files
                exit $code
                """, environment: limit.map { ["LIMIT": $0] } ?? [:])
    }

    /// The requests for a whole file.
    private func downloads(of name: String) -> Int {
        rig.server.requests.count {
            $0.path == "/\(name)" && $0.method == "GET" && $0.headers["If-Modified-Since"] == nil
        }
    }

    @Test func `The cache saves all downloads but those of files that have changed`() async throws {
        let first = try await job()
        #expect(
            first.exitCode == 0 && first.output.hasSuffix("\nAll files are there.\n"), "\(first.output)\(first.error)")
        serve("b", "changed")
        let second = try await job()
        #expect(second.exitCode == 0 && second.output.contains("2 already there"))
        #expect(downloads(of: "a") == 1 && downloads(of: "b") == 2 && downloads(of: "c") == 1)
        #expect(try ["a", "b", "c"].map { try rig.folder.read("files/\($0)") } == ["a", "changed", "c"])
    }

    @Test func `When the time is up, the job ends with 75 and the next one continues`() async throws {
        rig.server.serve("/c") { request in
            request.method == "HEAD" ? .text("c") : .status(429, headers: ["Retry-After": "290"])
        }
        let first = try await job(limit: "2s")
        #expect(first.exitCode == 75, "\(first.output)\(first.error)")
        #expect(first.output.hasSuffix("\nThe time is up. The next job continues.\n"))
        #expect(try rig.folder.read("rest.txt").contains(rig.url("/c")))
        serve("c", "c")
        let second = try await job()
        #expect(second.exitCode == 0, "\(second.output)\(second.error)")
        #expect(try rig.folder.files(in: "files") == ["a", "b", "c"])
        #expect(downloads(of: "a") == 1 && downloads(of: "b") == 1)
    }

    @Test func `A missing file ends the job with 1, and is in the list of the rest`() async throws {
        rig.server.serve("/b", .status(404))
        let run = try await job()
        #expect(run.exitCode == 1 && run.output.hasSuffix("\nSome files failed. They are in rest.txt.\n"))
        #expect(try rig.folder.read("rest.txt") == rig.url("/b") + "\n")
    }
}
