import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

struct SizesCommandTests {
    @Test func `netqueue sizes prints a table and the total, and downloads nothing`() async throws {
        let rig = try NetqueueRig()
        rig.server.serve("/a", ScriptedResponse.generated(size: 3 << 20))
        rig.server.serve("/b", ScriptedResponse.text("b").chunked())
        rig.server.serve("/c", .text("12345"))
        let urls = ["/a", "/b", "/none", "/c"].map(rig.url)
        let run = try await rig.run(["sizes", "--retries=0"] + urls)
        #expect(run.exitCode == 1)
        #expect(
            run.output == """
                   3.0 MiB  \(urls[0])
                         ?  \(urls[1])
                       5 B  \(urls[3])
                   3.0 MiB  total of 3 files, 1 of unknown size
                1 failed: 1 x 404 Not Found

                """)
        #expect(run.error.contains("x \(urls[2]): 404 Not Found\n"))
        #expect(run.error.hasSuffix("\n3/4 files, 1 failed, 3.0 MiB\n"))
        let quiet = try await rig.run(["sizes", "-q", urls[0], urls[3]])
        #expect(quiet.exitCode == 0 && quiet.error.isEmpty && quiet.output.hasSuffix("   3.0 MiB  total of 2 files\n"))
        let json = try await rig.run(["sizes", "--json", urls[0], urls[3]])
        let summary = json.output.split(separator: "\n").last
        #expect(summary?.contains("\"size\":\((3 << 20) + 5),") == true)
        #expect(rig.server.requests.allSatisfy { $0.method == "HEAD" } && rig.server.counters.requests == 8)
        #expect(rig.folder.contents == [])
    }

    @Test func `netqueue sizes asks for the first byte if HEAD is refused`() async throws {
        let rig = try NetqueueRig()
        let content = String(repeating: "x", count: 5000)
        for status in HeadJob.refusals {
            let ranged = ScriptedResponse.text(content).acceptingRanges(etag: "\"1\"")
            rig.server.serve("/\(status)") { $0.method == "HEAD" ? .status(status) : ranged }
        }
        // A server that knows no ranges, and would send all of a large file.
        rig.server.serve("/whole") {
            $0.method == "HEAD" ? .status(405) : ScriptedResponse.generated(size: 3 << 40).paced(bytesPerSecond: 1000)
        }
        rig.server.serve("/empty") {
            $0.method == "HEAD" ? .status(405) : .status(416, headers: ["Content-Range": "bytes */0"])
        }
        rig.server.serve("/forbidden", .status(403))
        let paths = HeadJob.refusals.map { "/\($0)" } + ["/whole", "/empty", "/forbidden"]
        let table = try await rig.run(["sizes", "--retries=0"] + paths.map(rig.url))
        for path in HeadJob.refusals.map({ "/\($0)" }) {
            #expect(table.output.contains("   4.9 KiB  \(rig.url(path))\n"))
        }
        #expect(table.output.contains("   3.0 TiB  \(rig.url("/whole"))\n"))
        #expect(table.output.contains("       0 B  \(rig.url("/empty"))\n"))
        #expect(table.error.contains("x \(rig.url("/forbidden")): 403 Forbidden\n"))
        #expect(table.output.contains("total of \(paths.count - 1) files\n1 failed: 1 x 403 Forbidden\n"))
        #expect(rig.server.requests.allSatisfy { $0.method == "HEAD" || $0.headers["Range"] == "bytes=0-0" })
    }

    @Test func `netqueue sizes counts a URL for each of its files`() async throws {
        let rig = try NetqueueRig()
        rig.server.serve("/a") { $0.method == "HEAD" ? .status(403) : .text("123456") }
        rig.server.serve("/b", .text("1234"))
        let list = "\(rig.url("/a"))\n\(rig.url("/a"))\tout=c\n\(rig.url("/b"))\n"
        let run = try await rig.run(["sizes", "-qi-"], input: list)
        #expect(run.exitCode == 0)
        #expect(
            run.output == """
                       6 B  \(rig.url("/a"))
                       6 B  \(rig.url("/a")) (2)
                       4 B  \(rig.url("/b"))
                      16 B  total of 3 files

                """)
    }

    @Test func `netqueue sizes adds up what servers say to the largest number at most`() async throws {
        let rig = try NetqueueRig()
        for name in ["a", "b"] { rig.server.serve("/\(name)", ScriptedResponse.generated(size: .max)) }
        let run = try await rig.run(["sizes", "--json", rig.url("/a"), rig.url("/b")])
        #expect(run.exitCode == 0 && run.output.contains("\"size\":\(Int64.max),"))
    }

    @Test func `netqueue sizes draws no bar for an empty list`() async throws {
        let rig = try NetqueueRig()
        let run = try await rig.run("sizes", "-i-", "--progress=always", input: "# nothing\n")
        #expect(run.exitCode == 0 && run.error.isEmpty)
        #expect(run.output == "Nothing to size: no list contains a URL.\n")
        let wrong = try await rig.run("sizes", "-i-", "--progress=always", input: "nonsense\n")
        #expect(wrong.exitCode == 1 && !wrong.error.contains("100%"))
        #expect(wrong.output == "1 failed: 1 x invalid list line\n")
    }
}
