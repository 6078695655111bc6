import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WrongLineTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        for name in ["a", "b"] { rig.server.serve("/\(name)", .text(name)) }
    }

    @Test func `The --failed list has wrong lines, with the lines that belong to them`() async throws {
        let list =
            "  out=lost\n\(rig.url("/a"))\n# a remark\nfoo\tout=x\n  size=3\n\(rig.url("/b"))\n  size=many\n  out=c\n"
        let run = try await rig.run(["-qi-", "--failed", "again"], input: list)
        #expect(run.exitCode == 1)
        let expected = "  out=lost\nfoo\tout=x\n  size=3\n\(rig.url("/b"))\n  size=many\n  out=c\n"
        #expect(try rig.folder.read("again") == expected)
        // The same again, until it is corrected.
        let second = try await rig.run(["-qi", "again", "--failed", "again"])
        #expect(second.exitCode == 1)
        #expect(try rig.folder.read("again") == expected)
        try rig.folder.write(expected.replacing("foo", with: rig.url("/a")).replacing("many", with: "1"), to: "again")
        #expect(try await rig.run(["-qi", "again"]).exitCode == 1)
        #expect(try rig.folder.read("c") == "b")
    }

    @Test(arguments: ["size=many", "out=lost", "header=X-Lost: 1"])
    func `Fields that begin a list are not those of the URL before the list`(field: String) async throws {
        try rig.folder.write("  \(field)\n\(rig.url("/b"))\n", to: "second")
        let run = try await rig.run(["-qi", "second", rig.url("/a"), "--failed", "again"])
        #expect(run.exitCode == 1)
        #expect(run.error.hasPrefix("x second:1: field without a URL above it: \"\(field)\"\n"))
        #expect(try rig.folder.read("a") == "a" && rig.folder.read("b") == "b")
        #expect(rig.server.requests.allSatisfy { $0.headers["X-Lost"] == nil })
        #expect(try rig.folder.read("again") == "  \(field)\n")
    }

    @Test func `The --failed list begins with fields that have no URL`() async throws {
        try rig.folder.write("\(rig.url("/a"))\tsize=many\n", to: "first")
        try rig.folder.write("  out=lost\n", to: "second")
        let run = try await rig.run(["-q", "-i", "first", "-i", "second", "--failed", "again"])
        #expect(run.exitCode == 1)
        #expect(try rig.folder.read("again") == "  out=lost\n\(rig.url("/a"))\tsize=many\n")
    }

    @Test func `Sizes of a list whose sum is no number of bytes are compared all the same`() async throws {
        let list = ["/a", "/b"].map { "\(rig.url($0))\tsize=\(Int64.max)\n" }.joined()
        let run = try await rig.run(["-q", "--retries=0", "-i-"], input: list)
        #expect(run.exitCode == 1 && run.output.isEmpty)
        #expect(run.error.contains("x a: ") && run.error.contains("x b: "))
    }

    @Test func `A wrong line is reported in one shard only`() async throws {
        var told = 0
        for shard in 1...3 {
            let run = try await rig.run(["-qi-", "--shard=\(shard)/3"], input: "foo\nbar\n\(rig.url("/a"))\n")
            told += run.error.components(separatedBy: "not an http or https URL").count - 1
        }
        #expect(told == 2)
    }

    @Test func `A wrong line ends the batch with --fail-fast`() async throws {
        let run = try await rig.run(["-i-", "--fail-fast", "--failed", "again"], input: "foo\n\(rig.url("/a"))\n")
        #expect(run.exitCode == 1 && run.output.hasPrefix("0 of 2 files, "))
        #expect(try rig.folder.read("again") == "foo\n\(rig.url("/a"))\n")
        #expect(rig.server.requests.isEmpty)
    }
}
