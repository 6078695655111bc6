import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct DryRunTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let rig: NetqueueRig

    init() throws { rig = try NetqueueRig() }

    /// Serves a file that can be compared and resumed.
    private func serve(_ name: String, size: Int64) {
        rig.server.serve(
            "/\(name)",
            ScriptedResponse.generated(size: size).acceptingRanges(etag: "\"\(name)\"", lastModified: Self.date))
    }

    /// Serves seven files, and leaves four of them and a part behind.
    private func prepare() async throws -> [String] {
        for (name, size) in [("new", 3 << 20), ("same", 700), ("differs", 1024), ("part", 5000)] as [(String, Int64)] {
            serve(name, size: size)
        }
        let whole = ScriptedResponse.generated(size: 5000).acceptingRanges(etag: "\"part\"", lastModified: Self.date)
        rig.server.serve("/part", sequence: [whole.dropping(after: 4096), whole])
        rig.server.serve("/vague", ScriptedResponse.text("vague").chunked())
        #expect(try await rig.run("-dout", "--no-sizing", "--retries=0", "/same", "/part").exitCode == 1)
        try rig.folder.write("other", to: "out/differs")
        try rig.folder.write("vague", to: "out/vague")
        rig.server.forgetRequests()
        return ["/new", "/same", "/differs", "/part", "/vague", "/gone"].map(rig.url)
    }

    private static let table = """
        new                       3.0 MiB  new
        current                     700 B  same
        changed                   1.0 KiB  differs
        resumes at 4.0 KiB        4.9 KiB  part
        unknown                         ?  vague
        failed                          ?  gone

        """

    @Test func `A dry run prints a line for each file, requests heads only and writes nothing`() async throws {
        let urls = try await prepare()
        let before = try rig.folder.files().map { ($0, try Data(contentsOf: rig.folder.file($0))) }
        let run = try await rig.run(["-n", "-dout", "--retries=0", "--failed=again", "--status=status"] + urls)
        #expect(run.exitCode == 1)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(6).map { $0 + "\n" }.joined() == Self.table)
        #expect(lines[6] == "6 files: 1 new, 1 changed, 1 resumes, 1 current, 1 unknown, 1 failed")
        #expect(lines[7] == "To download: 3.0 MiB, and 1 of unknown size")
        #expect(lines[8].hasPrefix("Space: 3.0 MiB needed, ") && lines[8].contains(" free in /"))
        #expect(lines[9] == "1 failed: 1 x 404 Not Found" && lines[10].contains("--update, --overwrite, --keep or"))
        #expect(run.error.contains("x gone: 404 Not Found\n"))
        #expect(rig.server.requests.allSatisfy { $0.method == "HEAD" } && rig.server.requests.count == 6)
        let after = try rig.folder.files().map { ($0, try Data(contentsOf: rig.folder.file($0))) }
        #expect(after.map(\.0) == before.map(\.0) && after.map(\.1) == before.map(\.1))
    }

    @Test func `A dry run creates no folder`() async throws {
        serve("a", size: 5)
        let run = try await rig.run("-n", "-d", "some/where", "/a")
        #expect(run.exitCode == 0 && run.output.hasPrefix(Forecast.line("new", 5, "a") + "1 file: 1 new\n"))
        #expect(rig.folder.contents == [])
        try rig.folder.write("", to: "some")
        let blocked = try await rig.run("-n", "-d", "some/where", "/a")
        #expect(blocked.exitCode == 1 && blocked.error.contains("cannot be created: Not a directory"))
    }

    @Test func `What a dry run predicts is what the run does`() async throws {
        let urls = try await prepare().filter { !$0.hasSuffix("/gone") }
        #expect(
            try await rig.run(["-n", "--update", "-dout"] + urls).output.contains("To download: 3.0 MiB, and 1 of"))
        rig.server.forgetRequests()
        #expect(try await rig.run(["--update", "-dout"] + urls).exitCode == 0)
        let gets = rig.server.requests.filter { $0.method == "GET" }
        #expect(Set(gets.map(\.path)) == ["/new", "/differs", "/part", "/vague"])
        #expect(gets.first { $0.path == "/part" }?.headers["Range"] == "bytes=4096-")
        let again = try await rig.run(["-n", "--update", "-dout"] + urls)
        #expect(again.output.contains("\n5 files: 4 current, 1 unknown\nTo download: 0 B, and 1 of unknown size\n"))
    }

    @Test func `With --json a dry run has the same as data`() async throws {
        let urls = try await prepare()
        let run = try await rig.run(["-n", "--json", "-dout", "--retries=0"] + urls)
        let lines = try run.allJSONLines
        #expect(run.exitCode == 1)
        #expect(lines.map(\.event) == ["fail"] + Array(repeating: "check", count: 5) + ["plan", "summary"])
        let checks = lines[1...5]
        #expect(checks.map(\.name) == ["new", "same", "differs", "part", "vague"])
        #expect(checks.map(\.state) == ["new", "current", "changed", "resumes", "unknown"])
        #expect(checks.map(\.size) == [3 << 20, 700, 1024, 5000, nil])
        #expect(checks.map(\.offset) == [nil, nil, nil, 4096, nil])
        #expect(checks.map(\.url) == Array(urls.prefix(5)))
        #expect(checks.first?.file?.hasSuffix("/out/new") == true)
        let plan = try #require(lines[6].plan)
        #expect(plan.count == 5 && plan.knownBytes == (3 << 20) + 6724 && plan.unknownSizes == 1)
        #expect(plan.presentBytes == 700 + 4096 && plan.volumes?.map(\.needed) == [(3 << 20) + 1024 + 904])
        #expect(lines[7].total == 6 && lines[7].finished == 5 && lines[7].failed == 1 && lines[7].kept == 1)
    }

    @Test func `A dry run reads files that have a checksum, and asks no server about those that match`() async throws {
        for name in ["good", "bad"] { serve(name, size: 7) }
        for name in ["good", "bad"] { try rig.folder.write("content", to: name) }
        try rig.folder.write(
            "9a0364b9e99bb480dd25e1f0284c8555  good\n\(String(repeating: "0", count: 32))  bad\n", to: "SUMS")
        let run = try await rig.run("-n", "--checksums=SUMS", "/bad", "/good")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix(Forecast.line("changed", 7, "bad") + Forecast.line("current", 7, "good")))
        #expect(rig.server.requests.map(\.path) == ["/bad"])
        #expect(try rig.folder.files() == ["SUMS", "bad", "good"])
    }

    @Test func `A dry run with --no-sizing asks no server, and one with --keep keeps what exists`() async throws {
        for name in ["a", "b"] { try rig.folder.write("123", to: name) }
        let local = try await rig.run("-n", "--no-sizing", "/a", "/b", "/c")
        #expect(local.exitCode == 0 && local.output.contains("\n3 files: 1 new, 2 unknown\n"))
        #expect(rig.server.counters.connections == 0)
        serve("c", size: 9)
        let keep = try await rig.run("-n", "--keep", "/a", "/b", "/c")
        #expect(keep.exitCode == 0 && keep.output.contains("\n3 files: 1 new, 2 current\nTo download: 9 B\n"))
        #expect(rig.server.requests.map(\.path) == ["/c"])
        let all = try await rig.run("-n", "--overwrite", "/c", "/a")
        #expect(all.exitCode == 1 && all.output.contains("\n2 files: 1 new, 1 failed\n"))
    }

    @Test func `A dry run asks for the first byte where HEAD is refused, and tries mirrors`() async throws {
        rig.server.serve("/a", ScriptedResponse.text("12345").acceptingRanges(etag: "\"1\"").refusingHEAD())
        rig.server.serve("/mirror", .text("1234567"))
        let list = "\(rig.url("/a"))\n\(rig.url("/b"))\tmirror=\(rig.url("/mirror"))\n"
        let run = try await rig.run("-n", "--retries=0", "-i-", input: list)
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix(Forecast.line("new", 5, "a") + Forecast.line("new", 7, "b")))
    }

    @Test func `A dry run shows names that servers suggest, and sizes that contradict a list`() async throws {
        rig.server.serve(
            "/get", ScriptedResponse.text("1").header("Content-Disposition", "attachment; filename=\"f.txt\""))
        let named = try await rig.run("-n", "--content-disposition", "/get")
        #expect(named.exitCode == 0 && named.output.hasPrefix(Forecast.line("new", 1, "f.txt")))
        let run = try await rig.run("-n", "-i-", input: "\(rig.url("/get"))\tsize=2\n")
        #expect(run.exitCode == 1 && run.error.contains("x get: has 1 bytes, expected 2\n"))
        #expect(run.output.hasPrefix(Forecast.line("failed", nil, "get") + "1 file: 1 failed\n"))
    }
}
