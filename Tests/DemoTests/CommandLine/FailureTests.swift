import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FailureTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
    }

    /// psitransfer #365: a link that is good for one request.
    @Test(arguments: [(200, 410, true), (405, 410, false), (200, 500, false)])
    func `A failure that a HEAD may have caused mentions --no-sizing`(head: Int, get: Int, isNamed: Bool)
        async throws
    {
        rig.server.serve("/once") { .status($0.method == "HEAD" ? head : get) }
        let run = try await rig.run(["--retries", "0", rig.url("/once")])
        #expect(run.exitCode == 1)
        #expect(run.error.contains("--no-sizing") == isNamed, "\(run.error)")
    }

    @Test func `A run that has stored nothing says 0 B, whatever it has received`() async throws {
        rig.server.serve("/a", .text(String(repeating: "x", count: 19_661)))
        let checksum = "sha1:" + String(repeating: "0", count: 40)
        let run = try await rig.run(["--no-sizing", "--checksum", checksum, rig.url("/a")])
        #expect(run.output.hasPrefix("0 of 1 file, 0 B in "), "\(run.output)")
        #expect(try rig.folder.files() == [])
        let list = "\(rig.url("/a"))\n\(rig.url("/b"))\tchecksum=\(checksum)\n"
        rig.server.serve("/b", .text("content"))
        let other = try await rig.run(["--no-sizing", "-i-"], input: list)
        #expect(other.output.hasPrefix("1 of 2 files, 19.2 KiB in "), "\(other.output)")
    }

    @Test func `Failures are counted by reason, the most frequent first`() async throws {
        rig.server.serve("/c", .status(503))
        let run = try await rig.run(
            ["--no-sizing", rig.url("/a"), rig.url("/b"), rig.url("/c")], environment: ["LC_ALL": "C.UTF-8"])
        #expect(run.output.hasSuffix("\n3 failed: 2 × 404 Not Found, 1 × 503 Service Unavailable\n"))
    }

    @Test func `The summary names at most five reasons of failures`() async throws {
        for status in 0..<8 { rig.server.serve("/\(status)", .status(410 + status)) }
        let run = try await rig.run(["--no-sizing", "-j1"] + (0..<8).map { rig.url("/\($0)") })
        #expect(run.output.contains("\n8 failed: 1 x 410 Gone, "))
        #expect(run.output.hasSuffix(" and 3 more reasons\n"))
    }

    @Test(arguments: [40, 80])
    func `A failure takes one row of the terminal, and keeps its reason`(columns: Int) async throws {
        let terminal = try PseudoTerminal(columns: columns)
        let urls = (10..<50).map {
            rig.url("/a-name-that-is-longer-than-any-terminal-of-this-test-is-wide-by-far-\($0)")
        }
        let run = try await rig.run(["--no-sizing"] + urls, terminal: terminal)
        #expect(run.exitCode == 1)
        let failures = terminal.screen.lines.filter { $0.hasPrefix("x ") }
        #expect(failures.count == 21 && failures.last == "x 20 more failures; use -v to show all")
        #expect(terminal.screen.lines.count == 23)
        #expect(failures.dropLast().allSatisfy { $0.hasSuffix(": 404 Not Found") && $0.count < columns })
        #expect(Set(failures).count == 21)
        #expect(run.output.hasSuffix("\n40 failed: 40 x 404 Not Found\n"))
    }

    @Test func `Failures beyond the twentieth are counted, and -v shows them`() async throws {
        let list = (1...21).map { "wrong \($0)\n" }.joined() + rig.url("/missing") + "\n"
        let short = try await rig.run(["-i-"], input: list)
        #expect(short.error.components(separatedBy: "\nx standard input:").count == 20)
        #expect(short.error.contains("\nx 2 more failures; use -v to show all\n") && !short.error.contains("x missing"))
        let long = try await rig.run(["-vi-"], input: list)
        #expect(long.error.contains("x standard input:21: ") && long.error.contains("\nx missing: 404 Not Found\n"))
        #expect(!long.error.contains("more failures"))
    }

    @Test func `A body that breaks off says how much of it had come`() async throws {
        let response = ScriptedResponse.text(String(repeating: "x", count: 5000)).dropping(after: 1000)
        rig.server.serve("/cut", response)
        let run = try await rig.run(["--retries=1", "--retry-delay=0.1", rig.url("/cut")])
        #expect(run.exitCode == 1)
        let reason = "cut: the connection to 127.0.0.1:\(rig.server.port) was lost after 1,000 of 5,000 bytes"
        #expect(run.error.contains("\n\(reason); retrying in 0.1 s\n") && run.error.contains("\nx \(reason)\n"))
        #expect(run.output.hasSuffix("\n1 failed: 1 x the connection was lost\n"))
    }

    /// Nothing listens at a port that the system gives to no server by itself; that of a server which has been stopped
    /// may get another.
    private static let deadServer = "http://127.0.0.1:1"

    @Test func `Retries for one reason are counted beyond the twentieth`() async throws {
        rig.server.serve("/x", .status(503))
        let urls = (1...30).map { rig.url("/x?\($0)") }
        let options = ["--no-sizing", "--retry-delay=0", "--retries=1", "--rename"]
        let run = try await rig.run(options + urls)
        let lines = run.error.split(separator: "\n")
        let place = "127.0.0.1:\(rig.server.port): 503 Service Unavailable; "
        #expect(lines.count { $0.contains("; retrying in ") } == 20)
        #expect(lines.contains("\(place)further retries are not shown"))
        #expect(lines.contains("\(place)10 more retries of 10 files"))
    }

    @Test func `Refused connections to several ports count as one kind`() async throws {
        let run = try await rig.run(["--no-sizing", "--retries=0", Self.deadServer + "/a", "http://localhost:2/b"])
        #expect(run.output.hasSuffix("\n2 failed: 2 x could not connect: connection refused\n"))
    }

    @Test func `A refused connection to the proxy does not blame the server`() async throws {
        let run = try await rig.run(
            ["--no-sizing", "--retries=0", "-q", "http://nowhere.invalid/file"],
            environment: ["http_proxy": Self.deadServer])
        #expect(run.error.hasPrefix("x file: could not connect to the proxy 127.0.0.1:1: connection refused"))
    }

    @Test func `Hosts that do not exist count as one kind`() async throws {
        let run = try await rig.run(["--no-sizing", "http://one.invalid/a", "http://two.invalid/b"])
        for name in ["a: could not resolve host one", "b: could not resolve host two"] {
            #expect(run.error.contains("x \(name).invalid\n"))
        }
        #expect(run.output.hasSuffix("\n2 failed: 2 x could not resolve host\n"))
    }
}
