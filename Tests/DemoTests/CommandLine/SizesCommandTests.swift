import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite("netqueue sizes")
struct SizesCommandTests {
    @Test func `prints a table and the total, and fetches nothing`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let folder = try TemporaryFolder()
        server.serve("/a", ScriptedResponse.generated(size: 3 << 20))
        server.serve("/b", ScriptedResponse.text("b").chunked())
        server.serve("/c", .text("12345"))
        let urls = ["/a", "/b", "/none", "/c"].map { server.url($0).absoluteString }
        let run = try await NetqueueRun.run(["sizes", "--retries=0"] + urls, in: folder)
        #expect(run.exitCode == 1)
        #expect(
            run.output == """
                   3.0 MiB  \(urls[0])
                         ?  \(urls[1])
                       5 B  \(urls[3])
                   3.0 MiB  total of 3 files, 1 of them of unknown size
                1 failed: 1 x 404 Not Found

                """)
        #expect(run.error.contains("x \(urls[2]): 404 Not Found\n"))
        #expect(server.requests.allSatisfy { $0.method == "HEAD" } && server.counters.requests == 4)
        #expect(folder.contents == [])
    }

    @Test func `has no bar for an empty list`() async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(["sizes", "-i-", "--progress=always"], in: folder, input: "# nothing\n")
        #expect(run.exitCode == 0 && run.error.isEmpty)
        #expect(run.output == "Nothing to ask for: no list has a URL.\n")
        let wrong = try await NetqueueRun.run(["sizes", "-i-", "--progress=always"], in: folder, input: "nonsense\n")
        #expect(wrong.exitCode == 1 && !wrong.error.contains("100%"))
        #expect(wrong.output == "1 failed: 1 x wrong line of a list\n")
    }
}
